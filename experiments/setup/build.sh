# Configure and build. Expects common.sh and packages.sh.

# What a target of the build is made from, relative to the clone.
sources() {
  echo CMakeLists.txt CMakePresets.json cmake env agents spaces backends assembly experiments bindings
  case $1 in
    schedulegym | python_package) ;;
    *) echo tests ;;
  esac
}

up_to_date() {
  # shellcheck disable=SC2046
  (cd "$root" && fresh "$build/.$1" $(sources "$1")) && ! was_installed_since "$build/.$1"
}

# was_installed_since FILE: packages that a build may use.
was_installed_since() { [ "$root/build/.installed" -nt "$1" ]; }

# A build folder that was made elsewhere (the clone was moved or copied) is of no use.
configure() {
  if [ -e "$build/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    rm -rf -- "$build"
  fi
  [ ! -e "$build/build.ninja" ] || lacks_package || was_installed_since "$build/build.ninja" || return 0
  say "configuring"
  set --
  toolkit=$(own_toolkit)
  [ -z "$toolkit" ] || set -- -D "CUDAToolkit_ROOT=$toolkit"
  # Whether there is a faster linker is asked again.
  (cd "$root" && cmake --preset "$preset" -U SCHEDULEGYM_LLD "$@" >&2) || {
    rm -f -- "$build/CMakeCache.txt"
    fail 3 machine "configure failed: what is missing stands above"
  }
}

# Whether CMake finds NVIDIA's toolkit by itself.
has_toolkit() {
  [ -n "${CUDAToolkit_ROOT-}${CUDA_HOME-}${CUDA_PATH-}" ] || [ -e /usr/local/cuda ] ||
    command -v nvcc >/dev/null 2>&1
}

# own_toolkit: the folder of the toolkit that `./sg setup cuda` installs, where there is no other.
own_toolkit() {
  ! has_toolkit || return 0
  for nvcc in "$venv"/lib/python3*/site-packages/nvidia/cu*/bin/nvcc; do
    [ ! -x "$nvcc" ] || printf '%s\n' "${nvcc%/bin/nvcc}"
  done | tail -n 1
}

# The build was configured before there was what the Python package needs.
lacks_package() {
  venv_is_fresh && [ ! -e "$build/python" ] &&
    ! grep -q "^SCHEDULEGYM_SANITIZERS:STRING=." "$build/CMakeCache.txt"
}

build_locked() {
  ! up_to_date "$1" || return 0
  install_packages base
  configure
  begin "$build/.$1"
  ninja -C "$build" "$1" >&2 || fail 70 bug "build failed: the compiler's message stands above"
  stamp "$build/.$1"
}

# build TARGET: costs one look at the folders when nothing is newer. `schedulegym` alone needs no
# Python, and neither it nor `python_package` the tests.
build() {
  [ "$1" = schedulegym ] || make_venv
  up_to_date "$1" || locked build_locked "$1"
}

# The Python package, in the environment where it can be imported.
build_package() {
  make_venv
  venv_is_fresh || fail 3 machine \
    "missing Python packages: $("$venv/bin/python" "$setup/python_packages.py" build core | tr '\n' ' ')(install them: $venv/bin/python -m pip install NAME...)"
  build python_package
}
