# The tests. Expects common.sh, packages.sh and build.sh. What fails is asked for where it stands:
# below `||` the shell goes on after failures.

# The tier that runs: `quick`, `all`, `nightly`, or `every` for tests of all tiers. Programs of ctest
# have the labels `long` and `nightly`, Python's tests the markers (tests/python/tiers.py).
tier=all
nightly_stamp="$root/build/nightly_passed"

# Each part installs what it needs: CI begins on a bare machine.
need_tests() { need base python learned bench browser test opencl; }

# Both with ctest's options.
unit_tests() {
  need_tests
  build all && run_built_tests "$@"
}

run_built_tests() {
  case $tier in
    quick) set -- -LE '^(long|nightly)$' "$@" ;;
    all) set -- -LE '^nightly$' "$@" ;;
    nightly) set -- -L '^nightly$' "$@" ;;
  esac
  ctest --test-dir "$build" -j "${jobs:-$(nproc)}" --output-on-failure --timeout "${test_seconds:-900}" \
    --repeat "until-pass:${tries:-1}" "$@"
}

# The tests of the package are those of the usual build alone; where it cannot be built, they are
# skipped, as those are whose tools cannot be had. In `all` the tests in *_check.py of that tier run
# with the others.
python_tests() {
  need_tests
  need_pytest
  case $tier in
    quick) set -- -m 'not long and not nightly' ;;
    all) set -- -m 'not nightly' ;;
    nightly) set -- -m nightly ;;
  esac
  if [ "$preset" != release ] || ! venv_is_fresh; then
    build schedulegym && run_side_by_side no "$@" "$root/tests/python"
  else
    make_extras studies || true
    for extra in ${more_extras-}; do make_extras "$extra" || true; done
    for check in ${more_checks-}; do set -- "$@" "$root/tests/python/$check"; done
    build python_package && run_side_by_side yes "$@" "$root/tests/python"
  fi
}

need_pytest() {
  make_venv
  make_extras test || true
  "$venv/bin/python" -c 'import pytest, pytest_timeout, xdist' 2>/dev/null || fail 3 machine \
    "no pytest in $venv: expected the extra 'test' (install it: $venv/bin/python -m pip install pytest pytest-timeout pytest-xdist)"
}

# run_pytest WORD...
run_pytest() {
  env SCHEDULEGYM_PROGRAM="$program" PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" -m pytest \
    -c "$root/pyproject.toml" --rootdir "$root" --timeout "${SCHEDULEGYM_TEST_SECONDS:-600}" "$@" 2>&1
}

# run_side_by_side PACKAGE WORD...: with as many workers as there are cores. What failed is run
# again when all have ended, one test at a time.
run_side_by_side() (
  export "SCHEDULEGYM_PACKAGE=$1"
  shift
  status=0
  run_pytest -q -n "${jobs:-$(nproc)}" --durations 25 "$@" || status=$?
  [ "$status" != 5 ] || exit 0  # this tier has no such test
  try=1
  while [ "$status" = 1 ] && [ "$try" -lt "${tries:-1}" ]; do
    try=$((try + 1))
    status=0
    run_pytest -q --again "$@" || status=$?
  done
  exit "$status"
)

# run_python_tests FILE...: one by one, all that is printed at once.
run_python_tests() {
  for file in "$@"; do
    shift
    set -- "$@" "$root/tests/python/$file"
  done
  run_pytest -v -s "$@"
}

# A wheel is built, installed into an empty environment and used: minutes.
wheel_tests() {
  need_tests
  need_pytest
  run_python_tests wheel_check.py
}

# The training extra is some gigabytes; where it or the plotting one cannot be had, what needs them is
# skipped.
training_tests() {
  need_tests
  need_pytest
  make_extras train || true
  make_extras plot || true
  build python_package && run_python_tests training_check.py trained_ends_check.py
}

# Learned agents with another LibTorch, such as that of a wheel, in a build of their own: minutes.
torch_tests() {
  torch=${1-}
  if [ -z "$torch" ]; then
    make_venv
    make_extras train || true
    torch=$("$venv/bin/python" -c 'import importlib.util as u; print(*u.find_spec("torch").submodule_search_locations)') ||
      fail 3 machine "no torch wheel in $venv: expected the extra 'train', or the folder of a LibTorch: ./sg test torch FOLDER"
  fi
  [ -e "$torch/lib/libtorch_cpu.so" ] ||
    fail 2 input "no LibTorch in '$torch': expected a folder with lib/libtorch_cpu.so, such as a wheel's site-packages/torch"
  need base python test
  cmake --preset release -S "$root" -B "$root/build/torch" -D SCHEDULEGYM_TORCH="$torch" >&2 &&
    cmake --build "$root/build/torch" --target learned_test >&2 &&
    (build=$root/build/torch && run_built_tests -R '^learned_test')
}

# The blocks of README and of the documents are run: minutes.
docs_tests() {
  need_tests
  need_pytest
  build all && build python_package && run_python_tests docs_check.py
}

