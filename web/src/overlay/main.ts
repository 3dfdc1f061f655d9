/** The script of any site: `<script src=".../ask.js" data-endpoint data-graph data-theme defer>`. */
import { endpointOf } from "./addresses";
import { AskServer } from "./askServer";
import { FINDER_CAME } from "./finder";
import { Panel } from "./panel";

const TOKEN_KEY = "loreweave.token"; // where the explorer keeps the token of its own server
const LOADED = Symbol.for("loreweave.ask");
const BUTTONS = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

const script = (document.currentScript ?? document.querySelector('script[src*="/ask.js"]')) as HTMLScriptElement | null;
const endpoint = endpointOf(script?.dataset.endpoint, script?.src ?? "", location.href);
let panel: Panel | null = null;
let openedFor: string | undefined;

/** The graph and the theme are read each time: a page may change them. */
function open(text = ""): void {
  const { graph, theme, base } = script?.dataset ?? {};
  if (!panel || openedFor !== graph) {
    document.querySelector("lore-ask")?.remove();
    const host = document.createElement("lore-ask");
    document.body.append(host);
    const server = new AskServer(endpoint, graph || null, ownToken);
    const place = { base: base ? new URL(base, location.href).href : location.href, endpoint, graph: graph || null };
    panel = new Panel(host.attachShadow({ mode: "open" }), server, place);
    openedFor = graph;
  }
  panel.open(theme, text);
}

/** A page may say which graph it shows when the box is open already: what was typed goes along. */
function openAnew(): void {
  if (!panel?.isOpen || openedFor === script?.dataset.graph) return;
  const { text } = panel;
  panel.close();
  open(text);
}

/** Only the server's own pages hold a token for it. */
function ownToken(): string | null {
  try {
    return new URL(endpoint).origin === location.origin ? sessionStorage.getItem(TOKEN_KEY) : null;
  } catch {
    return null;
  }
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey) return; // the page's own came first
  const isCommand = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey;
  const isSlash = event.key === "/" && !event.metaKey && !event.ctrlKey && !isField(event.composedPath()[0]);
  if (!isCommand && !isSlash) return;
  event.preventDefault();
  open();
}

function onClick(event: MouseEvent): void {
  const opener = event.composedPath().some((node) => node instanceof Element && node.hasAttribute("data-ask-open"));
  if (!opener || event.defaultPrevented) return;
  event.preventDefault();
  open();
}

function isField(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !BUTTONS.test(target.type);
  if (target.isContentEditable || document.designMode === "on") return true;
  return /^(TEXTAREA|SELECT)$/.test(target.tagName) || /^(textbox|searchbox|combobox)$/.test(target.getAttribute("role") ?? "");
}

const world = window as unknown as Record<symbol, boolean>;
if (!world[LOADED]) {
  world[LOADED] = true; // a page that loads the script twice still has one box
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onClick);
  window.addEventListener(FINDER_CAME, () => panel?.lookAnew());
  if (script) new MutationObserver(openAnew).observe(script, { attributeFilter: ["data-graph"] });
}
