"""Where a test keeps the key of its verifier: in a folder of its own, never in the user's."""
import os
import tempfile
from unittest import mock


def own_state(test):
    """The folder, which goes with the test."""
    folder = tempfile.TemporaryDirectory(prefix="schedulegym state ")
    test.addCleanup(folder.cleanup)
    patched = mock.patch.dict(os.environ, XDG_STATE_HOME=folder.name)
    patched.start()
    test.addCleanup(patched.stop)
    return folder.name
