"""Without the packages of the extra `studies`: one line that names it, exit code 3."""
import contextlib
import errno
import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

try:
    import schedulegym.studies.command  # noqa: F401  # there must be something to take away
    from schedulegym.studies.__main__ import main
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

# A module that is None there cannot be imported.
SCRIPT = """import sys
sys.modules[sys.argv[1]] = None
from schedulegym.studies.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


class ExtraTest(unittest.TestCase):
    def test_a_missing_package_names_the_extra(self):
        for package, words in (("statsmodels", ["study", "mine.toml", "-o", "out"]),
                               ("plotly", ["report", "out", "-o", "a.html"])):
            with self.subTest(package), tempfile.TemporaryDirectory() as place:
                result = subprocess.run([sys.executable, "-c", SCRIPT, package, *words], cwd=place,
                                        capture_output=True, text=True, timeout=120)
                self.assertEqual(result.returncode, 3, result.stderr)
                line, = result.stderr.splitlines()
                self.assertIn(f"missing Python package {package}", line)
                self.assertIn("./sg setup studies, or pip install scipy statsmodels plotly", line)

    def test_a_fault_of_the_system_without_a_file_has_its_type_and_text(self):
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for fault, said in ((full, "OSError: No space left on device"),
                            (FileNotFoundError(2, "No usable temporary directory found"),
                             "FileNotFoundError: No usable temporary directory found"),
                            (OSError("short"), "OSError: short"), (OSError(), "OSError"),
                            (PermissionError(13, "Permission denied", "a.toml"), "a.toml: Permission denied")):
            with self.subTest(said), mock.patch("schedulegym.studies.command.run_command", side_effect=fault), \
                    contextlib.redirect_stderr(io.StringIO()) as told:
                self.assertEqual(main(["study", "mine.toml", "-o", "out"]), 2)
                self.assertEqual(told.getvalue(), f"error: {said}\n")

    def test_any_other_missing_package_is_a_fault_of_ours(self):
        result = subprocess.run([sys.executable, "-c", SCRIPT, "schedulegym.studies.page", "study"],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 1)
        self.assertIn("ModuleNotFoundError", result.stderr)


if __name__ == "__main__":
    unittest.main()
