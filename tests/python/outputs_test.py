"""Where results go: every output and folder of every command, found by asking the program.

Each option whose value is a place stands in PLACES: one that is new fails here until it is listed, and with
that tried.
"""
import itertools
import os
import re
import resource
import shutil
import stat
import threading
import unittest

from command_places import (BOARD, FACTORS, FOLDERS, FORMS, KEYS, OTHER_ACTIONS, OUTPUTS, PLACE_TYPES, PLACES, STUDY,
                            VALUE_TYPES, Outputs)
from harness import schedulegym


class ListedTest(Outputs):
    def test_every_place_is_listed(self):
        self.assertEqual(set(self.commands()), set(PLACES))
        for command in self.commands():
            found = set()
            for line in self.succeed(command, "--help").splitlines():
                option = re.match(r"  (-\S+)(?: (\S+))?(?: \.\.\.)?(?: REQUIRED)?(?:  |$)", line)
                word = re.match(r"  ([A-Z|]+) \S+", line)
                if word and word[1] in PLACE_TYPES:
                    found.add(word[1])
                if not option:
                    continue
                self.assertIn(option[2] or "", PLACE_TYPES | VALUE_TYPES, f"{command}: {line}")
                if option[2] in PLACE_TYPES:
                    found.add(option[1].split(",")[0])
            self.assertEqual(found, set(PLACES[command]), command)

    def test_every_place_within_a_spec_is_listed(self):
        """By the type that the program says, by the range, and by what descriptions call FILE."""
        found = set()
        for kind in ("agents", "schedulers", "spaces", "measurers", "models", "protocols",
                     "targets"):
            for item in self.events("list", kind):
                keys = re.findall(r"(\w+)=(?:FILE|FOLDER|PATH)\b", item["description"] + item.get("parameters", ""))
                for option in item.get("options", []):
                    if option["type"] in ("file", "output") or re.search(r"\b(FILE|FOLDER|PATH|file)\b", option["range"]):
                        keys.append(option["key"])
                found |= {(kind, item["name"], key) for key in keys}
        self.assertEqual(found, set(KEYS))

    def test_every_output_is_tried(self):
        outputs = {(command, option, form) for command, places in PLACES.items()
                   for option, what in places.items() if what == "output"
                   for form in FORMS.get((command, option), {""})}
        outputs |= {("tune", key, "") for (_, _, key), what in KEYS.items() if what == "output"}
        self.assertEqual({tuple(each[:3]) for each in OUTPUTS}, outputs)

    def test_every_action_is_listed(self):
        for command, word in (("records", "WHAT"), ("leaderboard", "ACTION")):
            line = re.search(rf"  {word} TEXT REQUIRED +(.*)", self.succeed(command, "--help"))[1]
            actions = re.findall(r"(?:^|; )([a-z]+)\b", line) if command == "records" else \
                re.findall(r"[a-z]+", line.replace(" or ", ", "))
            self.assertEqual(set(actions), FORMS[command, "-o"] | OTHER_ACTIONS[command])

    def test_every_folder_is_tried(self):
        folders = {(command, option) for command, places in PLACES.items()
                   for option, what in places.items() if what == "folder"}
        self.assertEqual({(command, option) for command, option, *_ in FOLDERS},
                         folders | {("leaderboard", "-o")})


