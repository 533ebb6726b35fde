"""The manual as a site: links, the search for the field's words, narrow screens, one PDF."""
import contextlib
import functools
import html
import http.server
import importlib
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from unittest import mock

from harness import ROOT, PackageTest, schedulegym as sg

sys.path.insert(0, str(ROOT / "experiments/docs"))

# Words that a newcomer searches for, each with the beginnings of pages that answer.
WORDS = {
    "cost model": ("reference/terms", "design/agents"), "vectorize": ("reference/terms", "reference/primitives"),
    "action mask": ("reference/terms", "guide/train"), "autoreset": ("reference/terms", "guide/train"),
    "checkpoint": ("reference/terms", "design/harl"), "baseline": ("reference/terms", "guide/compare"),
    "plugin": ("guide/agent-cpp", "reference/terms"), "ONNX": ("reference/terms", "guide/troubleshoot"),
    "quantise": ("reference/terms",), "quantization": ("reference/terms",),
    "regret": ("reference/terms", "guide/compare"), "ablation": ("guide/compare", "reference/terms"),
    "warm-up": ("reference/terms",), "budget": ("reference/terms",), "worker": ("reference/terms", "design/measuring"),
    "confidence interval": ("guide/trust", "reference/terms"), "exit code": ("reference/records",),
    "GPU": ("reference/terms", "guide/troubleshoot"), "PyTorch": ("guide/use-a-kernel",),
    "leaderboard": ("guide/run-a-board", "reference/leaderboard"), "learning rate": ("reference/terms",),
    "reward": ("reference/rewards", "reference/terms"), "attention": ("reference/workloads", "guide/first-kernel"),
    "search space": ("reference/spaces", "reference/terms"), "transfer learning": ("reference/terms",),
    "dynamic shapes": ("reference/terms",), "hyperparameters": ("reference/terms",),
}
FIRST = 3
CLASS_PAGES = ("annotated", "classschedulegym_1_1Agent", "classschedulegym_1_1FreshSchedules",
               "structschedulegym_1_1AgentSetup")

# Shows each page in a frame and lists what cannot be seen whole, nor scrolled to.
FITS = """
const frame = document.createElement("iframe"), found = [];
frame.style = "width:WIDTHpx;height:900px;border:0";
document.body.append(frame);
const scrolls = element => element && (
  ["auto", "scroll"].includes(frame.contentWindow.getComputedStyle(element).overflowX)
  || scrolls(element.parentElement));
(async () => {
  for (const page of PAGES) {
    await new Promise(done => { frame.onload = done; frame.src = page; });
    await new Promise(done => setTimeout(done, 150));
    const shown = frame.contentWindow, root = shown.document.documentElement;
    if (root.scrollWidth > shown.innerWidth) found.push(`${page}: ${root.scrollWidth} wide`);
    for (const one of root.querySelectorAll("article :is(table, td, pre, code, img, svg, p, li)")) {
      const box = one.getBoundingClientRect(), text = one.textContent.slice(0, 40);
      const cut = one.matches("td, pre") && one.scrollWidth > one.clientWidth + 1 && !scrolls(one);
      if (cut || (box.right > shown.innerWidth + 1 && !scrolls(one))) found.push(`${page}: ${text}`);
    }
  }
  const place = document.createElement("pre");
  place.id = "found";
  place.textContent = JSON.stringify(found);
  document.body.append(place);
})();
"""


def chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def pages_that_do_not_fit(site, pages, width):
    """What FITS finds; the pages are served, because those of files may not look into each other."""
    script = FITS.replace("PAGES", json.dumps(pages)).replace("WIDTH", str(width))
    (site / "fits.html").write_text(f"<html><body><script>{script}</script></body></html>")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        told = subprocess.run(
            [chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--virtual-time-budget=600000", f"--user-data-dir={profile}",
             f"http://127.0.0.1:{server.server_address[1]}/fits.html"],
            capture_output=True, text=True, timeout=500, check=True).stdout
        server.shutdown()
    (site / "fits.html").unlink()
    return json.loads(html.unescape(re.search('<pre id="found">(.*?)</pre>', told, re.DOTALL)[1]))


