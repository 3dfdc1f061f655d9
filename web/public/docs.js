// The list of pages shows the page that is open, the list of sections the one that is read.
(() => {
  const here = document.querySelector(".pages [aria-current]");
  const list = here?.closest(".pages");
  if (list && list.scrollHeight > list.clientHeight) {
    list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
  }
  const links = new Map();
  for (const link of document.querySelectorAll(".contents a")) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading) links.set(heading, link);
  }
  const headings = [...links.keys()];
  if (!headings.length) return;
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 120);
    for (const [heading, link] of links) {
      if (heading === read) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let waiting = false;
  addEventListener(
    "scroll",
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
})();