class NamesTest(Outputs):
    """Names that the command line refuses before anything is made."""

    def words(self, command, *given, empty=None):
        """A call with these options, in which nothing that is required is missing; `empty` names a word without an
        option that is empty."""
        words, others = [command], []
        for line in self.succeed(command, "--help").splitlines():
            found = re.match(r"  (-?\S+) .*REQUIRED", line) or re.match(rf"  ({empty}) TEXT", line)
            if not found or found[1].split(",")[0] in given:
                continue
            if found[1].startswith("-"):
                others += [found[1].split(",")[0], "x"]
            else:
                words.append("" if found[1] == empty else "x")
        return [*words, *others, *given]

    def places(self, kinds):
        return [(command, option) for command, places in PLACES.items() for option, what in places.items()
                if what in kinds]

    def outputs(self):
        """Of each command the words of each output, from its place."""
        outputs = {command: {} for command in PLACES}
        for command, option in self.places({"output", "folder"}):
            if (command, option) != ("export", "-o"):  # a prefix
                outputs[command][option] = lambda place, option=option: (option, place)
        for (_, name, key), what in KEYS.items():
            if what in ("output", "checkpoint"):
                outputs["tune"][f"{name}({key}=)"] = \
                    lambda place, name=name, key=key: ("--agent", f'{name}({key}="{place}")')
        return outputs

    def test_no_name_is_empty(self):
        for command, option in [*self.places({"input", "output", "folder", "store"}), ("report", "THING"),
                                ("leaderboard", "THING")]:
            with self.subTest(f"{command} {option}"):
                is_word = not option.startswith("-")
                words = self.words(command, empty=option) if is_word else self.words(command, option, "")
                self.assertIn(f"{option}: found an empty name, expected a f", self.refused(2, *words))

    def test_no_name_within_a_spec_is_empty(self):
        options = {"agents": "--agent", "schedulers": "--scheduler", "measurers": "--measure"}
        for kind, name, key in KEYS:
            is_nested = (name, key) == ("mcts", "file")  # mcts(prior=policy(file=FILE))
            name = "policy" if is_nested else name
            spec = f'{name}({key}="")'
            words = ("--agent", f"ansor(model={spec})") if kind == "models" else (options[kind], spec)
            if is_nested:
                words = ("--agent", f"mcts(prior={spec})")
            with self.subTest(spec):
                self.assertIn(f"{name}({key}=): found an empty name", self.refused(2, "tune", "x", *words))

    def test_no_two_outputs_are_one_file(self):
        (self.folder / "old").write_text("old")
        (self.folder / "link").symlink_to("old")
        os.link(self.folder / "old", self.folder / "hard")
        pairs = 0
        for command, outputs in self.outputs().items():
            for one, other in itertools.combinations(outputs, 2):
                if "(" in one and "(" in other:
                    continue  # of two agents
                for first, second in (("new", "./new"), ("old", "link"), ("hard", "old")):
                    with self.subTest(f"{command} {one} {other} {second}"):
                        error = self.refused(2, *self.words(command, *outputs[one](first), *outputs[other](second)))
                        self.assertRegex(error, "found '.*', which .* writes; expected another place")
                pairs += 1
        self.assertGreaterEqual(pairs, 15)
        self.assertEqual((self.folder / "old").read_text(), "old")

    def test_no_file_of_an_export_is_a_file_of_the_store(self):
        for target, ending in (("llvm", "so"), ("llvm", "h"), ("opencl", "cl"), ("cuda(card=a100)", "cubin")):
            store = f"k.{ending}"
            with self.subTest(store):
                error = self.refused(2, "export", "softmax(n=4,m=8)", "-o", "k", "--reference", "--target", target,
                                     "--store", store)
                self.assertIn(f"-o: found 'k.{ending}', a file of the store '{store}'", error)
        os.link(self.folder / self.write("s.db-shm", "").name, self.folder / "k.o")
        error = self.refused(2, "export", "softmax(n=4,m=8)", "-o", "k", "--reference", "--store", "s.db")
        self.assertIn("-o: found 'k.o', a file of the store 's.db'", error)

    def test_no_output_is_a_file_of_the_store(self):
        (self.folder / "link.db").symlink_to("s.db")
        for command, outputs in self.outputs().items():
            for name, words in outputs.items():
                for suffix in ("", "-wal", "-shm", "-lock", "-journal"):
                    with self.subTest(f"{command} {name} {suffix}"):
                        for store in ("s.db", "link.db"):
                            error = self.refused(2, *self.words(command, *words("s.db" + suffix), "--store", store))
                            self.assertIn(f"found 's.db{suffix}', a file of the store '{store}'", error)


