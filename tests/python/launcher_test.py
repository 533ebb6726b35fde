"""What `./sg test` runs for each word; the parts themselves are not run."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import ROOT

PARTS = "unit python wheel training docs sanitized"
SCRIPT = """
set -eu
. "$source/experiments/setup/common.sh"
. "$source/experiments/setup/test.sh"
for part in %s; do
  eval "${part}_tests() { echo $part \\$tier; [ $part != \\"${failing-}\\" ]; }"
done
run_tests "$@"
"""
# The options that tests are run with: by ctest and by pytest.
OPTIONS = """
set -eu
. "$source/experiments/setup/common.sh"
. "$source/experiments/setup/test.sh"
build() { :; }
need() { :; }
need_pytest() { :; }
make_venv() { :; }
make_extras() { :; }
venv_is_fresh() { true; }
ctest() { echo "ctest $*"; }
run_pytest() { echo "pytest $*"; return "${failure-0}"; }
say() { :; }
unset wheel_tests training_tests docs_tests
wheel_tests() { :; }
training_tests() { :; }
docs_tests() { :; }
run_tests "$@"
"""


# The sets of packages that a machine with these packages alone lacks.
SETUP = """
set -eu
. "$source/experiments/setup/common.sh"
. "$source/experiments/setup/packages.sh"
. "$source/experiments/setup/build.sh"
. "$source/experiments/setup/setup.sh"
setup="$source/experiments/setup"
as_root() { :; }
%s
"""


class PackagesTest(unittest.TestCase):
    """Packages are asked for, and none is installed. `there`: those that the machine has."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "bin").mkdir()
        query = self.root / "bin/dpkg-query"
        query.write_text("#!/bin/sh\nshift 3\nfor name; do case \" ${there-} \" in *\" $name \"*) "
                         "printf \"installed $name \" ;; esac; done\n")
        query.chmod(0o755)

    def run_script(self, script, **variables):
        return subprocess.run(["sh", "-c", SETUP % script], capture_output=True, text=True,
                              env={"root": str(self.root), "source": str(ROOT),
                                   "PATH": f"{self.root}/bin:/usr/bin:/bin", **variables})

    def packages(self, wanted):
        lines = (line.split() for line in
                 (ROOT / "experiments/setup/packages.txt").read_text().splitlines() if line[:1] != "#")
        return [line[2] for line in lines if line[0] == wanted]

    def test_the_base_set_has_nothing_that_only_some_commands_need(self):
        base = self.packages("base")
        for name in ("libtorch-dev", "chromium", "libgtest-dev", "libopenblas-openmp-dev", "python3-venv"):
            self.assertNotIn(name, base)
        self.assertIn("llvm-19-dev", base)
        self.assertNotIn("libboost-dev", (ROOT / "experiments/setup/packages.txt").read_text())

    def test_what_is_missing_of_a_set(self):
        result = self.run_script("missing required base python; missing optional base python",
                                 there="libcli11-dev libspdlog-dev python3-numpy llvm-19-dev")
        found = result.stdout.split()
        self.assertIn("libasio-dev", found)
        self.assertIn("python3-dev", found)
        for name in ("libcli11-dev", "llvm-19-dev", "python3-numpy", "libgtest-dev", "chromium"):
            self.assertNotIn(name, found)

    def test_optional_packages_that_cannot_be_had_are_asked_for_once(self):
        script = "install_packages learned bench; install_packages learned bench"
        result = self.run_script(script, there="libdnnl-dev libbenchmark-dev")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("sg: installing for learned bench: "), 1, result.stderr)
        self.assertIn("going on without libtorch-dev libopenblas-openmp-dev (to add them: apt-get install "
                      "libtorch-dev libopenblas-openmp-dev, then ./sg setup learned bench)", result.stderr)
        self.assertEqual(self.run_script("again=yes; " + script).stderr.count("sg: installing for"), 2)

    def test_a_required_package_that_cannot_be_had_is_named(self):
        result = self.run_script("install_packages python", there="python3-venv python3-dev python3")
        self.assertEqual(result.returncode, 3)
        self.assertIn("error: missing packages: python3-numpy (install them as root: apt-get install "
                      "python3-numpy)\n", result.stderr)

    def test_number_and_size_are_announced(self):
        script = """as_root() { printf '%s\n' '0 upgraded, 12 newly installed, 0 to remove' \
          'Need to get 20.5 MB of archives.' 'After this operation, 131 MB of additional disk space'; }
        announce learned libtorch-dev"""
        self.assertEqual(self.run_script(script).stderr,
                         "sg: installing for learned: 12 packages, 131 MB (20.5 MB to fetch): libtorch-dev\n")

    def test_torch_comes_without_cuda_where_the_index_has_such_a_build(self):
        python = self.root / "bin/python"
        for versions, expected, is_said in (("2.9.0, 2.8.0", "torch ray", True),
                                            ("2.9.0+cpu, 2.9.0", "torch==2.9.0+cpu ray", False)):
            python.write_text("#!/bin/sh\n[ \"$1\" = -m ] || exit 1\n"
                              f"echo 'Available versions: {versions}'\n")
            python.chmod(0o755)
            result = self.run_script('venv="$root"; with_small_torch torch ray')
            self.assertEqual(result.stdout.strip(), expected)
            self.assertEqual("no torch without CUDA: about 6 GB" in result.stderr, is_said)

    def fake_python(self):
        """That of .venv: what pip is asked for is a line of the file `asked`; scripts run."""
        python = self.root / "bin/python"
        python.write_text('#!/bin/sh\nif [ "$1" = -m ]; then echo "$*" >>"$root/asked"; else exec python3 "$@"; fi\n')
        python.chmod(0o755)

    def install(self, name, version):
        """As pip leaves it, for an interpreter whose PYTHONPATH is `site`."""
        folder = self.root / "site" / f"{name.replace('-', '_')}.dist-info"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")

    def test_other_extras_keep_the_versions_that_cuda_pins(self):
        self.fake_python()
        script = 'venv="$root"; pip_install torch; cat "$root/asked"'
        self.assertNotIn(" -c ", self.run_script(script).stdout)
        (self.root / ".cuda").write_text("")
        self.assertIn(f" -c {self.root}/.pins torch\n", self.run_script(script).stdout)
        pins = (self.root / ".pins").read_text().splitlines()
        self.assertRegex(" ".join(pins), r"\Acuda-toolkit==[\d.]+ nvidia-cuda-nvrtc==[\d.]+ nvidia-cuda-nvdisasm==[\d.]+\Z")

    def test_a_version_that_was_replaced_is_installed_again(self):
        self.fake_python()
        (self.root / "pyproject.toml").write_text("")
        (self.root / ".cuda").write_text(f"{self.root}\n")
        pins = subprocess.run(["python3", ROOT / "experiments/setup/python_packages.py", "--pins", "cuda"],
                              capture_output=True, text=True, check=True).stdout.split()
        for pin in pins:
            self.install(*pin.split("=="))
        fresh = lambda: self.run_script('venv="$root"; extras_are_fresh cuda && echo fresh',
                                        PYTHONPATH=str(self.root / "site")).stdout
        self.assertEqual(fresh(), "fresh\n")
        self.install(pins[1].split("==")[0], "1.0")
        self.assertEqual(fresh(), "")
        # An extra without pins asks for nothing.
        (self.root / ".plot").write_text(f"{self.root}\n")
        self.assertEqual(self.run_script('venv="$root"; extras_are_fresh plot && echo fresh').stdout, "fresh\n")

    def test_cmake_is_told_of_the_toolkit_of_setup_cuda(self):
        cmake = self.root / "bin/cmake"
        cmake.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
        cmake.chmod(0o755)
        configure = 'has_toolkit() { ${other-false}; }; lacks_package() { false; }; configure 2>&1'
        self.assertNotIn("CUDAToolkit_ROOT", self.run_script(configure).stdout)
        toolkit = self.root / ".venv/lib/python3.11/site-packages/nvidia/cu13"
        (toolkit / "bin").mkdir(parents=True)
        (toolkit / "bin/nvcc").write_text("")
        (toolkit / "bin/nvcc").chmod(0o755)
        self.assertIn(f"|-D|CUDAToolkit_ROOT={toolkit}|", self.run_script(configure).stdout)
        self.assertNotIn("CUDAToolkit_ROOT", self.run_script(configure, other="true").stdout)

    def test_setup_refuses_what_is_no_set(self):
        result = self.run_script("run_setup lerned")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: unknown extra 'lerned': expected one of base, python, "
                                        "learned, bench, browser, test, opencl, docs, studies, plot, "
                                        "train, tensorboard, ray, data, ioh, cuda, cuda12, intel-opencl, all\n")

    def test_help_of_setup_names_every_set_and_extra(self):
        result = self.run_script("run_setup --help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for file in ("packages.txt", "extras.txt"):
            for line in (ROOT / "experiments/setup" / file).read_text().splitlines():
                name = line.partition(" ")[0]
                if name and name not in ("#", "base"):
                    self.assertRegex(result.stdout, rf"(?m)^  {name} ")

    def test_each_extra_of_the_project_has_its_size(self):
        import tomllib
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        lines = (ROOT / "experiments/setup/extras.txt").read_text().splitlines()
        self.assertEqual({line.split()[0] for line in lines if line[:1] != "#"},
                         set(project["optional-dependencies"]))

    def test_tests_install_what_they_need(self):
        script = '. "$source/experiments/setup/test.sh"; need() { echo "$*"; }; need_tests'
        self.assertEqual(self.run_script(script).stdout.split(),
                         "base python learned bench browser test opencl".split())
        every = {line.split()[0] for line in
                 (ROOT / "experiments/setup/packages.txt").read_text().splitlines() if line[:1] != "#"}
        self.assertEqual(every - set(self.run_script(script).stdout.split()), {"docs"})  # of ./sg docs


    def test_the_page_has_every_set_and_size(self):
        """docs/guide/install.md beside packages.txt and extras.txt: each a row, and no other."""
        page = (ROOT / "docs/guide/install.md").read_text().partition("## Extras")[2].partition("\n## ")[0]
        rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in page.splitlines()
                if line.startswith("| `")]
        sizes = {row[0]: row[2] for row in rows if len(row) == 3}
        lines = [line.split() for line in (ROOT / "experiments/setup/extras.txt").read_text().splitlines()
                 if line[:1] != "#"]
        self.assertEqual(sizes, {line[0]: " ".join(line[1:3]) for line in lines})
        packages = {row[0]: row[1].replace("`", "").split(", ") for row in rows if len(row) == 2}
        sets = {line.split()[0] for line in (ROOT / "experiments/setup/packages.txt").read_text().splitlines()
                if line[:1] != "#"} - {"base"}
        self.assertEqual(packages, {name: self.packages(name) for name in sets})


