"""The page of a study: it stands alone, and a browser draws every plot of it without an error."""
import base64
import concurrent.futures
import html
import lzma
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from unittest import mock

try:
    from plotly import offline

    from schedulegym.studies import packed_plotly, page, pictures, study_file
    from schedulegym.studies.outcome import Timing
    from schedulegym.studies.study import runs_of
    from schedulegym.studies.summary import Summary
    from studies_synthetic import outcome_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

VALUES = {"name": "A <b>bold</b> claim", "measure": "analytical", "seeds": 3, "trials": 40,
          "cases": ["matmul(m=512,n=512,k=512)", "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)"],
          "arms": {"plain": "random", "good": "random(retries=5)", "random": "random"}}
FACTORS = {"agent": ["random", "droplet"], "space": ["ansor", "schedulegym"]}
COLOPHON = page.Colophon("schedulegym study claim.toml -o claim", {"machine": "two cores"},
                         {"good": [Timing(3.0, {"propose": 1.0, "measure": 2.0})]})


def summary_of(made=lambda run: True, **changes):
    values = {key: value for key, value in {**VALUES, **changes}.items() if value is not None}
    study = study_file.study_of(values, "test", None)
    return Summary(study, {run.place: outcome_of(run) for run in runs_of(study) if made(run)}, 100)


def text_of(summary):
    return page.page_of(summary, summary.told(), COLOPHON)


def browse(text, *words):
    """What Chromium makes of a page, and the lines it logs."""
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place, "page.html")
        file.write_text(text)
        result = subprocess.run(
            [pictures.find_chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--virtual-time-budget=30000", "--enable-logging=stderr", *words,
             f"--user-data-dir={place}/profile", file.as_uri()],
            capture_output=True, text=True, timeout=180)
    return result.stdout, [line for line in result.stderr.splitlines() if "CONSOLE" in line]


REACH = """<script>
  document.querySelectorAll('details').forEach(one => one.open = true);
  const scrolls = one => one && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  addEventListener('load', () => setTimeout(() => {  // figures are drawn
    const seen = [...document.querySelectorAll('table, svg')].filter(one => !scrolls(one.parentElement));
    parent.document.documentElement.dataset['at' + innerWidth] = Math.max(
        document.documentElement.scrollWidth, ...seen.map(one => Math.ceil(one.getBoundingClientRect().right)));
  }, 5000));
</script></body>"""
WIDTHS = (360, 420, 900)


def reaches(text):
    """How far a page, and each table and picture that nothing lets scroll, reaches at each of WIDTHS, and the lines that
    the browser logs. In frames, for a browser's window is 500 wide at least."""
    inner = html.escape(text.replace("</body>", REACH))
    dom, log = browse("<!DOCTYPE html><body>" + "".join(
        f'<iframe style="width:{width}px;height:900px;border:0" srcdoc="{inner}"></iframe>'
        for width in WIDTHS) + "</body>", "--window-size=1200,900")
    root = dom.partition("<html")[2].partition(">")[0]
    return {width: int(root.partition(f'data-at{width}="')[2].partition('"')[0] or 0) for width in WIDTHS}, log


def assert_it_fits(test, text):
    """That nothing of a page is wider than a window of any of WIDTHS."""
    found, log = reaches(text)
    test.assertEqual(log, [])
    for width, reach in found.items():
        test.assertTrue(0 < reach <= width, found)


def undrawn(names, dom):
    """The plots without a picture between their place and the next one's."""
    body = dom.partition('id="figures"')[0]  # the code that draws follows
    places = {name: body.index(f'id="{name}"') for name in names}
    ends = {name: min((other for other in places.values() if other > place), default=len(body))
            for name, place in places.items()}
    return [name for name, place in places.items() if "main-svg" not in body[place:ends[name]]]


