"""The seal of a mark: whose key it is, and what is wrong with one."""
import json
import os
import pathlib
import stat
import unittest
from unittest import mock

from leaderboard_state import own_state

try:
    from schedulegym.leaderboard import signature
    from schedulegym.studies.faults import StudyError
except ImportError as fault:
    raise unittest.SkipTest(f"no leaderboard: {fault}") from None

HAND = "eb62df03a06b849b86bfe82e9341d3154690d4b07f48f46a90445758af0a4b37"
FACTS = {"entry": "climber", "code": "c0de", "board": "mine 1", "runs": 3, "date": "2026-11-27"}


class SealTest(unittest.TestCase):
    def setUp(self):
        self.state = pathlib.Path(own_state(self))
        self.key = self.state / "schedulegym/leaderboard.key"

    def mark(self, text, name="climber", code="c0de", board="mine 1"):
        return signature.mark_of(text, name, code, board)

    def test_the_key_is_made_once_and_for_one(self):
        self.assertIsNone(signature.read_key())
        first = signature.sealed(FACTS)
        self.assertEqual((len(self.key.read_bytes()), stat.S_IMODE(self.key.stat().st_mode)), (32, 0o600))
        self.assertEqual(stat.S_IMODE(self.key.parent.stat().st_mode), 0o700)
        self.assertEqual(list(self.key.parent.iterdir()), [self.key])
        self.assertEqual(signature.sealed(FACTS), first)
        self.key.unlink()
        self.assertNotEqual(signature.sealed(FACTS), first)

    def test_by_hand(self):
        self.key.parent.mkdir()
        self.key.touch(mode=0o600)
        self.key.write_bytes(bytes(range(32)))
        told = json.loads(signature.sealed(FACTS))
        # printf '["climber", "c0de", "mine 1", 3, "2026-11-27"]' | openssl dgst -sha256 -mac HMAC
        #   -macopt hexkey:000102...1f
        self.assertEqual(told["seal"], HAND)
        self.assertEqual({key: told[key] for key in FACTS}, FACTS)

    def test_what_fits_counts(self):
        text = signature.sealed(FACTS)
        self.assertEqual(self.mark(text), signature.Mark("verified", None, 3, "2026-11-27"))
        for change, why in (({"name": "other"}, "another name"), ({"code": "c1de"}, "another code"),
                            ({"board": "mine 2"}, "another edition")):
            self.assertRegex(self.mark(text, **change).why, why)
        for torn in (text[:-9], "", "[]", "3", '{"seal": 1}'):
            self.assertEqual(self.mark(torn), signature.Mark("unverified", "its mark has no signature"))
        self.key.unlink()
        self.assertRegex(self.mark(text).why, "not set by this verifier")

    def test_a_key_that_others_may_read_is_none(self):
        text = signature.sealed(FACTS)
        self.key.chmod(0o644)
        with self.assertRaisesRegex(StudyError, "found mode 644 and 32 bytes, expected 600"):
            signature.sealed(FACTS)
        self.assertRegex(self.mark(text).why, "found mode 644")
        self.key.chmod(0o600)
        self.key.write_bytes(b"short")
        with self.assertRaisesRegex(StudyError, "5 bytes, expected 600 and 32"):
            signature.read_key()

    def test_where_it_lies(self):
        for given in ("", "relative/state"):
            with mock.patch.dict(os.environ, XDG_STATE_HOME=given, HOME="/home/me"):
                self.assertEqual(str(signature.key_file()),
                                 "/home/me/.local/state/schedulegym/leaderboard.key")
        (self.state / "schedulegym").write_text("a file")
        with self.assertRaisesRegex(StudyError, "leaderboard.key: "):
            signature.sealed(FACTS)


if __name__ == "__main__":
    unittest.main()
