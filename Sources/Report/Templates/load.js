// Makes the report on a load test interactive: values on hover, a cursor in all charts over time,
// zoom, hidden series, and a filter. While a load test runs, it also shows updates and sends
// commands. The page is complete without it. Untrusted text is inserted only as text, not as HTML.
(() => {
"use strict";
const SVG = "http://www.w3.org/2000/svg";
// The area between the axes of a chart; the same as in Plot.swift.
const LEFT = 92, RIGHT = 984, WIDTH = 1000;
const main = document.querySelector("main");
const hidden = new Set();
const ticks = new WeakMap();
let zoom = null, selection = null, sections = [];

const make = (name, attributes = {}, text = "") => {
  const element = name.startsWith("svg:")
    ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};
const charts = () => [...main.querySelectorAll("svg.time")];
const period = (chart) => zoom || [0, Number(chart.dataset.end)];
const position = (chart, time) => {
  const [from, to] = period(chart);
  return LEFT + (time - from) / (to - from) * (RIGHT - LEFT);
};
const height = (chart) => chart.viewBox.baseVal.height;

// Values on hover

const tip = make("div", {class: "tip", hidden: ""});
document.body.append(tip);

const pointed = (event) => {
  const chart = event.target instanceof Element ? event.target.closest("svg.time") : null;
  if (!chart) return null;
  const box = chart.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width * WIDTH;
  if (x < LEFT || x > RIGHT) return null;
  const [from, to] = period(chart);
  return {chart, time: from + (x - LEFT) / (RIGHT - LEFT) * (to - from)};
};
const rowAt = (time) => [...main.querySelectorAll("#values tbody tr")].find(
  (row) => time >= Number(row.dataset.from) && time < Number(row.dataset.to));

const hover = (event) => {
  for (const line of main.querySelectorAll(".cursor")) line.remove();
  const found = pointed(event);
  tip.hidden = true;
  if (!found) return;
  for (const chart of charts()) {
    const x = position(chart, found.time);
    chart.append(make("svg:path", {class: "cursor", d: `M${x} 12V${height(chart) - 30}`}));
  }
  const row = rowAt(found.time);
  if (!row) return;
  const keys = (found.chart.closest("figure").dataset.values || "").split(" ");
  const headings = [...main.querySelectorAll("#values thead th")];
  tip.replaceChildren(make("b", {}, row.cells[0].textContent));
  headings.forEach((heading, index) => {
    if (!keys.includes(heading.dataset.key)) return;
    const line = make("div");
    line.append(make("span", {}, heading.textContent),
      make("span", {class: "number"}, row.cells[index].textContent));
    tip.append(line);
  });
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = event.clientX + 16 + box.width > innerWidth
    ? event.clientX - 16 - box.width : event.clientX + 16;
  tip.style.left = `${Math.max(left, 4) + scrollX}px`;
  tip.style.top = `${event.clientY + 16 + scrollY}px`;
};

// Zoom

const words = (seconds) => seconds < 1 && seconds > 0
  ? `${Math.round(seconds * 1000)} ms` : `${Math.round(seconds * 10) / 10} s`;

const drawTicks = (chart) => {
  const group = chart.querySelector(".ticks");
  if (!ticks.has(chart)) ticks.set(chart, [...group.childNodes]);
  if (!zoom) return group.replaceChildren(...ticks.get(chart));
  group.replaceChildren();
  const [from, to] = zoom, bottom = height(chart) - 30;
  const power = 10 ** Math.floor(Math.log10((to - from) / 8));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= (to - from) / 8);
  for (let n = Math.ceil(from / step); n * step <= to; n += 1) {
    const x = position(chart, n * step);
    const middle = Math.min(x, WIDTH - 24);
    group.append(make("svg:path", {class: "axis", d: `M${x} ${bottom}v4`}), make("svg:text",
      {class: "words", x: middle, y: bottom + 20, "text-anchor": "middle"}, words(n * step)));
  }
};

const applyZoom = () => {
  for (const chart of charts()) {
    const end = Number(chart.dataset.end), [from, to] = period(chart);
    const scale = (RIGHT - LEFT) / end;
    chart.querySelector("svg.data").setAttribute("viewBox",
      `${LEFT + from * scale} 0 ${(to - from) * scale} ${height(chart) - 30}`);
    drawTicks(chart);
    for (const label of chart.querySelectorAll(".at")) {
      const x = Number(label.dataset.x), now = position(chart, (x - LEFT) / scale);
      label.setAttribute("transform", `translate(${now - x})`);
      label.classList.toggle("off", now < LEFT - 1 || now > RIGHT - 40);
    }
  }
  reset.hidden = !zoom;
};

const drawSelection = (time) => {
  for (const box of main.querySelectorAll(".selection")) box.remove();
  if (!selection) return;
  for (const chart of charts()) {
    const [a, b] = [position(chart, selection.time), position(chart, time)];
    chart.append(make("svg:rect", {class: "selection", x: Math.min(a, b), y: 12,
      width: Math.abs(a - b), height: height(chart) - 42}));
  }
};

main.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || event.pointerType === "touch") return;
  selection = pointed(event);
  if (selection) event.preventDefault();
});
main.addEventListener("pointermove", (event) => {
  hover(event);
  const now = selection && pointed(event);
  if (now) drawSelection(now.time);
});
main.addEventListener("pointerup", (event) => {
  const start = selection, now = start && pointed(event);
  selection = null;
  drawSelection();
  if (!now) return;
  const [from, to] = [start.time, now.time].sort((a, b) => a - b);
  const [begin, end] = period(now.chart);
  if (to - from > (end - begin) / 100) zoom = [from, to];
  applyZoom();
});
main.addEventListener("pointerleave", hover);
main.addEventListener("dblclick", (event) => {
  if (!pointed(event)) return;
  zoom = null;
  applyZoom();
});

