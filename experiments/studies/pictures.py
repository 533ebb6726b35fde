"""Pictures of a study's figures as SVG and PNG, drawn by Chromium if it is installed."""
from __future__ import annotations

import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from urllib.parse import unquote

from plotly import offline

from schedulegym.studies.figures import Figure
from schedulegym.studies.folder import replace

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_WIDTH = 960
# Plotly draws random names within a picture. The seed makes equal files of equal figures.
_SCRIPT = """
let drawn = 1;
Math.random = () => (drawn = drawn * 16807 % 2147483647) / 2147483647;
(async () => {
  const pictures = {};
  for (const one of figures) {
    const size = {width: WIDTH, height: one.layout.height};
    for (const format of ["svg", "png"]) {
      pictures[one.name + "." + format] = await Plotly.toImage(
        {data: one.data, layout: {...one.layout, ...size}}, {format, scale: 2, ...size});
    }
  }
  const place = document.createElement("pre");
  place.id = "pictures";
  place.textContent = JSON.stringify(pictures);
  document.body.append(place);
})();
"""


def find_chromium() -> str | None:
    """Returns the path of Chromium, or None."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


def draw_pictures(shown: Sequence[Figure], folder: pathlib.Path) -> str | None:
    """Writes an SVG and a PNG of each figure. Returns None, or the reason if this is not possible."""
    chromium = find_chromium()
    if chromium is None:
        return "no pictures as SVG and PNG: Chromium is not installed (./sg setup browser)"
    figures = json.dumps([{"name": one.name, "data": one.data, "layout": one.layout}
                          for one in shown]).replace("</", "<\\/")
    page = (f"<html><body><script>{offline.get_plotlyjs()}</script><script>"
            f"const WIDTH = {_WIDTH}, figures = {figures};{_SCRIPT}</script></body></html>")
    dom = dom_of(chromium, page, "--virtual-time-budget=60000")
    drawn = re.search(r'<pre id="pictures">(.*?)</pre>', dom, re.DOTALL)
    if drawn is None:
        return "no pictures as SVG and PNG: Chromium drew none"
    for name, address in json.loads(_unescaped(drawn[1])).items():
        head, _, body = address.partition(",")
        content = base64.b64decode(body) if head.endswith("base64") else unquote(body).encode()
        replace(folder / name, content)
    return None


def dom_of(chromium: str, page: str, patience: str) -> str:
    """Returns the DOM of a loaded page, "" on failure. `patience`: the option that sets the wait."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        file = pathlib.Path(place, "page.html")
        file.write_text(page)
        words = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                 patience, f"--user-data-dir={place}/profile", file.as_uri()]
        try:
            return subprocess.run(words, capture_output=True, text=True, timeout=120).stdout
        except (OSError, subprocess.TimeoutExpired):
            return ""


def _unescaped(text: str) -> str:
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        text = text.replace(entity, letter)
    return text
