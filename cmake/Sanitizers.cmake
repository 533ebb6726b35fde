# What runs under sanitizers, and what does not: said here alone, with the reason.
# SCHEDULEGYM_SANITIZERS stands for `address,undefined` (preset testing) or `thread` (preset tsan).

# Behind the filter of system calls: of all checks that of dynamic types alone asks the system
# (it opens a pipe to learn whether a virtual table can be read), which ends a candidate.
set(SG_BEHIND_FILTER sg_worker sg_measure sg_backend_llvm)

function(sg_sanitize_library name)
  if(SCHEDULEGYM_SANITIZERS MATCHES undefined AND name IN_LIST SG_BEHIND_FILTER)
    target_compile_options(${name} PRIVATE -fno-sanitize=vptr)
  endif()
endfunction()
