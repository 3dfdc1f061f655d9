/** The script of any site: `<script src=".../ask.js" data-endpoint data-graph data-theme defer>`. */
import { AskServer } from "./askServer";
import { Panel } from "./panel";

const script = document.currentScript as HTMLScriptElement | null;
const endpoint = script?.dataset.endpoint ?? (script?.src ? new URL("/api/ask", script.src).href : "/api/ask");
const server = new AskServer(endpoint.replace(/\/+$/, ""), script?.dataset.graph ?? null);
let panel: Panel | null = null;

function open(): void {
  if (!panel) {
    const host = document.createElement("div");
    host.dataset.askOverlay = "";
    document.body.append(host);
    panel = new Panel(host, server, script?.dataset.theme ?? null);
  }
  panel.open();
}

document.addEventListener("keydown", (event) => {
  const letter = event.key.toLowerCase();
  const isCommand = letter === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
  const isSlash = event.key === "/" && !event.metaKey && !event.ctrlKey && !event.altKey && !isField(event.target);
  if (!isCommand && !isSlash) return;
  event.preventDefault();
  if (isCommand && panel?.isOpen) panel.close();
  else open();
});

document.addEventListener("click", (event) => {
  const opener = event.target instanceof Element ? event.target.closest("[data-ask-open]") : null;
  if (!opener) return;
  event.preventDefault();
  open();
});

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
