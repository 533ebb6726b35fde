# Debian packages and the Python environment. Expects common.sh.

setup="$root/experiments/setup"

# missing NEED SET...: packages of these sets and that need that are not installed and whose command is
# absent too.
missing() {
  need=$1
  shift
  wanted=" $* "
  set --
  while read -r line_set line_need package command _; do
    if [ "$line_need" = "$need" ] && [ "${wanted#* "$line_set" }" != "$wanted" ]; then
      set -- "$@" "$package:$command"
    fi
  done <"$setup/packages.txt"
  names=
  for pair in "$@"; do names="$names ${pair%%:*}"; done
  [ -n "$names" ] || return 0
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

# announce SETS PACKAGE...: how many packages, with those that they need, and how large they are.
announce() {
  asked=$1
  shift
  size=$(as_root env LC_ALL=C apt-get -q --assume-no --no-install-recommends install "$@" 2>/dev/null |
    awk '/ newly installed/ {count = $3}
         /^Need to get/ {fetched = $4 " " $5}
         /^After this operation/ {used = $4 " " $5}
         END {if (used) print count " packages, " used " (" fetched " to fetch)"}') || true
  say "installing for $asked: ${size:+$size: }$*"
}

# install_packages SET...: all that is missing of these sets, at once; optional ones one by one where that
# fails, and only once unless `again` is set. What was built without them is built anew.
install_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0  # not a Debian: cmake names what it lacks
  required=$(missing required "$@")
  optional=$(missing optional "$@")
  mkdir -p "$root/build"
  given_up="$root/build/.unavailable"
  if [ -z "${again-}" ] && [ "$given_up" -nt "$setup/packages.txt" ]; then
    for package in $(cat -- "$given_up"); do optional=$(without "$package" $optional); done
  fi
  [ -n "$required$optional" ] || return 0

  as_root apt-get -q update >&2 || true
  # shellcheck disable=SC2086
  announce "$*" $required $optional
  # shellcheck disable=SC2086
  apt_install $required $optional || {
    [ -z "$required" ] || apt_install $required || true
    for package in $optional; do apt_install "$package" || true; done
  }
  required=$(missing required "$@")
  if [ -n "$required" ]; then
    fail 3 machine "missing packages: ${required% } (install them as root: apt-get install ${required% })"
  fi
  left=$(missing optional "$@")
  [ "$left" = "$optional" ] || : >"$root/build/.installed"
  [ -z "$left" ] || {
    say "going on without ${left% } (to add them: apt-get install ${left% }, then ./sg setup $*)"
    printf '%s\n' $left >>"$given_up"
  }
}

# without WORD WORDS...: all but the first.
without() {
  dropped=$1
  shift
  for word in "$@"; do [ "$word" = "$dropped" ] || printf '%s ' "$word"; done
}

# need SET...: the same while no other ./sg installs; costs one look at what is installed.
need() {
  [ -z "$(missing required "$@")$(missing optional "$@")" ] || locked install_packages "$@"
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
  install_packages python
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

# Where the extra cuda is installed, others keep the versions that it pins: torch asks for NVIDIA's
# compiler, too.
pip_install() {
  if [ -e "$venv/.cuda" ] && "$venv/bin/python" "$setup/python_packages.py" --pins cuda >"$venv/.pins"; then
    set -- -c "$venv/.pins" "$@"
  fi
  "$venv/bin/python" -m pip install -q --no-cache-dir --disable-pip-version-check "$@" >&2
}

# install_extras WORD...: what these words of pyproject.toml ask for; false where that cannot be had.
install_extras() {
  asked=$("$venv/bin/python" "$setup/python_packages.py" "$@") || return 1
  case " $* " in *" train "*) asked=$(with_small_torch $asked) ;; esac
  # Requirements hold no spaces.
  # shellcheck disable=SC2086
  pip_install $asked || {
    say "cannot install $(echo $asked | tr '\n' ' ')(no package index was reached, or it lacks them)"
    return 1
  }
}

# with_small_torch REQUIREMENT...: `torch` as its build without CUDA, where the index has one.
with_small_torch() {
  small=
  "$venv/bin/python" -c 'import torch' 2>/dev/null ||
    small=$("$venv/bin/python" -m pip index versions torch --disable-pip-version-check 2>/dev/null |
      grep -o '[0-9][0-9.]*+cpu' | head -n 1) || true
  for requirement in "$@"; do
    if [ "$requirement" = torch ] && [ -n "$small" ]; then requirement="torch==$small"; fi
    printf '%s ' "$requirement"
  done
  [ -n "$small" ] || "$venv/bin/python" -c 'import torch' 2>/dev/null ||
    say "this package index has no torch without CUDA: about 6 GB (an index that has one: PIP_EXTRA_INDEX_URL)"
}

# extras_are_fresh WORD, make_extras WORD: the same, once, or where another package has replaced a
# version that the extra pins.
extras_are_fresh() {
  fresh "$venv/.$1" "$root/pyproject.toml" &&
    "$venv/bin/python" "$setup/python_packages.py" --kept "$1"
}

size_of_extra() {
  awk -v name="$1" '$1 == name {print $2 " " $3; found = 1} END {if (!found) print "some MB"}' "$setup/extras.txt"
}

make_extras_locked() {
  ! extras_are_fresh "$1" || return 0
  say "installing for $1: Python packages, about $(size_of_extra "$1")"
  begin "$venv/.$1"
  install_extras "$1" || return 1
  [ "$1" != cuda ] || {
    link_cuda
    : >"$root/build/.installed"
  }
  stamp "$venv/.$1"
}

# Links of NVIDIA's libraries without their release, which CMake looks for and the packages lack.
link_cuda() {
  for library in "$venv"/lib/python3*/site-packages/nvidia/cu13/lib/lib*.so.*; do
    link=${library%%.so.*}.so
    case ${library##*/} in
      libcudart.so.* | libnvrtc.so.*) [ -e "$link" ] || ln -s "${library##*/}" "$link" ;;
    esac
  done
}

make_extras() {
  extras_are_fresh "$1" || locked make_extras_locked "$1"
}
