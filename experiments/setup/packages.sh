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
# of Python packages is asked only where there is none.
venv_is_fresh() { fresh "$venv/.stamp" "$setup/packages.sh"; }

make_venv_locked() {
  ! venv_is_fresh || return 0
  install_packages
  say "making the Python environment in .venv"
  python=/usr/bin/python3
  [ -x "$python" ] || python=python3
  rm -rf -- "$venv"
  "$python" -m venv --system-site-packages "$venv" >&2 ||
    fail 3 machine "missing package: python3-venv (install it as root: apt-get install python3-venv)"
  begin "$venv/.stamp"
  "$venv/bin/python" -c 'import numpy' 2>/dev/null ||
    "$venv/bin/python" -m pip install -q --no-cache-dir --disable-pip-version-check numpy >&2 ||
    fail 3 machine "missing package: python3-numpy (install it as root: apt-get install python3-numpy)"
  stamp "$venv/.stamp"
}

make_venv() {
  venv_is_fresh || locked make_venv_locked
}
