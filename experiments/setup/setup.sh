# ./sg setup [NAME...]: the base set, or sets of packages.txt and extras of pyproject.toml by their names.
# Expects common.sh, packages.sh and build.sh.

sets() { awk '!/^#/ && NF && !seen[$1]++ {print $1}' "$setup/packages.txt"; }
extras() { awk '!/^#/ && NF {print $1}' "$setup/extras.txt"; }

# Everything else comes with the command that needs it.
list_sets() {
  say "to install more: ./sg setup NAME..., or all"
  {
    awk '!/^#/ && NF && $1 != "base" {packages[$1] = packages[$1] " " $3} !/^#/ && NF && !seen[$1]++ {order[++n] = $1}
         END {for (i = 1; i <= n; ++i) if (order[i] in packages) printf "  %-12s %s\n", order[i], "Debian:" packages[order[i]]}' \
      "$setup/packages.txt"
    awk '!/^#/ && NF {name = $1; size = $2 " " $3; $1 = $2 = $3 = ""; printf "  %-12s Python, about %s:%s\n", name, size, substr($0, 3)}' \
      "$setup/extras.txt"
  } >&2
}

setup_help() {
  cat <<'END'
Installs what the build needs, and more by name; asks for root, or sudo, where Debian's packages need it.

usage: ./sg setup [NAME...]

names (none: what the build needs):
END
  list_sets 2>&1 | sed 1d
  echo "  all          all of them"
}

# A name may be that of a set, of an extra, or of both.
run_setup() {
  again=yes
  case ${1-} in -h | --help) setup_help && return ;; esac
  if [ $# -eq 0 ]; then
    locked install_packages base
    locked configure
    list_sets
    return
  fi
  # shellcheck disable=SC2046
  [ "$*" != all ] || set -- $(sets) $(extras)
  known=" $({ sets; extras; } | awk '!seen[$1]++ {printf "%s ", $1}')"
  for name in "$@"; do
    case $known in
      *" $name "*) ;;
      *) fail 2 input "unknown extra '$name': expected one of$(echo "${known% }" | sed 's/ \([^ ]\)/, \1/g; s/^,//'), all" ;;
    esac
  done
  locked install_packages base "$@"
  for name in "$@"; do
    case " $(extras | tr '\n' ' ')" in
      *" $name "*) make_venv && make_extras "$name" ;;
    esac
  done
  case " $* " in *" python "*) make_venv ;; esac
  locked configure
}
