# The headers that plugins see, and their hash: used by this build and by installed copies alike.

# sg_public_headers(variable folder HEADERS ...): these and all that they include, by their paths from
# the folder, sorted.
function(sg_public_headers variable folder)
  set(waiting ${ARGN})
  set(found "")
  while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    file(STRINGS ${folder}/${header} lines REGEX "^#include \"")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      list(APPEND waiting ${included})
    endforeach()
  endwhile()
  list(SORT found)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# sg_code_of(variable file): what the compiler sees of it, without comments, empty lines and blanks at
# the ends of lines. The text is cut into tokens: quoted ones may hold what looks like a comment.
function(sg_code_of variable file)
  file(READ ${file} text)
  # Lists are cut at semicolons, but not between brackets.
  string(ASCII 1 semicolon)
  string(ASCII 2 open)
  string(ASCII 3 close)
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REPLACE "[" "${open}" text "${text}")
  string(REPLACE "]" "${close}" text "${text}")
  set(quoted [=["([^"\\]|\\.)*"|'([^'\\]|\\.)']=])
  set(comment "//[^\n]*|/[*]([^*]|[*]+[^*/])*[*]+/")
  string(REGEX MATCHALL "${quoted}|${comment}|[^\"'/]+|." tokens "${text}")
  list(FILTER tokens EXCLUDE REGEX "^(//|/[*])")
  list(JOIN tokens "" code)
  string(REGEX REPLACE "[ \t\r]*\n[ \t\r\n]*" "\n" code "${code}")
  string(STRIP "${code}" code)
  set(${variable} "${code}" PARENT_SCOPE)
endfunction()

# sg_hash_headers(variable folder HEADERS ...): of their paths and code. A changed comment does not
# change it.
function(sg_hash_headers variable folder)
  set(all "")
  foreach(header ${ARGN})
    sg_code_of(code ${folder}/${header})
    string(SHA256 hash "${code}")
    string(APPEND all "${header} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  set(${variable} ${hash} PARENT_SCOPE)
endfunction()
