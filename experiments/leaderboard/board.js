// Sorts tables by the column whose head is clicked, shows the cases of one family, and opens what a
// link leads to.
"use strict";
function valueOf(row, column) {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text);
  return text === "-" ? null : Number.isNaN(number) ? text : number;
}

function compare(a, b) {  // what is unknown comes last
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b));
}

for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
    const downwards = head.dataset.order !== "down";
    table.querySelectorAll("th").forEach(other => delete other.dataset.order);
    head.dataset.order = downwards ? "down" : "up";
    const rows = [...table.tBodies[0].rows];
    const known = rows.filter(row => valueOf(row, column) !== null);
    const unknown = rows.filter(row => valueOf(row, column) === null);
    known.sort((a, b) => (downwards ? -1 : 1) * compare(valueOf(a, column), valueOf(b, column)));
    table.tBodies[0].append(...known, ...unknown);
  }));
}

document.getElementById("family").addEventListener("change", event => {
  for (const row of document.querySelectorAll("tr[data-family]"))
    row.hidden = row.dataset.family !== "" && event.target.value !== "" &&
                 row.dataset.family !== event.target.value;
});

function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") target.open = true;
}

window.addEventListener("hashchange", openTarget);
openTarget();
