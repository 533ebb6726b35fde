# The tests. Expects common.sh, packages.sh and build.sh. What fails is asked for where it stands:
# below `||` the shell goes on after failures.

# Files of twenty seconds and more but that of `tune`, which need a quarter of an hour of a processor
# together; programs of that kind have the label `long`. Without a word they are left out.
long_files="bench_test.py command_agent_test.py export_test.py killed_search_test.py
  leaderboard_cheats_test.py leaderboard_claims_test.py leaderboard_live_test.py
  leaderboard_page_test.py leaderboard_run_test.py live_schedulers_test.py measured_gym_test.py
  plugin_test.py policy_agent_test.py promises_test.py reproduce_test.py studies_shipped_test.py
  studies_tune_test.py table_test.py verified_test.py"
quick=no

# Both with ctest's options.
unit_tests() {
  build all && run_built_tests "$@"
}

run_built_tests() {
  if [ "$quick" = yes ]; then set -- -LE long "$@"; fi
  ctest --test-dir "$build" -j "${jobs:-$(nproc)}" --output-on-failure --timeout "${test_seconds:-900}" \
    --repeat "until-pass:${tries:-1}" "$@"
}

# The tests of the package are those of the usual build alone; where it cannot be built, they are
# skipped, as those are whose tools cannot be had.
python_tests() {
  make_venv
  if [ "$preset" != release ] || ! venv_is_fresh; then
    build schedulegym && run_python_files SCHEDULEGYM_PACKAGE=no
  else
    make_extras test || true
    make_extras studies || true
    for extra in ${more_extras-}; do make_extras "$extra" || true; done
    build python_package && run_python_files SCHEDULEGYM_PACKAGE=yes
  fi
}

in_venv() { env SCHEDULEGYM_PROGRAM="$program" PYTHONDONTWRITEBYTECODE=1 "$@" 2>&1; }

# run_python_files NAME=VALUE: all files of tests, as many at a time as there are cores.
run_python_files() {
  without=
  if [ "$quick" = yes ]; then without="--without $long_files"; fi
  # shellcheck disable=SC2086
  in_venv "$1" "$venv/bin/python" "$root/tests/python/side_by_side.py" "$root/tests/python" \
    '*_test.py' --tries "${tries:-1}" \
    --processes "${jobs:-$(nproc)}" --times "$build/python_test_seconds.json" $without \
    --first plugin_test.py leaderboard_run_test.py studies_shipped_test.py \
    leaderboard_cheats_test.py tune_test.py bench_test.py measured_gym_test.py export_test.py
}

# run_python_tests FILE: one by one, all that is printed at once.
run_python_tests() {
  in_venv "$venv/bin/python" -m unittest discover -v -s "$root/tests/python" -p "$1"
}

# A wheel is built, installed into an empty environment and used: minutes.
wheel_tests() {
  make_venv
  make_extras test || true
  run_python_tests wheel_check.py
}

# The training extra is some gigabytes; where it or the plotting one cannot be had, what needs them is
# skipped.
training_tests() {
  make_venv
  make_extras train || true
  make_extras plot || true
  build python_package && run_python_tests training_check.py && run_python_tests trained_ends_check.py
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
  cmake --preset release -S "$root" -B "$root/build/torch" -D SCHEDULEGYM_TORCH="$torch" >&2 &&
    cmake --build "$root/build/torch" --target learned_test harl_test >&2 &&
    (build=$root/build/torch && run_built_tests -R '^(learned|harl)_test')
}

# The blocks of README and of the documents are run: minutes.
docs_tests() {
  make_venv
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
  build "$1" && run_built_tests -L "^$1\$"
}

sanitized_tests() {
  case ${1-labelled} in
    labelled) under testing labelled_tests sanitized ;;
    all)
      # The lint reads sources, which are the same in each build.
      under testing unit_tests --exclude-regex '^lint_'
      under testing python_tests
      under tsan labelled_tests threads
      ;;
    *) fail 2 input "unknown sanitized tests '$1': expected all or nothing" ;;
  esac
}

# At the end of all tests, which have to end: not on a machine that was slow before.
sanitized_in_time() {
  took=$((($(date +%s) - begun) / 60))
  if [ "$took" -ge 40 ]; then
    say "sanitized tests are left out, for the others took $took minutes: ./sg test sanitized"
  else
    sanitized_tests
  fi
}

# timed PART: and says how long it took.
timed() {
  from=$(date +%s)
  "$1"
  say "$1: $((($(date +%s) - from) / 60)) min $((($(date +%s) - from) % 60)) s"
}

# Without a word: what a change should not be made without.
run_tests() {
  case ${1-} in
    '')
      quick=yes
      unit_tests
      python_tests
      ;;
    unit) unit_tests ;;
    python) python_tests ;;
    wheel) wheel_tests ;;
    training) training_tests ;;
    docs) docs_tests ;;
    torch)
      shift
      torch_tests "$@"
      ;;
    sanitized)
      shift
      sanitized_tests "$@"
      ;;
    all)
      tries=2  # others on the machine make limits of time pass
      jobs=$(($(nproc) + 1))  # some wait, for one another's measuring above all
      more_extras=ioh  # half a gigabyte, to read back the files of boards
      begun=$(date +%s)
      timed unit_tests
      timed python_tests
      timed wheel_tests
      timed training_tests
      timed sanitized_in_time
      ;;
    *) fail 2 input "unknown tests '$1': expected one of unit, python, wheel, training, docs, torch, sanitized, all, or nothing for unit and python" ;;
  esac
}
