"""Bundles for machines with a card: made and run on a stand-in driver and compiler, and without."""
import json
import os
import pathlib
import signal
import subprocess
import unittest

import pytest

from harness import PROGRAM, ProgramTest

BUILD = pathlib.Path(PROGRAM).parent.parent
STAND_IN = BUILD / "tests" / "cuda-stand-in.so"
BUNDLER = BUILD / "bin" / "gpu-bundle"
# What the C library's own package has.
OF_LIBC = ("linux-vdso", "libc.so", "libm.so", "libdl.so", "libpthread.so", "ld-linux")


class GpuBundleTest(ProgramTest):
    def make(self, *words):
        if not (STAND_IN.exists() and BUNDLER.exists()):
            self.skipTest("no bundle program: it is built with the tests")
        bundle = self.folder / "bundle"
        result = subprocess.run([BUNDLER, "-o", bundle, *words], capture_output=True, text=True,
                                env={**os.environ, "SCHEDULEGYM_NVRTC": str(STAND_IN)}, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return bundle

    def run_bundle(self, bundle, *words, **variables):
        variables.setdefault("SCHEDULEGYM_CUDA_DRIVER", str(STAND_IN))
        result = subprocess.run([bundle / "run", *words], capture_output=True, text=True, timeout=300,
                                env={**os.environ, **variables})
        self.assertEqual(result.stdout, (bundle / "results.jsonl").read_text())
        return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]

    def test_checks_run_and_say_why_not(self):
        bundle = self.make("--checks", "3", "--schedules", "0", "--cards", "h100")
        code, rows = self.run_bundle(bundle, "--only", "check")
        self.assertEqual([row["group"] for row in rows], ["device"] + 3 * ["check"] + ["summary"])
        self.assertEqual(rows[0]["name"], "Stand-in H100 0")
        self.assertEqual([row["outcome"] for row in rows[1:4]], 3 * ["ok"], rows)
        self.assertEqual((code, rows[-1]["check"]), (0, {"ok": 3}))
        # The peer of this machine is missing, or has no card to run on.
        code, rows = self.run_bundle(bundle, "--only", "peer", SCHEDULEGYM_CUBLAS="/nowhere/cublas",
                                     SCHEDULEGYM_CUDNN="/nowhere/cudnn")
        self.assertEqual({row["outcome"] for row in rows[1:-1]}, {"not run"})
        for row in rows[1:-1]:
            self.assertIn("looked for /nowhere/" + row["peer"], row["message"])
        # Nothing passes without a driver.
        code, rows = self.run_bundle(bundle, SCHEDULEGYM_CUDA_DRIVER="/nowhere/libcuda.so.1")
        self.assertEqual(code, 3)
        self.assertEqual({row["outcome"] for row in rows[:-1]}, {"not run"})
        self.assertIn("looked for /nowhere/libcuda.so.1", rows[0]["message"])
        # Nor on an older driver, or where the time is over.
        for words, variables, reason in (
                ((), {"SCHEDULEGYM_STAND_IN": "driver=12040"}, "older than the compiler's 13.0"),
                (("--seconds", "0.000001"), {}, "the time was over"),
                ((), {"SCHEDULEGYM_STAND_IN": "devices=2"}, "several devices and none chosen")):
            code, rows = self.run_bundle(bundle, "--only", "check", *words, **variables)
            self.assertEqual(code, 3)
            self.assertIn(reason, str(rows))

    def test_a_new_process_after_so_many_cases(self):
        bundle = self.make("--checks", "3", "--schedules", "0", "--cards", "h100")
        lock = self.folder / "started"
        driver = self.folder / "driver.so"
        # Counts the processes that open the driver.
        (self.folder / "driver.c").write_text(
            f'#include <fcntl.h>\n#include <unistd.h>\n__attribute__((constructor)) static void note(void) {{\n'
            f'  int file = open("{lock}", O_WRONLY | O_CREAT | O_APPEND, 0600);\n'
            f'  if (write(file, "x", 1) < 0) return;\n  close(file);\n}}\n')
        subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,--no-as-needed", "-o", driver, self.folder / "driver.c", STAND_IN],
                       check=True)
        for words, processes in ((("--restart", "2"), 2), ((), 1)):
            lock.write_text("")
            code, rows = self.run_bundle(bundle, "--only", "check", *words, SCHEDULEGYM_CUDA_DRIVER=str(driver))
            self.assertEqual((code, [row["outcome"] for row in rows[1:4]]), (0, 3 * ["ok"]), rows)
            self.assertEqual([row["group"] for row in rows].count("device"), 1)
            self.assertEqual(len(lock.read_text()), processes)

    def test_a_broken_device_costs_one_case(self):
        bundle = self.make("--checks", "3", "--schedules", "0", "--cards", "h100")
        code, rows = self.run_bundle(bundle, "--only", "check",
                                     SCHEDULEGYM_STAND_IN="fail=cuLaunchKernel:700")
        self.assertEqual(code, 1)
        self.assertEqual([row["outcome"] for row in rows[1:4]], 3 * ["run_signal"])

    def test_wrong_words(self):
        bundle = self.make("--checks", "1", "--schedules", "0", "--cards", "h100")
        for program, words, fault in (
                (BUNDLER, (), "expected -o FOLDER"),
                (BUNDLER, ("-o",), "-o: expected a value"),
                (BUNDLER, ("-x", "1"), "found '-x', expected some of -o FOLDER, --checks N, "
                                       "--schedules N, --cards NAME,..., --megabytes N"),
                (BUNDLER, ("-o", self.folder / "large", "--checks", "0", "--schedules", "0", "--cards", "h100",
                           "--megabytes", "1"),
                 "the bundle has more than 1 MB, expected fewer --checks, --schedules or --cards, or more "
                 "--megabytes"),
                (BUNDLER, ("--checks", "many"), "--checks: found 'many', expected 0 to 100000"),
                (bundle / "run", ("-x", "1"), "found '-x', expected some of --seconds N, "
                                              "--only GROUP,..., --peers NAME,..., --first N, "
                                              "--restart N, --results FILE"),
                (bundle / "run", ("--seconds", "0"), "--seconds: found '0', expected more than 0"),
                (bundle / "run", ("--only", "check,all"), "--only: found 'all', expected some of check, "
                                                          "equal, planted, peer, best, bench, sanitizer, "
                                                          "faulty"),
                (bundle / "run", ("--peers", ""), "--peers: found '', expected some of cublas, cudnn")):
            result = subprocess.run([program, *words], capture_output=True, text=True, timeout=60,
                                    env={**os.environ, "SCHEDULEGYM_NVRTC": str(STAND_IN)})
            self.assertEqual((result.returncode, result.stderr.splitlines()[-1]), (2, f"error: {fault}"))

    def test_help(self):
        bundle = self.make("--checks", "1", "--schedules", "0", "--cards", "h100")
        for program, parts in (
                (BUNDLER, ("usage: gpu-bundle -o FOLDER", "--checks N", "(default 120)", "--cards NAME,...")),
                (bundle / "run", ("usage: run", "--seconds N", "(default 600)", "--results FILE", "sanitizer"))):
            for word in ("--help", "-h"):
                result = subprocess.run([program, word], capture_output=True, text=True, timeout=60)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                for part in parts:
                    self.assertIn(part, result.stdout)
        # A shell of another processor's machine only says that it cannot execute the program.
        self.assertIn("a program for Linux on x86-64", (bundle / "README").read_text())

    def test_prints_are_checked(self):
        """As those of the commands: prints_test.py."""
        bundle = self.make("--checks", "1", "--schedules", "0", "--cards", "h100")
        environment = {**os.environ, "SCHEDULEGYM_NVRTC": str(STAND_IN), "SCHEDULEGYM_CUDA_DRIVER": str(STAND_IN)}
        for words in ([BUNDLER, "--help"], [BUNDLER, "-o", self.folder / "other", "--checks", "1", "--schedules", "0",
                                            "--cards", "h100"],
                      [bundle / "run", "--help"], [bundle / "run", "--only", "check"]):
            with self.subTest(words):
                with open("/dev/full", "wb") as full:
                    result = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300,
                                            env=environment, check=False)
                self.assertEqual(result.returncode, 1, result.stderr)
                lines = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
                self.assertEqual(lines, ["error: cannot write standard output: No space left on device"])
                read, write = os.pipe()
                os.close(read)
                with open(write, "wb") as pipe:
                    result = subprocess.run(words, stdout=pipe, stderr=subprocess.PIPE, text=True, timeout=300,
                                            env=environment, check=False)
                self.assertEqual(result.returncode, -signal.SIGPIPE, result.stderr)
                self.assertNotIn("error: ", result.stderr)
        # What is printed in vain is in the file nevertheless.
        rows = [json.loads(line) for line in (bundle / "results.jsonl").read_text().splitlines()]
        self.assertEqual(rows[-1]["group"], "summary")

    def test_rows_follow_the_rule_of_outputs(self):
        bundle = self.make("--checks", "1", "--schedules", "0", "--cards", "h100")

        def rows_to(place):
            return subprocess.run([bundle / "run", "--only", "check", "--results", place], capture_output=True,
                                  text=True, timeout=300, check=False,
                                  env={**os.environ, "SCHEDULEGYM_CUDA_DRIVER": str(STAND_IN)})

        (self.folder / "link").symlink_to("target")
        (self.folder / "target").write_text("old")
        result = rows_to(self.folder / "link")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "target").read_text(), result.stdout)
        result = rows_to("/dev/stderr")
        self.assertEqual((result.returncode, result.stderr), (0, result.stdout))
        (self.folder / "store.db").write_bytes(b"SQLite format 3\0" + bytes(84))
        for place, reason in ((self.folder, "Is a directory"), (self.folder / "no/rows", "No such file"),
                              (self.folder / "store.db", "found a store"), ("", "found an empty name")):
            result = rows_to(place)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, f"^error: .*{reason}")
            self.assertEqual(len(result.stderr.splitlines()), 1)
        result = rows_to("/dev/full")
        self.assertEqual(result.returncode, 2)
        self.assertIn("error: cannot write '/dev/full': No space left on device", result.stderr)

    def test_rows_beside_the_program_are_told_where_they_cannot_be(self):
        bundle = self.make("--checks", "1", "--schedules", "0", "--cards", "h100")
        (bundle / "results.jsonl").mkdir()
        result = subprocess.run([bundle / "run", "--only", "check"], capture_output=True, text=True, timeout=300,
                                env={**os.environ, "SCHEDULEGYM_CUDA_DRIVER": str(STAND_IN)}, check=False)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "^warning: cannot write .*; rows go to standard output alone\n$")
        self.assertIn('"summary"', result.stdout)

    def test_a_program_that_is_a_link_is_replaced_at_its_end(self):
        bundle = self.folder / "bundle"
        bundle.mkdir()
        (bundle / "run").symlink_to("../program")
        self.make("--checks", "1", "--schedules", "0", "--cards", "h100")
        self.assertTrue((bundle / "run").is_symlink())
        self.assertTrue(os.access(self.folder / "program", os.X_OK))

    @pytest.mark.timeout(1800)
    def test_a_whole_bundle_is_small(self):
        """With NVIDIA's compiler: five minutes on two cores."""
        doctor = {event["name"]: event for event in self.events("doctor")}
        if not doctor["backend cuda"]["ready"]:
            self.skipTest("no NVRTC")
        if not BUNDLER.exists():
            self.skipTest("no bundle program: it is built with the tests")
        bundle = self.folder / "whole"
        result = subprocess.run([BUNDLER, "-o", bundle], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        files = [path for path in bundle.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        print(f"bundle: {len(files)} files, {size / 1e6:.1f} MB")
        self.assertLessEqual(size, 60e6)

    def test_the_sanitizer_runs_the_checks_again(self):
        bundle = self.make("--checks", "2", "--schedules", "0", "--cards", "h100")
        tool = self.folder / "compute-sanitizer"
        # What it finds: a race in the kernel without a barrier, and, where it is told so, in all.
        tool.write_text("""#!/bin/sh
[ "$1" = --tool ] && [ "$5" = --error-exitcode ] || exit 1
tool=$2 found=$6
shift 6
"$@" > /dev/null || exit
case "$tool $3 ${STAND_IN_FINDS-}" in
  "racecheck faulty "*|*" all") echo "========= RACECHECK SUMMARY: 1 hazard displayed"; exit "$found";;
esac
echo "========= ERROR SUMMARY: 0 errors"
""")
        tool.chmod(0o755)
        def rows_of(**variables):
            code, rows = self.run_bundle(bundle, "--only", "sanitizer", **variables)
            return code, [row for row in rows if row["group"] == "sanitizer"]
        code, rows = rows_of(SCHEDULEGYM_COMPUTE_SANITIZER=str(tool))
        self.assertEqual([row["name"] for row in rows], ["memcheck", "racecheck", "synccheck", "initcheck",
                                                         "racecheck on a dropped barrier"])
        self.assertEqual([row["outcome"] for row in rows], 5 * ["ok"], rows)
        self.assertEqual(rows[0]["message"], "ERROR SUMMARY: 0 errors")
        self.assertEqual(rows[4]["message"], "RACECHECK SUMMARY: 1 hazard displayed")
        self.assertEqual(code, 0)
        code, rows = rows_of(SCHEDULEGYM_COMPUTE_SANITIZER=str(tool), STAND_IN_FINDS="all")
        self.assertEqual([row["outcome"] for row in rows], 4 * ["found"] + ["ok"])
        self.assertEqual(code, 1)
        tool.write_text("#!/bin/sh\nexit 0\n")
        _, rows = rows_of(SCHEDULEGYM_COMPUTE_SANITIZER=str(tool))
        self.assertEqual(rows[4]["outcome"], "missed")
        # Without the tool, and without a card, nothing passes.
        for variables, reason in (
                ({"SCHEDULEGYM_COMPUTE_SANITIZER": "/nowhere/tool"}, "looked for /nowhere/tool"),
                ({"SCHEDULEGYM_CUDA_DRIVER": "/nowhere/libcuda.so.1"}, "looked for /nowhere/libcuda")):
            code, rows = rows_of(**variables)
            self.assertEqual(({row["outcome"] for row in rows}, code), ({"not run"}, 3))
            self.assertIn(reason, rows[0]["message"])

    def test_a_row_says_how_many_schedules_run_in_a_second(self):
        bundle = self.make("--checks", "0", "--schedules", "0", "--cards", "h100")
        code, rows = self.run_bundle(bundle, "--only", "bench")
        self.assertEqual(([row["group"] for row in rows], code), (["rate", "summary"], 3))
        self.assertEqual(rows[0]["outcome"], "not run")

    def test_it_needs_libc_alone(self):
        bundle = self.make("--checks", "1", "--schedules", "0", "--cards", "h100")
        listed = subprocess.run(["ldd", bundle / "run"], capture_output=True, text=True, check=True)
        others = [line for line in listed.stdout.splitlines()
                  if not any(name in line for name in OF_LIBC)]
        self.assertEqual(others, [])
        self.assertEqual(sorted(path.name for path in bundle.iterdir()), ["README", "cases", "run"])


if __name__ == "__main__":
    unittest.main()