class FoldersTest(Outputs):
    """Folders that are made, or gone on with."""

    def each(self, test):
        if schedulegym is None:
            self.skipTest("this build has no Python package")
        self.write("mine.toml", STUDY)
        self.write("factors.toml", FACTORS)
        self.write("board.toml", BOARD)
        for command, option, words, file in FOLDERS:
            with self.subTest(f"{command} {option}"):
                test(words, file)

    def test_a_link_to_a_folder_is_followed(self):
        def follow(words, file):
            (self.folder / "real").mkdir()
            (self.folder / "link").symlink_to("real")
            result = self.run_it(words("link"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertTrue(list((self.folder / "real").rglob(file)))
            (self.folder / "link").unlink()
            shutil.rmtree(self.folder / "real")

        self.each(follow)

    def test_what_is_no_folder_is_refused_and_stays(self):
        (self.folder / "loop").symlink_to("other")
        (self.folder / "other").symlink_to("loop")
        self.write("file", "old")
        self.write("target", "old")
        (self.folder / "to-file").symlink_to("target")

        def refuse(words, _):
            for place in ("loop", "file", "to-file", "/dev/null", "file/below"):
                with self.subTest(place):
                    result = self.run_it(words(place))
                    self.assertEqual(result.returncode, 2, result.stderr)
                    lines = [line for line in result.stderr.decode().splitlines() if line.startswith("error: ")]
                    self.assertEqual(len(lines), 1, result.stderr)
                    self.assertIn(place, lines[0])
            self.assertTrue((self.folder / "loop").is_symlink())
            self.assertEqual([(self.folder / name).read_text() for name in ("file", "target")], ["old", "old"])
            self.assertTrue(stat.S_ISCHR(os.lstat("/dev/null").st_mode))

        self.each(refuse)


class OutputsTest(Outputs):
    """`place.h`, because `export` puts the ending after a name."""

    def need_package(self):
        if schedulegym is None:
            self.skipTest("this build has no Python package")

    def each(self, test, without=()):
        """Calls test(words) in a folder that holds only what the output's command needs."""
        for command, option, form, prepare, words in OUTPUTS:
            if command in without:
                continue
            with self.subTest(f"{command} {option} {form}"):
                for file in self.folder.iterdir():
                    if file.is_symlink() or not file.is_dir():
                        file.unlink()
                if prepare:
                    prepare(self)
                test(words)

    def test_of_a_link_the_target_is_replaced(self):
        def replace(words):
            self.write("target", "old")
            (self.folder / "place.h").symlink_to("target")
            result = self.run_it(words("place.h"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((self.folder / "place.h").is_symlink())
            self.assertTrue(stat.S_ISREG(os.lstat(self.folder / "target").st_mode))
            self.assertNotIn((self.folder / "target").read_bytes(), (b"old", b""))

        self.each(replace)

    def test_a_pipe_is_written_to(self):
        def through_a_pipe(words):
            read, write = os.pipe()
            got = []

            def take():
                with open(read, "rb") as pipe:
                    got.append(pipe.read())

            reader = threading.Thread(target=take)
            reader.start()
            try:
                result = self.run_it(words(f"/dev/fd/{write}"), pass_fds=(write,))
            finally:
                os.close(write)
                reader.join()
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(got[0])

        self.each(through_a_pipe, without=["export"])  # whose names cannot be those of descriptors

    def test_devices_are_written_to(self):
        """Nodes of the test's own, which nobody misses."""
        full, null = self.folder / "full.h", self.folder / "null.h"

        def to_devices(words):
            try:
                os.mknod(null, stat.S_IFCHR | 0o600, os.makedev(1, 3))
                os.mknod(full, stat.S_IFCHR | 0o600, os.makedev(1, 7))
            except PermissionError:
                self.skipTest("only root makes devices")
            result = self.run_it(words("null.h"))
            self.assertEqual(result.returncode, 0, result.stderr)
            result = self.run_it(words("full.h"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"No space left on device", result.stderr)
            for device in (null, full):
                self.assertTrue(stat.S_ISCHR(os.lstat(device).st_mode), device)

        self.each(to_devices)

    def test_what_is_no_file_is_refused(self):
        def refuse(words):
            (self.folder / "loop.h").symlink_to("other.h")
            (self.folder / "other.h").symlink_to("loop.h")
            (self.folder / "folder.h").mkdir(exist_ok=True)
            for place in ("loop.h", "folder.h", "nowhere/place.h"):
                if place == "nowhere/place.h" and words(place)[0] in ("report", "leaderboard"):
                    continue  # they make the folder
                result = self.run_it(words(place))
                self.assertEqual(result.returncode, 2, result.stderr)
                error = result.stderr.decode().splitlines()[-1]
                self.assertTrue(error.startswith("error: "), error)
            self.assertTrue((self.folder / "loop.h").is_symlink())
            (self.folder / "folder.h").rmdir()

        self.each(refuse)

    def test_a_store_a_table_and_a_checkpoint_are_not_replaced(self):
        """But by what is of their own kind."""
        kept = {"a store": b"SQLite format 3\0" + bytes(84),
                "a table": b'{"schedulegym_table":1,"kind":"knobs"}\n',
                "a checkpoint": b"schedulegym memory: boosted 1\n{}"}
        own = {"a table": [("table", "-o")],
               "a checkpoint": [("train", "-o"), ("tune", "--save-model")]}

        def refuse(words):
            for name, content in kept.items():
                (self.folder / "place.h").write_bytes(content)
                call = words("place.h")
                option = "--save-model" if "--save-model" in call else "-o"
                result = self.run_it(call)
                if (call[0], option) in own.get(name, []):
                    self.assertEqual(result.returncode, 0, result.stderr)
                    continue
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(f"error: cannot write 'place.h': found {name}, which this output would "
                              "replace", result.stderr.decode())
                self.assertEqual((self.folder / "place.h").read_bytes(), content)

        self.each(refuse)

    def test_a_file_that_may_not_grow_is_told(self):
        """`ulimit -f`: of what stood there nothing is lost."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        def refuse(words):
            self.write("place.h", "old")
            result = self.run_it(words("place.h"), preexec_fn=limit)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"error: cannot write 'place.h': ", result.stderr)
            self.assertEqual((self.folder / "place.h").read_text(), "old")

        # Of those the store, the linker or the folder is full before; see full_disk_test.py.
        self.each(refuse, without=["tune", "train", "repeat", "table", "export", "leaderboard"])


if __name__ == "__main__":
    unittest.main()