class BareMachineTest(unittest.TestCase):
    """What the base set brings to a machine that has a compiler and CMake, by apt's own counting.

    Nothing is installed: apt is given an empty list of what there is. Other releases have other sizes.
    """

    MOST_PACKAGES, MOST_MIB = 60, 800
    THERE = ("apt", "g++", "cmake")

    def setUp(self):
        if shutil.which("apt-get") is None or shutil.which("dpkg-query") is None:
            self.skipTest("no Debian")
        if not pathlib.Path("/etc/debian_version").read_text().startswith("12"):
            self.skipTest("another release than Debian 12")

    def run_it(self, *words):
        return subprocess.run(words, capture_output=True, text=True, check=False,
                              env={**os.environ, "LC_ALL": "C"}).stdout

    def closure(self, names):
        """They and all that they need, where nothing is installed."""
        with tempfile.NamedTemporaryFile() as nothing:
            text = self.run_it("apt-get", "-s", "-q", "-o", f"Dir::State::status={nothing.name}",
                               "--no-install-recommends", "install", *names)
        return {line.split()[1] for line in text.splitlines() if line.startswith("Inst ")}

    def test_the_base_set_stays_small(self):
        lines = (line.split() for line in (ROOT / "experiments/setup/packages.txt").read_text().splitlines())
        base = [line[2] for line in lines if line[0] == "base"]
        priorities = self.run_it("dpkg-query", "-W", "-f", "${Package} ${Priority}\\n").splitlines()
        required = [line.split()[0] for line in priorities if line.endswith(" required")]
        found = self.closure([*required, *self.THERE, *base])
        if not found:
            self.skipTest("apt has no lists of packages")
        new = found - self.closure([*required, *self.THERE])
        sizes = re.findall(r"(?m)^Installed-Size: (\d+)",
                           self.run_it("apt-cache", "show", "--no-all-versions", *sorted(new)))
        self.assertEqual(len(sizes), len(new))
        self.assertLessEqual(len(base) - len(self.THERE), len(new))
        self.assertLessEqual(len(new), self.MOST_PACKAGES, sorted(new))
        self.assertLessEqual(sum(map(int, sizes)) / 1024, self.MOST_MIB, sorted(new))


