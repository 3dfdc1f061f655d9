import { type KeyboardEvent, useRef } from "react";
import { type Address, type Tab, TABS } from "../address";
import { KindMark } from "../map/KindMark";
import type { GraphModel } from "../shell/graphModel";
import { go } from "../shell/useAddress";
import { useFocusTrap } from "../shell/useFocusTrap";
import { FullTab, InfoTab, LinksTab, SectionsTab } from "./tabs";

const TAB_NAMES: Record<Tab, string> = { info: "Info", links: "Links", sections: "Sections", full: "Full" };
const TAB_BODIES = { info: InfoTab, links: LinksTab, sections: SectionsTab, full: FullTab };

export function NodeDrawer({ model, address }: { model: GraphModel; address: Address }) {
  const box = useRef<HTMLElement>(null);
  const close = () => go({ node: "", tab: "info" });
  useFocusTrap(box, close);
  const id = model.byId.has(address.node) ? address.node : (model.resolve(address.node.replace(/^skill:/, "")) ?? address.node);
  const card = model.byId.get(id);
  const Body = TAB_BODIES[address.tab];

  function turnTab(event: KeyboardEvent<HTMLDivElement>): void {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const at = TABS.indexOf(address.tab);
    const next =
      event.key === "Home" ? 0 : event.key === "End" ? TABS.length - 1 : (at + (steps[event.key] ?? 0) + TABS.length) % TABS.length;
    if (next === at) return;
    event.preventDefault();
    go({ tab: TABS[next]! }, "replace");
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  return (
    <aside ref={box} className="drawer" role="dialog" aria-modal="true" aria-labelledby="drawer-title" tabIndex={-1}>
      <header>
        <div>
          <p className="kind">
            <KindMark look={card && model.looks.get(card.type)} />
            {card ? `${card.type} · ${card.domain}` : "note"}
          </p>
          <h2 id="drawer-title">{card?.name ?? id}</h2>
        </div>
        <button type="button" className="close" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <div role="tablist" aria-label="How much of the note" className="tabs" onKeyDown={turnTab}>
        {TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={tab === address.tab}
            aria-controls="drawer-panel"
            tabIndex={tab === address.tab ? 0 : -1}
            onClick={() => go({ tab }, "replace")}
          >
            {TAB_NAMES[tab]}
          </button>
        ))}
      </div>
      <div id="drawer-panel" role="tabpanel" aria-labelledby={`tab-${address.tab}`} tabIndex={0} className="panel" key={`${id} ${address.tab}`}>
        <Body graphId={address.graph} id={id} model={model} />
      </div>
    </aside>
  );
}
