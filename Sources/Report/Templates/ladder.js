// Makes the ladder of a capture searchable: a search box, and buttons that hide clients, directions
// and unmarked rows. The page is complete without it. Untrusted text is inserted only as text.
(() => {
"use strict";
const table = document.querySelector(".ladder");
const rows = [...table.tBodies[0].rows].filter((row) => !row.classList.contains("day"));
const texts = rows.map((row) => row.textContent.toLowerCase());
const marks = ["bad", "part", "gap", "cut"];
const off = new Set();
let onlyMarked = false;

const make = (name, attributes, text = "") => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};
const tools = make("p", {class: "tools"});
const search = make("input", {type: "search", placeholder: "Search rows", "aria-label": "Search rows"});
const status = make("span", {role: "status"});

const apply = () => {
  const words = search.value.toLowerCase().split(" ").filter((word) => word);
  let shown = 0;
  rows.forEach((row, index) => {
    const isEvent = row.classList.contains("ev");
    const classes = [...row.classList].filter((name) => !isEvent || name !== "in" && name !== "out");
    const isShown = words.every((word) => texts[index].includes(word))
      && !classes.some((name) => off.has(name))
      && (!onlyMarked || classes.some((name) => marks.includes(name)));
    row.classList.toggle("off", !isShown);
    if (isShown) shown += 1;
  });
  status.textContent = `${shown} of ${rows.length} rows`;
};
const button = (text, kind, toggle) => {
  const element = make("button",
    {type: "button", class: kind, "aria-pressed": String(kind === "hide")}, text);
  element.addEventListener("click", () => {
    element.setAttribute("aria-pressed", String(toggle()));
    apply();
  });
  tools.append(element);
};
const hiding = (text, name) => button(text, "hide", () => {
  if (off.delete(name)) return true;
  off.add(name);
  return false;
});

tools.append(search);
hiding("→ to the server", "out");
hiding("← from the server", "in");
hiding("· events", "ev");
for (const side of ["c", "s"]) {
  const lanes = [...table.querySelectorAll(`.lanes span[class^=${side}]`)];
  for (const lane of lanes) if (lanes.length > 1) hiding(lane.textContent, lane.className);
}
button("only marked rows", "only", () => onlyMarked = !onlyMarked);
tools.append(status);
table.before(tools);
search.addEventListener("input", apply);
apply();
})();