def missing():
    names = ("mkdocs", "material", "lunr", "gymnasium")
    return [name for name in names if importlib.util.find_spec(name) is None]


@unittest.skipIf(importlib.util.find_spec("gymnasium") is None, "needs gymnasium")
class EnvironmentPagesTest(PackageTest):
    """The pages of the environments, without the site."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        import environments
        cls.pages = {title: text for title, _, text in environments.pages_of()}

    def rows(self, name):
        """The arguments of a page, each with its default."""
        part = self.pages[name].partition("## Arguments")[2].partition("\n## ")[0]
        return dict(re.findall(r"^\| `(\w+)` \| [^|]* \| `?([^|`]*)", part, re.MULTILINE))

    def example(self, name):
        return re.search(r"```python\n(.*?)```", self.pages[name], re.DOTALL)[1]

    def said(self, text):
        """What Gymnasium warns of when a program runs."""
        with warnings.catch_warnings(record=True) as found, contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("always")
            exec(text, {})
        return [str(one.message) for one in found if "out of date" in str(one.message)]

    def test_no_example_is_out_of_date(self):
        self.assertEqual(set(self.pages), set(sg.environments()))
        for name, facts in sg.environments().items():
            text = self.example(name)
            if facts["source"] == "measured":  # it is made alone: nothing is timed here
                text = text.partition("observation, info")[0]
            with self.subTest(name):
                self.assertEqual(self.said(text), [])
        old = self.example("ModifyModel").replace("-v1", "-v0")
        self.assertEqual(len(self.said(old)), 1)

    def test_spaces_are_those_of_the_newest_version(self):
        import gymnasium
        page, table = self.pages["ModifyModel"].split("### Version 0\n")
        for version, text in ((1, page), (0, table)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                env = gymnasium.make(f"ScheduleGym/ModifyModel-v{version}")
            self.assertIn(f"`{env.action_space}` |", text)
        self.assertNotIn(f"`{env.action_space}`", page)
        self.assertIn("| `space` | `schedulegym` | `ansor` |", table)
        self.assertIn("| `model` | `pretrained` | `analytical` |", table)

    def test_arguments_are_those_that_an_id_takes(self):
        import gymnasium
        for name, facts in sg.environments().items():
            if facts["actions"] == "network":
                continue
            for key in ("model", "protocol", "space", "start", "store"):
                given = "no-such-name" if key != "store" else os.path.join(tempfile.gettempdir(), "schedulegym-never-written.db")
                try:
                    gymnasium.make(f"ScheduleGym/{name}-v{1 if facts['version_1'] else 0}", **{key: given})
                    refused = False
                except sg.InputError:
                    refused = True
                with self.subTest(name=name, key=key):
                    self.assertEqual(key in self.rows(name), refused == (key != "store"))

    def test_arguments_have_the_defaults_of_the_id(self):
        for name, key, value in (("Construct", "observation", "loops"), ("ModifyModel", "observation", "knobs"),
                                 ("ModifyModel", "space", "schedulegym"), ("Network", "batch", "1"),
                                 ("File", "table", "matmul_t4")):
            self.assertEqual(self.rows(name)[key], value)

    def test_what_only_some_ids_have(self):
        for name, facts in sg.environments().items():
            models = facts["source"] == "model" and facts["actions"] != "network"
            self.assertEqual("| `doubt` |" in self.pages[name], models, name)
            self.assertNotIn("| source |", self.pages[name])
        self.assertNotIn("next sketch", self.pages["File"])
        self.assertIn("next sketch", self.pages["ModifyModel"])


@unittest.skipIf(missing(), f"needs the extra 'docs': {', '.join(missing())}")
class SiteTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="schedulegym site ")
        cls.addClassCleanup(folder.cleanup)
        cls.site = pathlib.Path(folder.name)
        cls.result = subprocess.run(
            [sys.executable, ROOT / "experiments/docs/build_site.py", "--build", cls.site,
             *(["--pdf", cls.site / "book.pdf"] if chromium() else [])],
            capture_output=True, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})

    def pages(self):
        """Those of the theme; what Doxygen writes has its own."""
        names = [path.relative_to(self.site).as_posix() for path in sorted(self.site.rglob("*.html"))]
        return [name for name in names if not name.startswith("reference/cpp/")]

    def page(self, name):
        return (self.site / name).read_text(encoding="utf-8")

    def test_it_builds_strictly(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertRegex(self.result.stderr, r"docs: built \d+ pages in \d+ s")

    def test_every_kind_of_page_is_there(self):
        for name in ("index", "guide/install", "results/benchmarks", "design/measuring",
                     "tutorials/tune_and_use", "reference/commands", "reference/agents",
                     "reference/python", "reference/cpp", "reference/environments/ModifyModel",
                     "reference/environments/NetworkTable"):
            self.assertTrue((self.site / f"{name}.html").is_file(), name)

    def test_the_pages_that_only_the_site_has(self):
        """Links of pages may lead to these, and to no others that the tree lacks."""
        import stage
        made = {path.relative_to(self.site).with_suffix(".md").as_posix()
                for path in self.site.glob("reference/**/*.html")}
        made = {name for name in made if not name.startswith("reference/cpp/") and not (ROOT / "docs" / name).exists()}
        self.assertEqual(made, stage.generated_names(ROOT))
        guide = self.page("guide/agent-cpp.html")
        self.assertIn('href="../reference/cpp.html"', guide)

    @unittest.skipUnless(shutil.which("doxygen"), "Doxygen is not installed")
    def test_a_page_of_a_class(self):
        text = html.unescape(re.sub(r"<[^>]+>", "", self.page("reference/cpp/classschedulegym_1_1Agent.html")))
        said = "schedules worth measuring"  # the comment of Propose
        self.assertIn(said, (ROOT / "agents/agent.h").read_text())
        for words in (said, "Propose", "Learn", "memory", "agents/agent.h"):
            self.assertIn(words, text)
        self.assertIn(">Agent</", self.page("reference/cpp/annotated.html"))

    def test_the_launcher_and_the_modules_have_a_page(self):
        text = html.unescape(re.sub(r"<[^>]+>", "", self.page("reference/launcher.html")))
        own = re.findall(r"^  (\w+)\)$", (ROOT / "sg").read_text(), re.MULTILINE)
        self.assertLessEqual({"setup", "docs", "test", "python"}, set(own))
        for words in (*(f"./sg {name}" for name in (*own, "build", "bench gpu")), "nightly", "sanitized all",
                      "--build FOLDER", "--pdf FILE", "--port N", "--cards", "--peers", "parquet", "likely",
                      "some", "--rows", "python -m schedulegym.studies study", "--check"):
            self.assertIn(words, text)

    def test_an_environment_has_the_sections_of_gymnasium(self):
        for name in ("ConstructTable", "ModifyModel", "Network", "File"):
            text = self.page(f"reference/environments/{name}.html")
            for section in ("Action Space", "Observation Space", "Rewards", "Starting State",
                            "Episode End", "Arguments", "Example", "Version History"):
                self.assertRegex(text, rf"<h2[^>]*>{section}", name)

    def test_nothing_is_fetched_when_a_page_is_read(self):
        for path in self.site.rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            fetched = re.findall(r"<(?:script|img)[^>]* src=\"?https?:[^>]*>"
                                 r"|<link[^>]* rel=\"?stylesheet\"?[^>]* href=\"?https?:[^>]*>", text)
            self.assertEqual(fetched, [], path.name)

    def test_the_search_finds_the_words_of_the_field(self):
        from lunr import lunr
        documents = [{"location": one["location"], "title": one["title"],
                      "text": re.sub(r"<[^>]+>", " ", one["text"])}
                     for one in json.loads(self.page("search/search_index.json"))["docs"]]
        # As the theme's search weighs them.
        index = lunr(ref="location", documents=documents,
                     fields=[{"field_name": "title", "boost": 1000}, "text"])
        self.assertGreaterEqual(len(WORDS), 20)
        for words, answers in WORDS.items():
            asked = " ".join(f"+{word}" for word in re.split(r"[ -]", words))
            pages = list(dict.fromkeys(found["ref"].partition("#")[0] for found in index.search(asked)))
            with self.subTest(words):
                self.assertTrue(any(page.startswith(answers) for page in pages[:FIRST]), pages[:FIRST])

    @unittest.skipUnless(chromium(), "Chromium is not installed")
    def test_narrow_and_wide_screens_show_all(self):
        self.assertGreater(len(self.pages()), 100)
        classes = [name for name in (f"reference/cpp/{page}.html" for page in CLASS_PAGES)
                   if (self.site / name).exists()]  # some: all are made alike
        for width in (500, 1280):
            self.assertEqual(pages_that_do_not_fit(self.site, self.pages() + classes, width), [], width)

    @unittest.skipUnless(chromium(), "Chromium is not installed")
    def test_what_does_not_fit_is_found(self):
        wide = self.site / "wide.html"
        self.addCleanup(wide.unlink)
        wide.write_text(self.page("guide/install.html").replace("../", "").replace(
            "</article>", "<p style='width:900px'>too wide</p></article>"))
        self.assertEqual(pages_that_do_not_fit(self.site, ["wide.html"], 500)[1:],
                         ["wide.html: too wide"])

    @unittest.skipUnless(chromium(), "Chromium is not installed")
    def test_all_pages_as_one_pdf(self):
        self.assertIn("docs: printed", self.result.stderr)
        book = (self.site / "book.pdf").read_bytes()
        self.assertTrue(book.startswith(b"%PDF-"))
        # Each page of the site begins a page of the book.
        self.assertGreater(len(re.findall(rb"/Type\s*/Page\b", book)), len(self.pages()) - 1)
        self.assertEqual(list(self.site.glob("tmp*")), [])


class PlacesTest(PackageTest):
    """Where a PDF is written; a stand-in prints it."""

    def setUp(self):
        super().setUp()
        made = tempfile.TemporaryDirectory(prefix="schedulegym book ")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        (self.folder / "bin").mkdir()
        browser = self.folder / "bin/chromium"
        browser.write_text('#!/bin/sh\nfor word; do case $word in --print-to-pdf=*) '
                           'printf %s "%PDF-" > "${word#*=}";; esac; done\n')
        browser.chmod(0o755)

    def print_book(self, place):
        with mock.patch.dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}"), \
                mock.patch.object(sys, "path", [str(ROOT / "experiments/docs"), *sys.path]):
            importlib.import_module("book").print_book(self.folder, [], place)

    def test_a_link_is_followed(self):
        (self.folder / "link.pdf").symlink_to("target.pdf")
        self.print_book(self.folder / "link.pdf")
        self.assertTrue((self.folder / "link.pdf").is_symlink())
        self.assertEqual((self.folder / "target.pdf").read_bytes(), b"%PDF-")

    def test_a_device_stays_one(self):
        device = self.folder / "null.pdf"
        try:
            os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        except PermissionError:
            self.skipTest("only root makes devices")
        self.print_book(device)
        self.assertTrue(stat.S_ISCHR(os.lstat(device).st_mode))

    @unittest.skipIf(missing(), f"needs the extra 'docs': {', '.join(missing())}")
    def test_wrong_places_are_told_before_any_work(self):
        for place, reason in (("", "found an empty name"), (self.folder, "Is a directory")):
            result = subprocess.run([sys.executable, ROOT / "experiments/docs/build_site.py", "--build",
                                     self.folder / "site", "--pdf", place], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(reason, result.stderr.splitlines()[-1])
            self.assertFalse((self.folder / "site").exists())


if __name__ == "__main__":
    unittest.main()
