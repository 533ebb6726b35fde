# Debian packages and the Python environment. Expects common.sh.

setup="$root/experiments/setup"

# missing NEED: packages of that need that are not installed and whose command is absent too.
missing() {
  need=$1
  set --
  while read -r line_need package command _; do
    if [ "$line_need" = "$need" ]; then set -- "$@" "$package:$command"; fi
  done <"$setup/packages.txt"
  names=
  for pair in "$@"; do names="$names ${pair%%:*}"; done
  # shellcheck disable=SC2086
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package} ' $names 2>/dev/null || true)"
  for pair in "$@"; do
    case $installed in *" installed ${pair%%:*} "*) continue ;; esac
    command=${pair#*:}
    if [ "$command" = - ] || ! command -v "$command" >/dev/null 2>&1; then
      printf '%s ' "${pair%%:*}"
    fi
  done
}

# as_root COMMAND...: false when this user may not.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null && sudo -n "$@"
  fi
}

# apt_install PACKAGE...: everything it prints goes to stderr.
apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q \
    install -y --no-install-recommends "$@" >&2
}

# All that is missing, at once; optional ones one by one where that fails, and only once.
install_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0  # not a Debian: cmake names what it lacks
  required=$(missing required)
  optional=$(missing optional)
  given_up="$root/build/.unavailable"
  if [ "${1-}" != again ] && [ "$given_up" -nt "$setup/packages.txt" ]; then optional=; fi
  [ -n "$required$optional" ] || return 0

  say "installing packages: $required$optional"
  as_root apt-get -q update >&2 || true
  # shellcheck disable=SC2086
  apt_install $required $optional || {
    [ -z "$required" ] || apt_install $required || true
    for package in $optional; do apt_install "$package" || true; done
  }
  required=$(missing required)
  if [ -n "$required" ]; then
    fail 3 machine "missing packages: ${required% } (install them as root: apt-get install ${required% })"
  fi
  optional=$(missing optional)
  [ -z "$optional" ] || {
    say "going on without ${optional% } (to add them: apt-get install ${optional% }, then ./sg setup)"
    : >"$given_up"
  }
}

# The environment in .venv, made again when the clone has moved. It sees the system's NumPy; an index
# of Python packages is asked only for what is missing. The package of each build is found by PYTHONPATH,
# that of the usual build without.
venv_is_fresh() { fresh "$venv/.stamp" "$setup/packages.sh" "$setup/python_packages.py" "$root/pyproject.toml"; }

venv_is_ours() {
  [ -x "$venv/bin/python" ] && [ -e "$venv/.place" ] &&
    IFS= read -r made_for <"$venv/.place" && [ "$made_for" = "$root" ]
}

make_venv_locked() {
  ! venv_is_fresh || return 0
  install_packages
  if ! venv_is_ours; then
    say "making the Python environment in .venv"
    python=/usr/bin/python3
    [ -x "$python" ] || python=python3
    rm -rf -- "$venv"
    "$python" -m venv --system-site-packages "$venv" >&2 ||
      fail 3 machine "missing package: python3-venv (install it as root: apt-get install python3-venv)"
    printf '%s\n' "$root" >"$venv/.place"
  fi
  begin "$venv/.stamp"
  "$venv/bin/python" -c 'import numpy' 2>/dev/null || pip_install numpy ||
    fail 3 machine "missing package: python3-numpy (install it as root: apt-get install python3-numpy)"
  if install_extras build core; then
    "$venv/bin/python" -c 'import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "schedulegym.pth").write_text(sys.argv[1] + "\n")' \
      "$root/build/release/python"
    stamp "$venv/.stamp"
  else
    say "going on without the Python package; the next ./sg tries again"
  fi
}

make_venv() {
  venv_is_fresh || locked make_venv_locked
}

pip_install() {
  "$venv/bin/python" -m pip install -q --no-cache-dir --disable-pip-version-check "$@" >&2
}

# install_extras WORD...: what these words of pyproject.toml ask for; false where that cannot be had.
install_extras() {
  asked=$("$venv/bin/python" "$setup/python_packages.py" "$@") || return 1
  # Requirements hold no spaces.
  # shellcheck disable=SC2086
  pip_install $asked || {
    say "cannot install $(echo $asked | tr '\n' ' ')(no package index was reached, or it lacks them)"
    return 1
  }
}

# extras_are_fresh WORD, make_extras WORD: the same, once.
extras_are_fresh() { fresh "$venv/.$1" "$root/pyproject.toml"; }

make_extras_locked() {
  ! extras_are_fresh "$1" || return 0
  say "installing Python packages: $1"
  begin "$venv/.$1"
  install_extras "$1" && stamp "$venv/.$1"
}

make_extras() {
  extras_are_fresh "$1" || locked make_extras_locked "$1"
}
