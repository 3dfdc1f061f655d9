import { KeyboardNavigation } from "@blockly/keyboard-navigation";
import * as Blockly from "blockly/core";
import { useEffect, useRef, useState } from "react";
import { BlockSheet } from "./BlockSheet";
import { type BlockState, type DesignKind, fromBlocks, type JsonObject, toBlocks } from "./blockDocument";
import { laySheet } from "./blockPage";
import { shelf } from "./blockShapes";

export interface Edited {
  document: JsonObject;
  places: Map<string, string>;
}

interface Props {
  kind: DesignKind;
  /** What it begins with; a changed one is shown by a new editor. */
  document: JsonObject;
  change: (edited: Edited) => void;
  /** What is wrong, by the blocks at which it lies. */
  faults: Map<string, string>;
  /** A block that is to be looked at now. */
  goTo: { block?: string } | null;
  /** Names that texts may refer to. */
  keys: string[];
}

export default function BlockEditor({ kind, document: given, change, faults, goTo, keys }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const workspace = useRef<Blockly.WorkspaceSvg | null>(null);
  const [selected, setSelected] = useState<Blockly.BlockSvg | null>(null);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const [loose, setLoose] = useState(0);
  const [, redraw] = useState(0);
  const [narrow] = useState(() => window.innerWidth < 720);
  const latest = useRef(change);
  latest.current = change;

  useEffect(() => {
    const made = laySheet(box.current!, {
      toolbox: shelf(kind),
      // On a narrow sheet they would lie over the blocks: there, buttons above it do the same.
      trashcan: !narrow,
      horizontalLayout: narrow,
      toolboxPosition: narrow ? "end" : "start",
      zoom: { controls: !narrow, wheel: false, pinch: true, startScale: narrow ? 0.6 : 0.75 },
      move: { scrollbars: true, drag: true, wheel: true },
    });
    workspace.current = made;
    const keyboard = new KeyboardNavigation(made);
    const start = toBlocks(kind, given);
    Blockly.serialization.workspaces.load({ blocks: { languageVersion: 0, blocks: [narrow ? { ...start, x: 12, y: 12 } : start] } }, made);
    made.getTopBlocks(false)[0]?.setDeletable(false);
    made.clearUndo();
    const tell = () => {
      const now = edited(made, start.type);
      setLoose(now.loose);
      latest.current(now);
    };
    const hear = (event: Blockly.Events.Abstract) => {
      if (event.type === Blockly.Events.SELECTED) {
        // Whoever goes over to the form leaves the blocks: the last one chosen stays the one that is meant.
        const id = (event as Blockly.Events.Selected).newElementId;
        if (id) setSelected(made.getBlockById(id));
      } else if (!event.isUiEvent && event.type !== Blockly.Events.FINISHED_LOADING) tell();
      redraw((count) => count + 1);
    };
    made.addChangeListener(Blockly.Events.disableOrphans);
    made.addChangeListener(hear);
    const resized = new ResizeObserver(() => Blockly.svgResize(made));
    resized.observe(box.current!);
    tell();
    return () => {
      resized.disconnect();
      keyboard.dispose();
      made.dispose();
      workspace.current = null;
    };
  }, []);

  useEffect(() => {
    for (const block of workspace.current?.getAllBlocks(false) ?? []) {
      const fault = faults.get(block.id) ?? null;
      block.setWarningText(fault);
      if (fault) void sayBeside(block);
    }
  }, [faults]);

  useEffect(() => {
    const block = workspace.current?.getBlockById(goTo?.block ?? "");
    if (!block) return;
    workspace.current!.centerOnBlock(block.id);
    Blockly.getFocusManager().focusNode(block);
  }, [goTo]);

  const remove = () => {
    selected?.checkAndDelete();
    setIsSheetOpen(false);
  };
  const isThere = selected !== null && !selected.isDisposed() && !selected.isInFlyout;
  return (
    <div className="studio-blocks">
      <div className="row studio-block-tools">
        <button type="button" aria-disabled={!workspace.current?.getUndoStack().length} onClick={() => workspace.current?.undo(false)}>
          Undo
        </button>
        <button type="button" aria-disabled={!workspace.current?.getRedoStack().length} onClick={() => workspace.current?.undo(true)}>
          Redo
        </button>
        <button type="button" disabled={!isThere} onClick={() => setIsSheetOpen(true)}>
          Edit<span className="studio-more"> the block</span>
        </button>
        {narrow ? (
          <>
            <button type="button" disabled={!isThere || !selected.isDeletable()} onClick={remove}>
              Remove
            </button>
            <button type="button" aria-label="Smaller" onClick={() => workspace.current?.zoomCenter(-1)}>
              −
            </button>
            <button type="button" aria-label="Larger" onClick={() => workspace.current?.zoomCenter(1)}>
              +
            </button>
          </>
        ) : null}
        {/* In one place, so that nothing moves under a hand that drags. */}
        <span className="soft studio-keys">{loose > 0 ? null : "Drag blocks from the shelf, or press T, Enter and the arrows."}</span>
        <span className="studio-loose" role="status">
          {loose > 0 ? `${loose === 1 ? "One block is loose" : `${loose} blocks are loose`}: what is not joined to the first block is not part of it.` : ""}
        </span>
      </div>
      <div ref={box} className="studio-canvas" />
      {isThere && isSheetOpen ? <BlockSheet key={selected.id} block={selected} keys={keys} fault={faults.get(selected.id)} close={() => setIsSheetOpen(false)} /> : null}
    </div>
  );
}

/** Right of the block: above it, where it opens by itself, it would lie over the fields of another. */
async function sayBeside(block: Blockly.BlockSvg): Promise<void> {
  const icon = block.getIcon(Blockly.icons.WarningIcon.TYPE);
  await icon?.setBubbleVisible(true);
  (icon?.getBubble() as Blockly.bubbles.TextBubble | undefined | null)?.setPositionRelativeToAnchor(block.getHeightWidth().width + 8, -12);
}

function edited(workspace: Blockly.Workspace, start: string): Edited & { loose: number } {
  const saved = Blockly.serialization.workspaces.save(workspace) as { blocks?: { blocks: BlockState[] } };
  const top = saved.blocks?.blocks ?? [];
  const first = top.find((block) => block.type === start);
  return { ...(first ? fromBlocks(first) : { document: {}, places: new Map() }), loose: top.length - (first ? 1 : 0) };
}
