# Bundles for machines with a card. Expects common.sh, packages.sh and build.sh.

# make_bundle gpu WORD...: the words of the program gpu-bundle.
make_bundle() {
  [ "${1-}" = gpu ] || fail 2 input "unknown bundle '${1-}': expected gpu, as in ./sg bundle gpu -o FOLDER"
  shift
  build gpu-bundle
  exec "$build/bin/gpu-bundle" "$@"
}

# run_bundle GROUPS WORD...: on this machine, with a bundle that is made once for each build.
run_bundle() {
  groups=$1
  shift
  case ${1-} in
    -h | --help)
      build gpu-bundle-run
      exec "$build/bin/gpu-bundle-run" --help
      ;;
  esac
  build gpu-bundle
  folder="$build/gpu-bundle"
  [ "$folder/run" -nt "$build/bin/gpu-bundle" ] || "$build/bin/gpu-bundle" -o "$folder" >&2 || exit $?
  exec "$folder/run" --only "$groups" "$@"
}
