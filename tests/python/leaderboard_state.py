"""What tests of boards find where they begin: a state of their own, and stores."""
import os
import pathlib
import shutil
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


class KeptFolder:
    """Of a test whose folder is filled once, and copied into that of each of its methods."""
    kept = None

    @classmethod
    def tearDownClass(cls):
        if cls.kept is not None:
            shutil.rmtree(cls.kept)
        super().tearDownClass()

    def fill_once(self, fill):
        """`fill` is called by the first method that asks."""
        kind = type(self)
        if kind.kept is None:
            fill()
            kind.kept = pathlib.Path(tempfile.mkdtemp(prefix="schedulegym entry "))
            shutil.copytree(self.folder, kind.kept, dirs_exist_ok=True)
        shutil.copytree(kind.kept, self.folder, dirs_exist_ok=True)


class LookingRunner:
    """A run's outcome tells whether its store was there when it began; it leaves one."""

    def make(self, run, store):
        from schedulegym.studies.outcome import Outcome, Timing  # in a process of its own
        left = [path for path in (store, store.with_name(store.name + "-wal")) if path.exists()]
        store.write_text("records")
        speed = float(1 + len(left))
        return Outcome((speed,), (1.0,), 1.0, "trials", {}, speed, speed), Timing(0.1, {})

    def verify(self, run, store):
        """Nothing is handed on."""
        return False

    def check(self, run):
        """All are well."""
        return []

    def expected_seconds(self, run):
        return 0.1
