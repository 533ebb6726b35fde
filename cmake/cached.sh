#!/bin/sh
# cached.sh CCACHE COMPILER WORD...: compiles through the compiler cache.
# A precompiled header is made from a source that includes it: an older one beside it would be taken
# for its contents, and the cache would give what once was made from another state of the headers.
set -eu
for word in "$@"; do
  case $word in
    *.gch) rm -f -- "$word" ;;
  esac
done
exec "$@"
