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

# sg_hash_headers(variable folder HEADERS ...): of their paths and texts.
function(sg_hash_headers variable folder)
  set(all "")
  foreach(header ${ARGN})
    file(SHA256 ${folder}/${header} hash)
    string(APPEND all "${header} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  set(${variable} ${hash} PARENT_SCOPE)
endfunction()