class HelpTest(unittest.TestCase):
    """`./sg COMMAND --help` in a folder that has the launcher alone: nothing is installed or built."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copy(ROOT / "sg", self.root)
        shutil.copytree(ROOT / "experiments/setup", self.root / "experiments/setup")

    def run_sg(self, *words):
        return subprocess.run([self.root / "sg", *words], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin"})

    def test_each_command_of_its_own_prints_its_usage(self):
        for command in ("setup", "build", "test", "docs", "python"):
            with self.subTest(command=command):
                result = self.run_sg(command, "--help")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(f"\nusage: ./sg {command}", result.stdout)
                self.assertFalse((self.root / "build").exists() or (self.root / ".venv").exists())

    def test_help_of_docs_is_that_of_its_options(self):
        parsed = subprocess.run(["python3", ROOT / "experiments/docs/build_site.py", "--help"],
                                capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"})
        self.assertEqual(parsed.returncode, 0, parsed.stderr)
        options = re.findall(r"(?m)^  (--\w+ [A-Z]+) +(.*)$", parsed.stdout)
        self.assertEqual(len(options), 3, parsed.stdout)
        self.assertEqual(re.findall(r"(?m)^  (--\w+ [A-Z]+) +(.*)$", self.run_sg("docs", "--help").stdout),
                         options)

    def test_build_takes_no_word(self):
        result = self.run_sg("build", "schedulegym")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: unknown word 'schedulegym' of build: it takes none, "
                                        "see ./sg build --help\n")


class TestWordsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="schedulegym test ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def run_script(self, script, *words, **variables):
        return subprocess.run(["sh", "-c", script, "sh", *words], capture_output=True, text=True,
                              env={"root": str(self.root), "source": str(ROOT),
                                   "PATH": "/usr/bin:/bin", **variables})

    def run_tests(self, *words, **variables):
        return self.run_script(SCRIPT % PARTS, *words, **variables)

    def parts(self, *words):
        return self.run_tests(*words).stdout.splitlines()

    def test_without_a_word_the_quick_tier(self):
        self.assertEqual(self.parts(), ["unit quick", "python quick"])

    def test_all_begins_with_the_sanitized_tests(self):
        self.assertEqual(self.parts("all"), ["sanitized all", "unit all", "python all"])

    def test_a_failed_part_of_all_is_the_last(self):
        result = self.run_tests("all", failing="sanitized")
        self.assertEqual((result.returncode, result.stdout), (1, "sanitized all\n"))

    def test_a_word_is_its_part(self):
        for word in PARTS.split():
            self.assertEqual(self.parts(word), [f"{word} all"])

    def test_nightly_tells_when_it_last_passed(self):
        stamp = self.root / "build/nightly_passed"
        expected = [f"{part} nightly" for part in ("unit", "python", "wheel", "training", "docs")]
        result = self.run_tests("nightly", failing="python")
        self.assertEqual((result.returncode, result.stdout.splitlines()), (1, expected))
        self.assertIn("sg: nightly tests FAILED: python_tests\n", result.stderr)
        self.assertEqual(result.stderr.count("nightly tests have not passed in this clone yet"), 2)
        self.assertFalse(stamp.exists())
        result = self.run_tests("nightly")
        self.assertEqual((result.returncode, result.stdout.splitlines()), (0, expected))
        self.assertRegex(stamp.read_text(), r"\A\d{4}-\d\d-\d\d \d\d:\d\d, commit \w+\n\Z")
        self.assertTrue(result.stderr.endswith(f"nightly tests last passed: {stamp.read_text()}"))
        self.assertIn(stamp.read_text(), self.run_tests("nightly", failing="wheel").stderr)

    def test_each_tier_has_its_tests(self):
        python = ROOT / "tests/python"
        for words, labels, markers, checks in (
                ([], "-LE ^(long|nightly)$", "not long and not nightly", ""),
                (["all"], "-LE ^nightly$", "not nightly", "docs_check.py training_check.py"),
                (["nightly"], "-L ^nightly$", "nightly", "ray_check.py leaderboard_packages_check.py")):
            lines = self.run_script(OPTIONS, *words).stdout.splitlines()
            with self.subTest(words=words):
                self.assertTrue(lines[-2].startswith("ctest ") and lines[-2].endswith(labels), lines)
                files = "".join(f" {python / name}" for name in checks.split())
                self.assertIn(f" -m {markers}{files} ", lines[-1].replace(str(self.root / "tests"),
                                                                         str(ROOT / "tests")))

    def test_sanitized_tests_are_those_of_every_tier(self):
        line, = self.run_script(OPTIONS, "sanitized").stdout.splitlines()
        self.assertTrue(line.endswith(" -L ^sanitized$"), line)
        self.assertNotIn("-LE", line)

    def test_only_all_and_nightly_run_again_what_failed(self):
        for words, count in (([], 1), (["all"], 2), (["nightly"], 2)):
            result = self.run_script(OPTIONS, *words, failure="1")
            lines = [line for line in result.stdout.splitlines() if line.startswith("pytest ")]
            self.assertEqual((result.returncode, len(lines)), (1, count), result.stdout)
            self.assertEqual(["--again" in line for line in lines], [False, True][:count])

    def test_what_failed_and_is_not_found_again_has_failed(self):
        script = OPTIONS.replace('return "${failure-0}"; }', 'case $* in *--again*) return 5; esac; return 1; }')
        self.assertEqual(self.run_script(script, "all").returncode, 5)
        self.assertEqual(self.run_script(OPTIONS, "nightly", failure="5").returncode, 0)

    def test_without_pytest_it_is_said(self):
        script = OPTIONS.replace("need_pytest() { :; }\n", "")
        result = self.run_script(script, "python")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, r"\Aerror: no pytest in .*/.venv: expected the extra 'test' "
                                        r"\(install it: .* pytest-xdist\)\n\Z")

    def test_a_folder_without_libtorch_is_refused(self):
        result = self.run_tests("torch", "/tmp")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: no LibTorch in '/tmp': expected a folder with "
                                        "lib/libtorch_cpu.so, such as a wheel's site-packages/torch\n")

    def test_a_torch_without_libtorch_is_refused_by_the_build(self):
        result = subprocess.run(["cmake", "-D", "SCHEDULEGYM_TORCH=/tmp", "-P",
                                 ROOT / "cmake/TorchFolder.cmake"], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("SCHEDULEGYM_TORCH is '/tmp', where there is no '/tmp/include/ATen/ATen.h'",
                      " ".join(result.stderr.split()))

    def test_another_word_is_refused_with_those_that_exist(self):
        result = self.run_tests("unti")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "error: unknown tests 'unti': expected one of unit, python, "
                                        "wheel, training, docs, gpu, torch, sanitized, all, nightly, "
                                        "or nothing for unit and python\n")

    def test_help_names_every_part(self):
        for word in ("--help", "-h"):
            result = self.run_tests(word)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            parts = self.run_tests("unti").stderr.split("expected one of ")[1].split(", or ")[0]
            for part in parts.split(", "):
                self.assertRegex(result.stdout, rf"(?m)^  {part} ")

    def test_continuous_integration_runs_everything(self):
        self.assertIn('/../sg" test all\n', (ROOT / ".ci/run").read_text())


if __name__ == "__main__":
    unittest.main()
