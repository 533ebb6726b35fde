"""The compiler cache gives what is compiled from what is there now."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from limited_case import LimitedTest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake/cached.sh"
COMPILER = shutil.which("g++")
CACHE = shutil.which("ccache")


@unittest.skipUnless(COMPILER and CACHE, "no g++ or no ccache")
class PrecompiledHeaderTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "CCACHE_DIR": str(self.folder / "cache"),
                            "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
        (self.folder / "all.hxx").write_text('#include "value.h"\n')
        (self.folder / "all.hxx.cxx").write_text("/* empty, as CMake's */\n")

    def compile(self, *words):
        done = subprocess.run(["sh", str(SCRIPT), CACHE, COMPILER, "-Winvalid-pch", *words],
                              cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def precompile(self, value):
        (self.folder / "value.h").write_text(f"constexpr int kValue = {value};\n")
        self.compile("-x", "c++-header", "-include", "all.hxx", "-o", "all.hxx.gch",
                     "-c", "all.hxx.cxx")

    def test_headers_that_changed_are_compiled_anew(self):
        """Beside the same older one, as in two build folders."""
        for changed in (2000, 3000):
            (self.folder / "all.hxx.gch").unlink(missing_ok=True)
            self.precompile(1000)
            self.precompile(changed)
        (self.folder / "use.cc").write_text("static_assert(kValue == 3000);\n")
        self.compile("-include", "all.hxx", "-o", "use.o", "-c", "use.cc")


if __name__ == "__main__":
    unittest.main(verbosity=2)
