"""A wheel, built, installed into an empty environment, and used there. Takes minutes."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 100 << 20
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


class WheelTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym wheel ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Nothing of the tree may help.
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith(("SCHEDULEGYM_", "PYTHON", "LD_"))}

    def run_in(self, *words):
        result = subprocess.run(list(map(str, words)), capture_output=True, text=True,
                                cwd=self.folder, env=self.environment)
        self.assertEqual(result.returncode, 0, result.stdout[-4000:] + result.stderr[-4000:])
        return result.stdout

    def test_a_wheel_is_all_that_is_needed(self):
        self.run_in(sys.executable, "-m", "pip", "wheel", "--no-deps",
                    "--disable-pip-version-check", "-w", self.folder, ROOT)
        wheel, = self.folder.glob("*.whl")
        self.assertLess(wheel.stat().st_size, MOST_BYTES)
        names = zipfile.ZipFile(wheel).namelist()
        for name in ("schedulegym", "schedulegym-worker", "py.typed", "_schedulegym.pyi"):
            self.assertIn(f"schedulegym/{name}", names)
        self.assertFalse([name for name in names if "LLVM" in name])
        self.run_in(sys.executable, "-m", "venv", self.folder / "empty")
        bin = self.folder / "empty/bin"
        self.run_in(bin / "python", "-m", "pip", "install", "--disable-pip-version-check", wheel)
        self.assertIn(str(self.folder), self.run_in(bin / "python", "-c", USE))
        self.assertIn("ansor", self.run_in(bin / "schedulegym", "list", "agents"))
        self.check_libraries()

    def check_libraries(self):
        """What comes along is found beside what needs it."""
        package, = self.folder.glob("empty/lib/python*/site-packages/schedulegym")
        for file in (*package.glob("*.so"), package / "schedulegym", package / "schedulegym-worker"):
            text = self.run_in("ldd", file)
            self.assertNotIn("not found", text)
            for library in ("libxgboost", "libgomp", "libsqlite3", "libseccomp"):
                for line in text.splitlines():
                    if line.strip().startswith(library):
                        self.assertIn(str(package / "lib"), line)


if __name__ == "__main__":
    unittest.main()
