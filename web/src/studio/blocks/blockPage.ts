// What every sheet of blocks on the page shares: their definitions, told once, and how they are dyed.

import { KeyboardNavigation } from "@blockly/keyboard-navigation";
import * as Blockly from "blockly/core";
import * as English from "blockly/msg/en";
import { blockDefinitions } from "./blockShapes";

// Plant dyes that bear white letters, on linen and on ink alike.
const DYES = { indigo: "#35539c", teal: "#1d7a74", walnut: "#7c5735", madder: "#a3402c", weld: "#80630a", slate: "#55636f", plum: "#85417f", lichen: "#4a7132" };
let isReady = false;

/** Definitions and words are of the whole page: they are told once. */
function prepare(): void {
  if (isReady) return;
  isReady = true;
  Blockly.setLocale(English as unknown as Record<string, string>);
  Blockly.Scrollbar.scrollbarThickness = 9;
  Blockly.common.defineBlocksWithJsonArray(blockDefinitions());
  KeyboardNavigation.registerKeyboardNavigationStyles();
  KeyboardNavigation.registerFlyoutCursor();
}

/** In the page's own face: texts are measured when a block is drawn. */
const theme = () => {
  const made = new Blockly.Theme("loom", Object.fromEntries(Object.entries(DYES).map(([name, colourPrimary]) => [name, { colourPrimary }])), {}, {
    workspaceBackgroundColour: "var(--ground)",
    flyoutBackgroundColour: "var(--surface)",
    flyoutOpacity: 1,
    scrollbarColour: "var(--line-strong)",
    insertionMarkerColour: DYES.indigo, // it counts with this one, and takes no variable; the sheet dyes what is drawn
    insertionMarkerOpacity: 0.4,
  });
  made.setFontStyle({ family: getComputedStyle(document.body).fontFamily, weight: "600", size: 12 });
  return made;
};

/** A sheet in a box, with the looks of the house. */
export function laySheet(box: HTMLElement, options: Blockly.BlocklyOptions): Blockly.WorkspaceSvg {
  prepare();
  return Blockly.inject(box, { media: "/blockly/", sounds: false, renderer: "zelos", theme: theme(), ...options });
}
