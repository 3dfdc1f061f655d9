/** An element with a class and children; text becomes text, never HTML. */
export function build(tag: string, name: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (tag === "button") made.setAttribute("type", "button");
  made.append(...children);
  return made;
}
