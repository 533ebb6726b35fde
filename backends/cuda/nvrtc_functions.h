// NvrtcFunctions: our own declarations of NVRTC's C interface, releases 12 and 13.
#pragma once

#include <cstddef>

namespace schedulegym::nvrtc {

struct OpaqueProgram;
using Program = OpaqueProgram*;

constexpr int kSuccess = 0;

// As in NVRTC's documentation; a result is an enumeration of C.
using Version = int(int* major, int* minor);
using GetNumSupportedArchs = int(int* count);
using GetSupportedArchs = int(int* architectures);
using CreateProgram = int(Program* program, const char* source, const char* name, int header_count,
                          const char* const* headers, const char* const* include_names);
using DestroyProgram = int(Program* program);
using CompileProgram = int(Program program, int option_count, const char* const* options);
using GetSize = int(Program program, size_t* bytes);
using GetText = int(Program program, char* text);
using GetErrorString = const char*(int result);

}  // namespace schedulegym::nvrtc
