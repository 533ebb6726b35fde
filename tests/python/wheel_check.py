"""A wheel, built, installed into an empty environment, and used there. Takes minutes."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 100 << 20
# Where each library's licence is, and those of what is linked in.
LICENSES = {"libdmlc": "libdmlc0", "libfmt": "libfmt-dev", "libgomp": "libgomp1", "libseccomp": "libseccomp-dev",
            "libspdlog": "libspdlog-dev", "libsqlite3": "libsqlite3-dev",
            "libxgboost": "libxgboost-dev", "libz": "zlib1g-dev", "libzstd": "libzstd-dev"}
LINKED_IN = ("libasio-dev", "libcli11-dev", "libeigen3-dev", "llvm-19-dev", "nlohmann-json3-dev", "pybind11",
             "LGPL-2.1", "Apache-2.0")
USE = """
import numpy as np, schedulegym
workload, target = "matmul(m=16,n=16,k=16)", "llvm(cores=1)"
result = schedulegym.tune(workload, target=target, trials=4, agent="ansor")
assert result.ok > 0, result
kernel = schedulegym.compile(workload, target=target)
a = np.ones((16, 16), np.float32)
assert (kernel(a, a) == 16).all()
print("used", schedulegym.__file__)
"""
# What is built against the wheel is opened by its own host; what learns by LibTorch it does without.
PLUGIN = """
import sys, schedulegym
workload = "matmul(m=16,n=16,k=16)"
result = schedulegym.tune(workload, measure="analytical", trials=8, agent="climber",
                          plugins=[sys.argv[1]])
assert result.ok == 8, result
"""


@pytest.mark.timeout(2400)  # without a cache all is compiled
class WheelTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym wheel ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Nothing of the tree may help.
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith(("SCHEDULEGYM_", "PYTHON", "LD_"))}
        # The compilers by the names that the usual build calls them by, as its cache knows them.
        self.environment.setdefault("CC", "cc")
        self.environment.setdefault("CXX", "c++")

    def run_in(self, *words):
        result = subprocess.run(list(map(str, words)), capture_output=True, text=True,
                                cwd=self.folder, env=self.environment)
        self.assertEqual(result.returncode, 0, result.stdout[-4000:] + result.stderr[-4000:])
        return result.stdout

    def test_a_wheel_is_all_that_is_needed(self):
        # In an environment of its own each include has another path, which no cache knows.
        alone = [] if importlib.util.find_spec("scikit_build_core") is None else ["--no-build-isolation"]
        self.run_in(sys.executable, "-m", "pip", "wheel", "--no-deps", *alone,
                    "--disable-pip-version-check", "-w", self.folder, ROOT)
        wheel, = self.folder.glob("*.whl")
        self.assertLess(wheel.stat().st_size, MOST_BYTES)
        names = zipfile.ZipFile(wheel).namelist()
        for name in ("schedulegym", "schedulegym-worker", "schedulegym-agent", "py.typed",
                     "_schedulegym.pyi", "lib/libschedulegym.so.1"):
            self.assertIn(f"schedulegym/{name}", names)
        libraries = [name for name in names if ".so" in name]
        self.assertFalse([name for name in libraries if "LLVM" in name or "torch" in name])
        self.check_licenses(names)
        self.run_in(sys.executable, "-m", "venv", self.folder / "empty")
        bin = self.folder / "empty/bin"
        self.run_in(bin / "python", "-m", "pip", "install", "--disable-pip-version-check", wheel)
        self.assertIn(str(self.folder), self.run_in(bin / "python", "-c", USE))
        self.assertIn("ansor", self.run_in(bin / "schedulegym", "list", "agents"))
        self.check_libraries()
        self.check_plugins()

    def check_plugins(self):
        package, = self.folder.glob("empty/lib/python*/site-packages/schedulegym")
        self.run_in("cmake", "-S", ROOT / "experiments/plugins/climber", "-B", self.folder / "built",
                    f"-DCMAKE_PREFIX_PATH={package}")
        self.run_in("cmake", "--build", self.folder / "built")
        plugin, bin = self.folder / "built/climber.so", self.folder / "empty/bin"
        self.run_in(bin / "python", "-c", PLUGIN, plugin)
        self.assertIn("climber: ok", self.run_in(bin / "schedulegym", "conformance", "--plugin", plugin))
        learned = subprocess.run([bin / "schedulegym", "tune", "matmul(m=8,n=8,k=8)", "--agent", "harl"],
                                 capture_output=True, text=True, cwd=self.folder, env=self.environment)
        self.assertEqual(learned.returncode, 3, learned.stderr)
        self.assertRegex(learned.stderr, r"\Aerror: agent harl: .*libtorch-dev.*\n\Z")

    def check_licenses(self, names):
        """Of everything that comes along, linked in or beside it."""
        carried = {name.split("/")[2].split(".")[0] for name in names
                   if name.startswith("schedulegym/lib/lib")} - {"libschedulegym"}
        self.assertLessEqual(carried, set(LICENSES))
        for package in (*(LICENSES[library] for library in carried), *LINKED_IN):
            self.assertIn(f"schedulegym/licenses/{package}", names)

    def check_libraries(self):
        """What comes along is found beside what needs it."""
        package, = self.folder.glob("empty/lib/python*/site-packages/schedulegym")
        programs = [package / name for name in ("schedulegym", "schedulegym-worker", "schedulegym-agent")]
        for file in (*package.glob("*.so"), *programs):
            text = self.run_in("ldd", file)
            self.assertNotIn("not found", text)
            for library in ("libxgboost", "libgomp", "libsqlite3", "libseccomp", "libschedulegym"):
                for line in text.splitlines():
                    if line.strip().startswith(library):
                        self.assertIn(str(package / "lib"), line)


if __name__ == "__main__":
    unittest.main()
