"""What tests ask of each script that runs a peer in an environment of its own."""
import os
import subprocess
import sys

from harness import ProgramTest


class PeerScriptTest(ProgramTest):
    """SCRIPT is its file, OPTIONS are those that its help names. This class is no test of its own."""

    __test__ = False
    SCRIPT = None
    OPTIONS = ()

    def call(self, *words, **environment):
        return subprocess.run([sys.executable, self.SCRIPT, *map(str, words)], capture_output=True,
                              text=True, env={**os.environ, **environment})

    def refusal(self, code, *words, **environment):
        result = self.call(*words, **environment)
        self.assertEqual(result.returncode, code, result.stderr)
        line = result.stderr.splitlines()[-1]
        self.assertTrue(line.startswith("error: "), result.stderr)
        return line

    def check_help(self):
        result = self.call("--help", "--environment", self.folder / "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        for option in self.OPTIONS:
            self.assertIn(option, result.stdout)
        self.assertFalse((self.folder / "none").exists())
