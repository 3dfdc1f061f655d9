import { build } from "./build";
import { STYLES } from "./overlayStyles";

const LABEL = "Search or ask the documentation";
const STOPS = "input, button, a[href], [tabindex='0']";

/** The fixed parts of the dialog. */
export interface Frame {
  dialog: HTMLDialogElement;
  /** Where is looked: the space that is open, or everything. */
  scope: HTMLElement;
  input: HTMLInputElement;
  body: HTMLElement;
  note: HTMLElement;
  status: HTMLElement;
  stop: HTMLElement;
  clear: HTMLElement;
  close: HTMLElement;
  moveFocus(by: 1 | -1): void;
  holdsFocus(): boolean;
}

export function frameOf(root: ShadowRoot): Frame {
  const sheet = new CSSStyleSheet(); // needs no leave of a site's policy for inline styles
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const input = fieldOf();
  const [stop, clear, close] = [build("button", "", "Stop"), build("button", "", "New"), build("button", "", matchMedia("(pointer: coarse)").matches ? "Close" : "Esc")];
  stop.hidden = clear.hidden = true;
  stop.setAttribute("aria-label", "Stop answering");
  clear.setAttribute("aria-label", "New conversation");
  close.setAttribute("aria-label", "Close");
  const scope = build("button", "scope");
  scope.hidden = true;
  const note = build("p", "note");
  note.hidden = true;
  const body = build("div", "body", note);
  const status = build("div", "hidden");
  status.setAttribute("role", "status");
  const top = build("div", "top", scope, input, stop, clear, close);
  const panel = build("div", "panel", top, body, footOf(), status);
  const dialog = build("dialog", "", panel) as HTMLDialogElement;
  dialog.setAttribute("aria-label", LABEL);
  root.append(dialog);
  const moveFocus = (by: 1 | -1) => {
    const stops = [...panel.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.getClientRects().length > 0);
    const at = stops.indexOf(root.activeElement as HTMLElement);
    stops[(at + by + stops.length) % stops.length]?.focus();
  };
  return { dialog, scope, input, body, note, status, stop, clear, close, moveFocus, holdsFocus: () => root.activeElement !== null };
}

function fieldOf(): HTMLInputElement {
  const input = build("input", "") as HTMLInputElement;
  const attributes: Record<string, string> = {
    role: "combobox", type: "text", "aria-expanded": "false", "aria-controls": "rows", "aria-autocomplete": "list",
    "aria-haspopup": "listbox", "aria-label": LABEL, placeholder: "Find or ask…", autocomplete: "off",
    autocapitalize: "off", spellcheck: "false", maxlength: "2000", enterkeyhint: "search",
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  return input;
}

function footOf(): HTMLElement {
  const key = (name: string) => build("kbd", "", name);
  const foot = build("div", "foot", build("span", "", key("↑"), key("↓"), " choose"), build("span", "", key("Enter"), " open or ask"));
  foot.append(build("span", "", key("Tab"), " take a suggestion"));
  foot.setAttribute("aria-hidden", "true");
  return foot;
}
