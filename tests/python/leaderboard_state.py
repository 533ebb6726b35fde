"""What tests of boards find where they begin: a state of their own, and stores."""
import os
import tempfile
from unittest import mock


def own_state(test):
    """Where the test keeps the key of its verifier, never in the user's: a folder that goes with it."""
    folder = tempfile.TemporaryDirectory(prefix="schedulegym state ")
    test.addCleanup(folder.cleanup)
    patched = mock.patch.dict(os.environ, XDG_STATE_HOME=folder.name)
    patched.start()
    test.addCleanup(patched.stop)
    return folder.name


class LookingRunner:
    """A run's outcome tells whether its store was there when it began; it leaves one."""

    def make(self, run, store):
        from schedulegym.studies.outcome import Outcome, Timing  # in a process of its own
        left = [path for path in (store, store.with_name(store.name + "-wal")) if path.exists()]
        store.write_text("records")
        speed = float(1 + len(left))
        return Outcome((speed,), (1.0,), 1.0, "trials", {}, speed, speed), Timing(0.1, {})

    def check(self, run):
        """All are well."""

    def expected_seconds(self, run):
        return 0.1
