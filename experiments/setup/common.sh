# What every part of ./sg uses. Expects $root, the clone's folder.

preset=release
build="$root/build/$preset"
program="$build/bin/schedulegym"
venv="$root/.venv"

say() { printf 'sg: %s\n' "$*" >&2; }

# fail CODE KIND MESSAGE: one line, with --json also an error object, and the end.
fail() {
  printf 'error: %s\n' "$3" >&2
  if [ "${json:-no}" = yes ]; then
    escaped=$(printf '%s' "$3" | sed 's/[\\"]/\\&/g')
    printf '{"event":"error","kind":"%s","message":"%s"}\n' "$2" "$escaped"
  fi
  exit "$1"
}

# fresh STAMP PATH...: the stamp was made in this very folder and nothing below PATH is newer.
fresh() {
  stamp=$1
  shift
  [ -e "$stamp" ] && IFS= read -r made_for <"$stamp" && [ "$made_for" = "$root" ] &&
    [ -z "$(find "$@" -newer "$stamp" -print -quit)" ]
}

# stamp FILE: marks FILE.new, which was made before the work began, as done.
stamp() { mv -f -- "$1.new" "$1"; }
begin() { printf '%s\n' "$root" >"$1.new"; }

# locked FUNCTION ARGUMENT...: runs it while no other ./sg of this clone sets up or builds.
locked() {
  mkdir -p "$root/build"
  (
    if ! flock -n 9; then
      say "another ./sg is building, waiting for it"
      flock 9
    fi
    "$@"
  ) 9>"$root/build/.lock"
}
