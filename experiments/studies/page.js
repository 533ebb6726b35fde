// Draws the figures one after another, so that text is there at once. The page tells how many it
// drew, and what went wrong, in attributes of its root.
"use strict";
const root = document.documentElement;
const figures = JSON.parse(document.getElementById("figures").textContent);
window.addEventListener("error", event => { root.dataset.fault = event.message; });
window.addEventListener("unhandledrejection", event => { root.dataset.fault = event.reason; });

const narrow = window.innerWidth < 600;

function fitted(layout) {
  return narrow ? {...layout, font: {...layout.font, size: 10},
                   margin: {...layout.margin, l: 44, r: 8}} : layout;
}

async function drawAll() {
  let drawn = 0;
  for (const figure of figures) {
    const place = document.getElementById(figure.name);
    if (narrow) for (const trace of figure.data) trace.showscale = false;
    await Plotly.newPlot(place, figure.data, fitted(figure.layout),
                         {responsive: true, displaylogo: false, displayModeBar: narrow ? false : "hover",
                          modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"]});
    root.dataset.drawn = ++drawn;
    await new Promise(done => setTimeout(done));
  }
}

function resizeAll() {
  for (const place of document.querySelectorAll(".js-plotly-plot")) Plotly.Plots.resize(place);
}

window.addEventListener("beforeprint", resizeAll);
window.addEventListener("afterprint", resizeAll);
drawAll();
