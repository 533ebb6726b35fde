# Help of ./sg's own commands that have no file of their own here. Expects nothing: a bare machine prints it.

build_help() {
  cat <<'END'
Installs what the build needs, configures, and builds all targets into build/release.

usage: ./sg build

It has no options. CMAKE_BUILD_PARALLEL_LEVEL=N limits the jobs, for machines with little memory.
END
}

docs_help() {
  cat <<'END'
Builds the manual as a site and serves it on this machine; prints the address.

usage: ./sg docs [--build FOLDER] [--pdf FILE] [--port N]

options:
  --build FOLDER  only build, into this folder
  --pdf FILE      only build, and print all pages into this file; needs Chromium
  --port N        port of the server on this machine, 0: any (default 8000)
END
}

python_help() {
  cat <<'END'
Runs the Python of this clone's environment (.venv), in which `import schedulegym` works; builds the package
where it is missing or older than its sources.

usage: ./sg python [WORD...]

All words are Python's, such as FILE.py, -c TEXT or -m MODULE. Python's own help: ./sg python -h
END
}

# help_of COMMAND: fails where the command has its help elsewhere.
help_of() {
  case $1 in build | docs | python) "${1}_help" ;; *) return 1 ;; esac
}
