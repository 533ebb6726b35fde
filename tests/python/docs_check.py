"""Runs the shell and Python blocks of README and the pages, and the notebooks. Takes minutes.

Each page has a folder of its own, in which its blocks run in their order; its Python blocks share
their names, as in a notebook. A comment before a block bounds it or says why it is not run
(doc_pages.py).
"""
import contextlib
import importlib.util
import io
import linecache
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

import doc_pages
from harness import ROOT

BLOCK_SECONDS = 900
# What commands find beside them; what they write goes elsewhere.
LINKED = ("sg", "bindings", "build", "env", "experiments", "tests", "pyproject.toml")


def run_shell(text, folder):
    """What went wrong, or None."""
    result = subprocess.run(["sh", "-eux"], input=text, cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=BLOCK_SECONDS)
    return None if result.returncode == 0 else f"exit code {result.returncode}\n{result.stdout[-4000:]}"


def run_python(text, where, names):
    """What went wrong, or None. Runs in this process and folder."""
    linecache.cache[where] = (len(text), None, text.splitlines(True), where)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, where, "exec"), names)
    except Exception:
        return printed.getvalue()[-2000:] + traceback.format_exc()
    return None


class DocsTest(unittest.TestCase):
    def enter_folder(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="schedulegym docs "))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for name in LINKED:
            (folder / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "docs", folder / "docs")
        before, path = os.getcwd(), list(sys.path)
        self.addCleanup(os.chdir, before)
        self.addCleanup(sys.path.__setitem__, slice(None), path)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        return folder

    def run_block(self, block, folder, names):
        text = block.runnable()
        for part in block.values("saved"):
            (folder / part["file"]).write_text(text)
        begin = time.monotonic()
        fault = (run_shell(text, folder) if block.language == "sh"
                 else run_python(text, block.where, names))
        print(f"{block.where}: {block.language}, {time.monotonic() - begin:.1f} s", flush=True)
        if fault:
            self.fail(f"{block.where}: {fault}")

    def run_page(self, page):
        self.run_blocks(doc_pages.blocks(page, doc_pages.read(page)))

    def run_blocks(self, blocks):
        folder, names, missing = self.enter_folder(), {"__name__": "__main__"}, []
        for block in blocks:
            if not block.is_run:
                continue
            lacks = [part["module"] for part in block.values("needs")
                     if importlib.util.find_spec(part["module"]) is None]
            if lacks:
                missing.append(f"{block.where} needs {', '.join(lacks)}")
                continue
            with self.subTest(block.where):
                self.run_block(block, folder, names)
        if missing:
            self.skipTest("the rest ran; " + "; ".join(missing))


def add_pages():
    """A test for each page and each notebook."""
    for page in doc_pages.pages():
        name = "test_" + page.removesuffix(".md").lower().replace("/", "_").replace("-", "_")
        setattr(DocsTest, name, lambda self, page=page: self.run_page(page))
    for page in doc_pages.notebooks():
        name = "test_notebook_" + pathlib.Path(page).stem
        setattr(DocsTest, name, lambda self, page=page: self.run_blocks(doc_pages.cells(page)))


add_pages()

if __name__ == "__main__":
    unittest.main()
