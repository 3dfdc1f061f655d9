/** Sizes are in pixels: what a rem is belongs to the site. */
const LIGHT = `--ground: #fffefb; --raised: #f4f2ec; --ink: #1c2226; --soft: #586068; --line: #dedacf; --accent: #2f4f95;
  --chosen: #e4e9f4; --mark: #f3e6bd; --fault: #a3352b; color-scheme: light;`;
const DARK = `--ground: #22262b; --raised: #15171a; --ink: #e6e8e4; --soft: #a3acb4; --line: #343a41; --accent: #9db8f5;
  --chosen: #2d3a55; --mark: #57491c; --fault: #f0988c; color-scheme: dark;`;

export const STYLES = `
:host { all: initial !important; display: contents !important; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
dialog {
  ${LIGHT}
  position: fixed; inset: 0; width: 100%; height: 100%; max-width: none; max-height: none; margin: 0; border: 0;
  justify-content: center; align-items: flex-start; padding: 10vh 16px 16px; overflow: hidden;
  background: rgb(16 20 24 / 45%); color: var(--ink); font: 15px/1.5 var(--lore-face, system-ui, sans-serif); text-align: start;
}
dialog[open] { display: flex; }
dialog::backdrop { background: none; }
dialog.dark { ${DARK} }
@media (prefers-color-scheme: dark) { dialog:not(.light) { ${DARK} } }
.panel {
  display: flex; flex-direction: column; width: min(700px, 100%); max-height: 100%; overflow: hidden;
  background: var(--ground); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 24px 60px rgb(0 0 0 / 30%);
  animation: rise .12s ease-out;
}
@keyframes rise { from { opacity: 0; transform: translateY(6px); } }
.top { display: flex; gap: 8px; align-items: center; padding: 10px 12px; border-bottom: 1px solid var(--line); }
input {
  flex: 1; min-width: 0; font: inherit; font-size: 17px; color: inherit; background: none; border: 0; padding: 5px 4px;
}
input:focus { outline: none; }
.top:has(input:focus) { box-shadow: inset 0 -2px 0 var(--accent); }
input::placeholder { color: var(--soft); opacity: 1; }
button {
  font: inherit; font-size: 13.5px; color: inherit; background: var(--raised); border: 1px solid var(--line);
  border-radius: 6px; padding: 3px 10px; cursor: pointer;
}
button:hover { border-color: var(--accent); }
.scope { flex: none; max-width: 40%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-radius: 999px; }
.scope.wide { border-style: dashed; color: var(--soft); }
button[aria-pressed=true] { background: var(--accent); color: var(--ground); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.body { overflow: auto; overscroll-behavior: contain; }
ul, ol { margin: 6px 0; padding-inline-start: 22px; }
[role=listbox] { margin: 0; padding: 6px; list-style: none; }
[role=option] { padding: 7px 10px; border-radius: 8px; cursor: pointer; overflow-wrap: anywhere; }
[role=option][aria-selected=true] { background: var(--chosen); box-shadow: inset 3px 0 0 var(--accent); }
.group-head { padding: 8px 10px 2px; color: var(--soft); font-size: 12.5px; }
.name { font-weight: 600; }
.verb { color: var(--accent); font-weight: 600; }
.group { color: var(--soft); font-weight: 400; font-size: 13.5px; }
.snippet { color: var(--soft); font-size: 14px; overflow: hidden; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
mark.doubt { background: none; text-decoration: underline wavy var(--fault) 1px; text-underline-offset: 3px; }
.note { margin: 0; padding: 10px 15px; color: var(--soft); font-size: 14.5px; }
.fault { color: var(--fault); }
.answers { padding: 0 16px; }
.turn { padding: 12px 0 16px; }
.turn + .turn { border-top: 1px solid var(--line); }
.turn .note { padding: 6px 0; }
.asked { margin: 0 0 5px; font-size: 16px; font-weight: 600; overflow-wrap: anywhere; }
.steps { margin: 3px 0; padding: 0; list-style: none; color: var(--soft); font-size: 13.5px; overflow-wrap: anywhere; }
.steps li::before { content: "⌕ " / ""; }
.text { overflow-wrap: break-word; }
.text p { margin: 8px 0; }
.text :is(h3, h4, h5, h6) { margin: 14px 0 6px; font-size: 16px; line-height: 1.3; }
.text a { color: var(--accent); }
.text code { font: .88em ui-monospace, monospace; background: var(--raised); border-radius: 4px; padding: .1em .3em; }
.code { position: relative; margin: 8px 0; }
.code pre { margin: 0; background: var(--raised); border-radius: 8px; padding: 11px 14px; overflow: auto; tab-size: 4; }
.code pre code { padding: 0; background: none; }
.code .copy { position: absolute; top: 6px; right: 6px; opacity: 0; background: var(--ground); }
.code:is(:hover, :focus-within) .copy { opacity: 1; }
@media (hover: none) { .code .copy { opacity: 1; } }
.text table { border-collapse: collapse; font-size: 14.5px; }
.text :is(th, td) { border: 1px solid var(--line); padding: 4px 8px; text-align: start; vertical-align: top; }
.text [align=right] { text-align: end; }
.text [align=center] { text-align: center; }
.text blockquote { margin: 8px 0; padding-inline-start: 13px; border-inline-start: 3px solid var(--line); color: var(--soft); }
.text hr { border: 0; border-top: 1px solid var(--line); }
.scroll { overflow: auto; margin: 8px 0; }
.busy::after { content: "▍" / ""; color: var(--accent); animation: blink 1s steps(2) infinite; }
@keyframes blink { 50% { opacity: 0; } }
.chips { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0; padding: 0; list-style: none; }
.chips a { display: block; max-width: min(290px, 80vw); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13px;
  color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: 999px; padding: 2px 10px; text-decoration: none; }
.chips a:hover { border-color: var(--accent); }
.unverified { margin: 6px 0; font-size: 13.5px; color: var(--soft); overflow-wrap: anywhere; }
.unverified code { font-family: ui-monospace, monospace; color: var(--ink); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; margin-top: 10px; }
.foot { display: flex; flex-wrap: wrap; gap: 0 16px; padding: 6px 15px; border-top: 1px solid var(--line); color: var(--soft); font-size: 12.5px; }
.panel:has(#rows[hidden]) .foot { display: none; }
kbd { font: .95em ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .panel, .busy::after { animation: none; } }
@media (max-width: 640px), (max-height: 480px) {
  dialog { padding: 0; }
  .panel { width: 100%; height: 100%; border: 0; border-radius: 0; }
  .body { flex: 1; }
  .foot { display: none; }
  button { padding: 6px 12px; }
}
`;