class PageTest(unittest.TestCase):
    def test_it_needs_no_network(self):
        text = text_of(summary_of())
        own = re.sub(r"<script type='text/plain' id=plotly.*?</script>", "", text, flags=re.DOTALL)
        self.assertLess(len(own), 300_000)
        self.assertNotRegex(own, r"(src|href)=.?https?:")
        self.assertLess(len(text.encode()), 1_500_000)

    def test_plotly_is_there_as_it_came(self):
        """A browser unpacks it with unpack.js: those tests that draw see it."""
        packed = re.search(r"<script type='text/plain' id=plotly data-size=(\d+)>([^<]*)</script>",
                           text_of(summary_of()))
        content = base64.b85decode(packed[2].replace(",", "<"))
        filters = [{"id": lzma.FILTER_LZMA1, "preset": 6, "lc": 3, "lp": 0, "pb": 2}]
        script = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(content)
        self.assertEqual(script.decode(), offline.get_plotlyjs())
        self.assertEqual(int(packed[1]), len(script))

    def test_plotly_is_packed_once_for_a_user(self):
        with tempfile.TemporaryDirectory() as place, \
                mock.patch.dict(os.environ, XDG_CACHE_HOME=place), \
                mock.patch.object(packed_plotly, "packed_text", mock.Mock(return_value="abc")) as packing:
            for _ in range(2):
                self.assertEqual(packed_plotly._packed("a script"), "abc")
            self.assertEqual(packing.call_count, 1)
            kept, = pathlib.Path(place, "schedulegym").iterdir()
            kept.write_text("torn")
            self.assertEqual(packed_plotly._packed("a script"), "abc")
            self.assertEqual(packing.call_count, 2)

    def test_tables_that_are_cut_can_be_scrolled_to_the_end(self):
        text = text_of(summary_of())
        self.assertEqual(text.count("<table>"), text.count("<div class=scroll tabindex=0"))

    def test_it_tells_all(self):
        text = text_of(summary_of())
        for word in ("A &lt;b&gt;bold&lt;/b&gt; claim", "2 cases × 3 arms × 3 seeds", "In short",
                     "beats the baseline", "Verdicts", "By trials",
                     "By seconds", "What a target costs", "The gap in three", "Winners",
                     "schedulegym show", "two cores", "schedulegym study claim.toml -o claim",
                     "No speed on this page was measured", "Of so few seeds"):
            self.assertIn(word, text)

    def test_what_nobody_measured_reads_so(self):
        empty = text_of(summary_of(made=lambda run: False))
        self.assertIn("0 of 18 runs are there", empty)
        part = text_of(summary_of(made=lambda run: run.arm.name == "plain"))
        self.assertIn("<td>-</td>", part)

    def test_warnings(self):
        self.assertNotIn("class=warning", text_of(summary_of()))
        self.assertIn("cheating = true", text_of(summary_of(cheating=True)))
        self.assertIn("One seed", text_of(summary_of(seeds=1)))

    def test_few_seeds_are_told_of(self):
        for seeds, told in ((3, True), (19, True), (20, False)):
            with self.subTest(seeds):
                text = text_of(summary_of(seeds=seeds, trials=2))
                self.assertEqual("Of so few seeds" in text, told)

    def test_points_are_thinned_out(self):
        summary = summary_of(trials=1000)
        shown = page.figures_of(summary, summary.told(), COLOPHON)
        self.assertLess(max(len(trace.get("x", [])) for one in shown for trace in one.data), 80)

    def test_arms_of_long_names_have_rows_of_their_own(self):
        switches = {"base": {"agent": "random"},
                    "factors": {f"space.{name}": [True, False]
                                for name in ("rows", "partial_sums", "fuse")}}
        summary = summary_of(arms=None, **switches)
        shown = {one.name: one for one in page.figures_of(summary, summary.told(), COLOPHON)}
        rows = {row for trace in shown["finals"].data for row in trace["y"]}
        self.assertEqual(len(rows), 8)
        self.assertEqual(len(set(shown["cases"].data[0]["x"])), 8)
        curves = [one["name"] for one in shown["anytime-trials"].data if "name" in one]
        self.assertEqual(len(set(curves)), 8)


class UndrawnTest(unittest.TestCase):
    def test_the_next_plot_s_picture_does_not_count(self):
        drawn, empty = ('<div id="{}"><svg class="main-svg"></svg></div>', '<div id="{}"></div>')
        code = '<script id="figures">main-svg</script>'
        for name in ("a", "b", "c"):
            dom = "".join((empty if one == name else drawn).format(one) for one in "abc") + code
            self.assertEqual(undrawn(["a", "b", "c"], dom), [name])


@unittest.skipUnless(pictures.find_chromium(), "Chromium is not installed")
class BrowserTest(unittest.TestCase):
    def check(self, summary, dom, log):
        shown = page.figures_of(summary, summary.told(), COLOPHON)
        root = dom.partition(">")[2].partition("<head>")[0]
        self.assertIn(f'data-drawn="{len(shown)}"', root)
        self.assertNotIn("data-fault", root)
        self.assertEqual(log, [])
        self.assertEqual(undrawn([figure.name for figure in shown], dom), [])

    def test_every_plot_is_drawn_without_an_error(self):
        summaries = {"1200,900": summary_of(), "500,900": summary_of(arms=None, factors=FACTORS),
                     "800,600": summary_of(made=lambda run: run.arm.name == "plain")}
        with concurrent.futures.ThreadPoolExecutor() as pool:  # a browser waits most of the time
            shown = {size: pool.submit(browse, text_of(summary), f"--window-size={size}")
                     for size, summary in summaries.items()}
        for size, summary in summaries.items():
            with self.subTest(size):
                self.check(summary, *shown[size].result())

    def test_nothing_is_wider_than_a_narrow_window(self):
        for summary in (summary_of(), summary_of(arms=None, factors=FACTORS)):
            assert_it_fits(self, text_of(summary))

    def test_what_is_wider_is_found(self):
        wide = "<table><tr><td style='min-width:700px'>wide</td></tr></table>"
        found, _ = reaches(f"<!DOCTYPE html><html><body>{wide}</body></html>")
        self.assertGreaterEqual(min(found[360], found[420]), 700)
        self.assertLessEqual(found[900], 900)
        found, _ = reaches(f"<!DOCTYPE html><html><body><div style='overflow-x:auto'>{wide}</div></body></html>")
        self.assertLessEqual(found[360], 360)

    def test_pictures(self):
        summary = summary_of()
        shown = page.figures_of(summary, summary.told(), COLOPHON)[:2]
        with tempfile.TemporaryDirectory() as place:
            folder, again = pathlib.Path(place, "figures"), pathlib.Path(place, "again")
            with concurrent.futures.ThreadPoolExecutor() as pool:
                drawn = list(pool.map(pictures.draw_pictures, [shown] * 2, [folder, again]))
            self.assertEqual(drawn, [None, None])
            self.assertEqual(len(list(folder.iterdir())), 4)
            for figure in shown:
                self.assertIn("<svg", (folder / f"{figure.name}.svg").read_text())
                self.assertEqual((folder / f"{figure.name}.png").read_bytes()[:4], b"\x89PNG")
            for file in folder.iterdir():
                self.assertEqual(file.read_bytes(), (again / file.name).read_bytes(), file.name)


if __name__ == "__main__":
    unittest.main()
