export const STYLES = `
:host { all: initial; }
* { box-sizing: border-box; }
.back {
  --ground: #fdfcf9; --raised: #f3f0e9; --ink: #23211d; --soft: #625c52; --line: #ddd7cb; --accent: #8a4b12; --mark: #f6dfb8;
  position: fixed; inset: 0; z-index: 2147483000; display: flex; justify-content: center; align-items: flex-start;
  padding: 10vh 1rem 1rem; background: rgb(20 18 14 / 45%); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
.back[hidden] { display: none; }
.back.dark {
  --ground: #1d1b18; --raised: #2a2723; --ink: #e9e5dc; --soft: #a8a195; --line: #3d3932; --accent: #e3a063; --mark: #5a421f;
}
@media (prefers-color-scheme: dark) {
  .back:not(.light) {
    --ground: #1d1b18; --raised: #2a2723; --ink: #e9e5dc; --soft: #a8a195; --line: #3d3932; --accent: #e3a063; --mark: #5a421f;
  }
}
.panel {
  display: flex; flex-direction: column; width: min(44rem, 100%); max-height: 80vh; overflow: hidden;
  background: var(--ground); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 24px 60px rgb(0 0 0 / 30%);
  animation: rise .12s ease-out;
}
@keyframes rise { from { opacity: 0; transform: translateY(6px); } }
@media (prefers-reduced-motion: reduce) { .panel { animation: none; } .busy::after { animation: none; } }
.top { display: flex; gap: .5rem; align-items: center; padding: .6rem .75rem; border-bottom: 1px solid var(--line); }
input {
  flex: 1; min-width: 0; font: inherit; font-size: 1.05rem; color: inherit; background: none; border: 0; padding: .3rem .25rem;
}
input:focus { outline: none; }
.top:focus-within { box-shadow: inset 0 -2px 0 var(--accent); }
input::placeholder { color: var(--soft); opacity: 1; }
button {
  font: inherit; font-size: .85rem; color: inherit; background: var(--raised); border: 1px solid var(--line);
  border-radius: 6px; padding: .2rem .6rem; cursor: pointer;
}
button:hover { border-color: var(--accent); }
button[aria-pressed=true] { background: var(--accent); color: var(--ground); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.body { overflow: auto; overscroll-behavior: contain; }
[role=listbox] { margin: 0; padding: .35rem; list-style: none; }
[role=option] { padding: .45rem .6rem; border-radius: 8px; cursor: pointer; }
[role=option][aria-selected=true] { background: var(--raised); box-shadow: inset 3px 0 0 var(--accent); }
.name { font-weight: 600; overflow-wrap: anywhere; }
.group { color: var(--soft); font-weight: 400; font-size: .85rem; }
.snippet { color: var(--soft); font-size: .88rem; overflow: hidden; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
.note { margin: 0; padding: .6rem .95rem; color: var(--soft); font-size: .9rem; }
.fault { color: var(--accent); }
.answer { padding: .4rem 1rem 1rem; }
.asked { margin: .8rem 0 .3rem; font-weight: 600; }
.steps { margin: .2rem 0; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
.steps li::before { content: "⌕ "; }
.text { overflow-wrap: break-word; }
.text p { margin: .5rem 0; }
.text a { color: var(--accent); }
.text code { font: .88em ui-monospace, monospace; background: var(--raised); border-radius: 4px; padding: .1em .3em; }
.text pre { background: var(--raised); border-radius: 8px; padding: .7rem .9rem; overflow: auto; }
.text pre code { padding: 0; background: none; }
.text table { border-collapse: collapse; font-size: .92em; }
.text th, .text td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; }
.text blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--soft); }
.scroll { overflow: auto; }
.busy::after { content: "▍"; color: var(--accent); animation: blink 1s steps(2) infinite; }
@keyframes blink { 50% { opacity: 0; } }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin: .5rem 0; padding: 0; list-style: none; }
.chips a { display: inline-block; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .82rem;
  color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: 999px; padding: .1rem .65rem; text-decoration: none; }
.chips a:hover { border-color: var(--accent); }
.unverified { margin: .4rem 0; font-size: .85rem; color: var(--soft); }
.unverified code { font-family: ui-monospace, monospace; color: var(--ink); }
.actions { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .6rem; }
.foot { display: flex; gap: 1rem; padding: .4rem .95rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .78rem; }
kbd { font: .95em ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  .back { padding: 0; } .panel { width: 100%; height: 100dvh; max-height: none; border: 0; border-radius: 0; } .foot { display: none; }
}
`;
