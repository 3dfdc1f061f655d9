import type { KeyboardEvent } from "react";
import { type Address, type Tab, TABS } from "../address";
import { KindMark } from "../map/KindMark";
import type { GraphModel } from "../shell/graphModel";
import { Inspector } from "../shell/Inspector";
import { go } from "../shell/useAddress";
import { NoteWays } from "./NoteWays";
import { FullTab, InfoTab, LinksTab, SectionsTab } from "./tabs";

const TAB_NAMES: Record<Tab, string> = { info: "Info", links: "Links", sections: "Sections", full: "Full" };
const TAB_BODIES = { info: InfoTab, links: LinksTab, sections: SectionsTab, full: FullTab };

export function NoteInspector({ model, address }: { model: GraphModel; address: Address }) {
  const close = () => go({ node: "", tab: "info" });
  const id = address.node;
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
    <Inspector
      title={card?.name ?? id}
      kind={
        <>
          <KindMark look={card && model.looks.get(card.type)} />
          {card ? `${card.type} · ${card.domain}` : "note"}
        </>
      }
      close={close}
    >
      <NoteWays graph={address.graph} id={id} path={card?.path ?? ""} name={card?.name ?? id} />
      <div role="tablist" aria-label="How much of the note" className="tabs" onKeyDown={turnTab}>
        {TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={tab === address.tab}
            aria-controls="note-panel"
            tabIndex={tab === address.tab ? 0 : -1}
            onClick={() => go({ tab }, "replace")}
          >
            {TAB_NAMES[tab]}
          </button>
        ))}
      </div>
      <div id="note-panel" role="tabpanel" aria-labelledby={`tab-${address.tab}`} tabIndex={0} className="panel" key={`${id} ${address.tab}`}>
        <Body graphId={address.graph} id={id} model={model} />
      </div>
    </Inspector>
  );
}
