#!/bin/sh
# Makes the data sets of this folder again: measures about an hour, then packs. The same command goes
# on where it was interrupted: a step that ended is not done again.
#
#   experiments/data/make.sh [--dry-run] FOLDER
#
# FOLDER gets the stores and the sets; --dry-run prints the commands. SCHEDULEGYM is the program, by
# default the clone's ./sg.
set -eu

root=$(dirname -- "$(readlink -f -- "$0")")/../..
program=${SCHEDULEGYM:-$root/sg}
dry=no
if [ "${1-}" = --dry-run ]; then
  dry=yes
  shift
fi
case $# in
  1) folder=$1 ;;
  *) printf 'error: found %s words, expected: make.sh [--dry-run] FOLDER\n' "$#" >&2; exit 2 ;;
esac

# run WORD...: the program, in the folder.
run() {
  if [ "$dry" = yes ]; then
    printf '%s\n' "$*"
  else
    (cd -- "$folder" && "$program" "$@")
  fi
}

# step NAME WORD...: once, whatever ended the script in between.
step() {
  name=$1
  shift
  if [ "$dry" = yes ] || [ ! -e "$folder/$name.done" ]; then
    run "$@"
    [ "$dry" = yes ] || : >"$folder/$name.done"
  fi
}

# collect SPACE PART TRIALS: of a list of tasks or a network.
collect() {
  case $2 in train | valid | strange) tasks=programs_$2 ;; *) tasks=$2 ;; esac
  step "$1-$2" tune "$tasks" --trials "$3" --agent collect --scheduler round_robin --space "$1" \
    --protocol collect --finalists 0 --store "$1-$2.db"
}

# other NAME TARGET: the sample's schedules and those of the split valid on another target.
other() {
  step "$1-sample" repeat sample.points.gz --programs 100000 --target "$2" --store "$1.db"
  step "$1-valid" repeat ansor-valid.db schedulegym-valid.db --programs 100000 --target "$2" --store "$1.db"
  run records pack "$1.db" -o "programs-v1-$1.points.gz"
}

[ "$dry" = yes ] || mkdir -p -- "$folder"
stores=
for space in ansor schedulegym; do
  collect $space train 6144
  collect $space valid 1536
  collect $space strange 512
  collect $space resnet18 608
  collect $space mobilenet_v2 1056
  collect $space bert_base 256
  collect $space squeezenet 736
  for part in train valid strange resnet18 mobilenet_v2 bert_base squeezenet; do
    stores="$stores $space-$part.db"
  done
done
# Names of stores have no spaces.
# shellcheck disable=SC2086
run records pack $stores -o programs-v1.points.gz
run records pack ansor-train.db schedulegym-train.db ansor-valid.db schedulegym-valid.db --tasks 24 \
  --programs 128 -o sample.points.gz
other haswell "llvm(cpu=haswell)"
other one-core "llvm(cores=1)"