// Hidden series

const seriesKey = (key) =>
  `${key.closest("section").querySelector("h2").textContent} ${key.dataset.series}`;
const applySeries = () => {
  for (const key of main.querySelectorAll(".key")) {
    const isHidden = hidden.has(seriesKey(key));
    key.setAttribute("role", "button");
    key.setAttribute("tabindex", "0");
    key.setAttribute("aria-pressed", String(!isHidden));
    const shapes = key.closest("figure").querySelectorAll(
      `.chart .${key.dataset.series}, .chart .${key.dataset.series}-name`);
    for (const shape of shapes) shape.classList.toggle("off", isHidden);
  }
};
const toggle = (event) => {
  const key = event.target instanceof Element ? event.target.closest(".key") : null;
  if (!key || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  const name = seriesKey(key);
  if (!hidden.delete(name)) hidden.add(name);
  applySeries();
};
main.addEventListener("click", toggle);
main.addEventListener("keydown", toggle);

// Filter

const tools = make("p", {class: "tools"});
const filter = make("input", {type: "search", placeholder: "Filter rows and violations",
  "aria-label": "Filter rows and violations"});
const reset = make("button", {type: "button", hidden: ""}, "Reset zoom");
tools.append(filter, reset);
main.before(tools);
const applyFilter = () => {
  const text = filter.value.trim().toLowerCase();
  for (const row of main.querySelectorAll("tbody tr, .evidence")) {
    row.classList.toggle("off", text !== "" && !row.textContent.toLowerCase().includes(text));
  }
};
filter.addEventListener("input", applyFilter);
reset.addEventListener("click", () => {
  zoom = null;
  applyZoom();
});

// Updates during a load test

const apply = () => {
  applyZoom();
  applySeries();
  applyFilter();
};
// On a narrow screen, charts scroll to the newest values unless the reader has scrolled them.
const plots = (element) => [...element.querySelectorAll(".plot")];
const scrolled = (plot) => Math.abs(plot.scrollLeft - Number(plot.dataset.offset)) > 1
  ? plot.scrollLeft : null;
const newest = (root) => {
  const row = [...root.querySelectorAll("#values tbody tr")].at(-1);
  return row ? Number(row.dataset.to) : 0;
};
const scroll = (element, time, kept) => plots(element).forEach((plot, index) => {
  const chart = plot.querySelector("svg.time");
  const end = chart ? position(chart, time) / WIDTH * plot.scrollWidth : 0;
  plot.scrollLeft = kept[index] ?? end + 16 - plot.clientWidth;
  plot.dataset.offset = kept[index] == null ? plot.scrollLeft : -9;
});
const update = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  const time = newest(template.content);
  const next = [...template.content.children];
  next.forEach((element, index) => {
    const text = element.outerHTML;
    if (sections[index] === text) return;
    sections[index] = text;
    const old = main.children[index];
    if (old && old.id === element.id && old.open) element.open = true;
    const kept = old ? plots(old).map(scrolled) : [];
    if (old) old.replaceWith(element); else main.append(element);
    scroll(element, time, kept);
  });
  while (main.children.length > next.length) main.lastElementChild.remove();
  sections.length = next.length;
  apply();
};
const connection = document.querySelector("#connection");
const listen = () => {
  scroll(main, newest(main), []);
  const source = new EventSource("events" + location.search);
  source.addEventListener("page", (event) => {
    connection.textContent = "";
    update(event.data);
  });
  source.addEventListener("end", (event) => {
    source.close();
    update(event.data);
    connection.textContent = "The load test has ended.";
  });
  source.onerror = () => {
    connection.textContent = "No connection to the load generator.";
  };
  main.addEventListener("submit", (event) => {
    event.preventDefault();
    fetch(event.submitter.formAction, {method: "POST"}).catch(source.onerror);
  });
};

apply();
if (connection) listen();
})();
