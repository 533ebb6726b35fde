#!/bin/sh
# cached.sh CCACHE COMPILER WORD...: compiles through the compiler cache.
# A precompiled header is made from a source that includes it: an older one beside it would be taken
# for its contents, and the cache would give what once was made from another state of the headers. Its
# key is made of the headers' bytes, not of what the preprocessor leaves of them: a header whose
# comments changed is another file to the compiler, which would read it twice.
set -eu
for word in "$@"; do
  case $word in
    *.gch)
      rm -f -- "$word"
      export CCACHE_DEPEND=1
      ;;
  esac
done
exec "$@"