# under PRESET FUNCTION ARGUMENT...: runs the tests with that preset's build. A report of a
# sanitizer fails them wherever it was made: a worker that dies of one may be replaced unnoticed.
# The sanitizers understand the quotes in their options.
# shellcheck disable=SC2089,SC2090
under() (
  preset=$1
  build="$root/build/$preset"
  program="$build/bin/schedulegym"
  test_seconds=3600
  tier=every
  shift
  say "tests with sanitizers: $preset"
  reports="$build/report"
  rm -f -- "$reports".*
  ASAN_OPTIONS="log_path='$reports'"
  UBSAN_OPTIONS="log_path='$reports' print_stacktrace=1"
  TSAN_OPTIONS="log_path='$reports' suppressions='$root/tests/thread_sanitizer.supp'"
  export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
  passed=yes
  "$@" || passed=no
  for report in "$reports".*; do
    [ -e "$report" ] || continue
    passed=no
    cat -- "$report"
  done
  [ "$passed" = yes ]
)

# Those labelled so by cmake/Sanitizers.cmake.
labelled_tests() {
  need_tests
  build "$1" && run_built_tests -L "^$1\$"
}

sanitized_tests() {
  case ${1-labelled} in
    labelled) under testing labelled_tests sanitized ;;
    all)
      # The lint reads sources, which are the same in each build.
      under testing unit_tests --exclude-regex '^lint_' &&
        under testing python_tests &&
        under tsan labelled_tests threads
      ;;
    *) fail 2 input "unknown sanitized tests '$1': expected all or nothing" ;;
  esac
}

# timed PART: and says how long it took.
timed() {
  from=$(date +%s)
  status=0
  "$1" || status=$?
  say "$1: $((($(date +%s) - from) / 60)) min $((($(date +%s) - from) % 60)) s"
  return "$status"
}

last_nightly() {
  if [ -e "$nightly_stamp" ]; then
    say "nightly tests last passed: $(cat -- "$nightly_stamp")"
  else
    say "nightly tests have not passed in this clone yet"
  fi
}

# All parts are run, whichever fails.
nightly_tests() {
  tier=nightly
  last_nightly
  failed=
  for part in unit_tests python_tests wheel_tests training_tests docs_tests; do
    (timed "$part") || {
      [ $? -ne 130 ] || exit 130  # Ctrl-C
      failed="$failed $part"
    }
  done
  if [ -z "$failed" ]; then
    mkdir -p "$root/build"
    printf '%s, commit %s\n' "$(date '+%Y-%m-%d %H:%M')" \
      "$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)" >"$nightly_stamp"
  else
    say "nightly tests FAILED:$failed"
  fi
  last_nightly
  [ -z "$failed" ]
}

# For tiers that have to end: others on the machine make limits of time pass.
patiently() {
  tries=2
  jobs=$(($(nproc) + 1))  # some wait, for one another's measuring above all
  more_extras="ioh data"  # to read back the files of boards, half a gigabyte, and Parquet, a quarter
}

test_help() {
  cat <<'END'
Builds what is missing and runs tests; exit code 0 where all pass.

usage: ./sg test [PART]

parts:
  (none)         the quick tests in C++ and in Python, before each change
  unit           the tests in C++, without the nightly ones
  python         the tests in Python, without the nightly ones
  all            all that a push must pass
  nightly        the longest tests: up to two hours
  sanitized      the tests that read foreign bytes, share memory or start processes, with sanitizers
  sanitized all  every test with sanitizers
  wheel          a wheel is built, installed and used
  training       the training examples
  docs           the blocks of README and of all pages
  gpu            kernels on the card of this machine: what a bundle checks
  torch [FOLDER] learned agents with another LibTorch

One Python test: ./sg python -m pytest tests/python/gym_test.py -k vector
END
}

# Without a word: what a change should not be made without.
run_tests() {
  case ${1-} in
    -h | --help) test_help ;;
    '')
      tier=quick
      unit_tests
      python_tests
      ;;
    unit) unit_tests ;;
    python) python_tests ;;
    wheel) wheel_tests ;;
    training) training_tests ;;
    docs) docs_tests ;;
    gpu)
      shift
      . "$root/experiments/setup/gpu.sh"
      run_bundle check,equal,planted,sanitizer "$@"
      ;;
    torch)
      shift
      torch_tests "$@"
      ;;
    sanitized)
      shift
      sanitized_tests "$@"
      ;;
    all)
      patiently
      more_checks="docs_check.py training_check.py"
      timed sanitized_tests
      timed unit_tests
      timed python_tests
      ;;
    nightly)
      patiently
      more_extras="ioh data train docs cuda"
      (make_venv && make_extras cuda) || true  # the tests in C++, which come first, look for it
      more_checks="ray_check.py leaderboard_packages_check.py"
      test_seconds=3600
      nightly_tests
      ;;
    *) fail 2 input "unknown tests '$1': expected one of unit, python, wheel, training, docs, gpu, torch, sanitized, all, nightly, or nothing for unit and python" ;;
  esac
}
