# The tests. Expects common.sh, packages.sh and build.sh.

unit_tests() {
  build all
  ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --timeout 900
}

python_tests() {
  build schedulegym
  make_venv
  SCHEDULEGYM_PROGRAM="$program" PYTHONDONTWRITEBYTECODE=1 \
    "$venv/bin/python" -m unittest discover -v -s "$root/tests/python" -p '*_test.py' 2>&1
}

run_tests() {
  case ${1-all} in
    unit) unit_tests ;;
    python) python_tests ;;
    all)
      unit_tests
      python_tests
      ;;
    *) fail 2 input "unknown tests '$1': expected one of unit, python, all" ;;
  esac
}
