import * as Blockly from "blockly/core";
import { useEffect, useRef } from "react";
import { MARK_SHAPES } from "../../sessions/StatusMark";
import { type DesignKind, fromBlocks, type JsonObject, toBlocks } from "./blockDocument";
import { laySheet } from "./blockPage";
import { type Light, LIGHT_MARKS, type Lights } from "./lights";

interface Props {
  kind: DesignKind;
  document: JsonObject;
  lights: Lights;
}

const SVG = "http://www.w3.org/2000/svg";

/** The blocks of a design as they were put together, each lit by how it stands; nothing of them can be moved. */
export default function LitBlocks({ kind, document: given, lights }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const sheet = useRef<{ workspace: Blockly.WorkspaceSvg; places: Map<string, string> } | null>(null);

  useEffect(() => {
    const start = toBlocks(kind, given);
    const workspace = laySheet(box.current!, {
      readOnly: true,
      zoom: { controls: window.innerWidth >= 720, wheel: false, pinch: true, startScale: window.innerWidth < 720 ? 0.55 : 0.7 },
      move: { scrollbars: true, drag: true, wheel: false },
    });
    Blockly.serialization.workspaces.load({ blocks: { languageVersion: 0, blocks: [start] } }, workspace);
    sheet.current = { workspace, places: fromBlocks(start).places };
    // As high as its blocks, within what leaves the rest of the page in sight.
    const { top, bottom } = workspace.getBlocksBoundingBox();
    box.current!.style.setProperty("--blocks", `${Math.ceil((bottom - top) * workspace.scale) + 70}px`);
    const resized = new ResizeObserver(() => Blockly.svgResize(workspace));
    resized.observe(box.current!);
    return () => {
      resized.disconnect();
      workspace.dispose();
      sheet.current = null;
    };
  }, [kind, given]);

  useEffect(() => {
    const { workspace, places } = sheet.current!;
    for (const [path, light] of lights) {
      const block = workspace.getBlockById(places.get(path) ?? "") as Blockly.BlockSvg | null;
      if (block) shine(block, light);
    }
    follow(workspace, [...lights].filter(([path, light]) => path !== "" && ["working", "waits for you"].includes(light)).map(([path]) => places.get(path) ?? ""));
  }, [kind, given, lights]);

  return <div ref={box} className="studio-canvas lit" role="group" aria-label="How the blocks stand" />;
}

/** By colour, by a mark, and in words. */
function shine(block: Blockly.BlockSvg, light: Light): void {
  const root = block.getSvgRoot();
  if (root.dataset.light === light) return;
  root.dataset.light = light;
  root.querySelector(":scope > .light")?.remove();
  const mark = document.createElementNS(SVG, "g");
  mark.setAttribute("class", `light ${LIGHT_MARKS[light]}`);
  mark.setAttribute("transform", "translate(-13 -9) scale(1.5)");
  mark.innerHTML = `<title>${light}</title><circle cx="8" cy="8" r="6.5"/><path d="${MARK_SHAPES[LIGHT_MARKS[light]]}"/>`;
  root.append(mark);
}

/** What is at work stays in sight. */
function follow(workspace: Blockly.WorkspaceSvg, working: string[]): void {
  const [id] = working.slice(-1);
  const place = id ? workspace.getBlockById(id)?.getBoundingRectangleWithoutChildren() : undefined;
  const view = workspace.getMetricsManager().getViewMetrics(true);
  if (place && (place.top < view.top || place.bottom > view.top + view.height)) workspace.scroll(workspace.scrollX, (20 - place.top) * workspace.scale);
}
