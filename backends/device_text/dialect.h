// DeviceDialect: how a language of devices spells what all of them have.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "backends/device_text/device_program.h"
#include "env/program/expressions/dtype.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// Functions that a text must define before it uses them.
enum class HelperFunction : uint8_t {
  kTruncatedDivide,
  kFloorDivide,
  kFloorModulo,
  kFloorDivideLong,
  kFloorModuloLong,
  kToInt,   // from a real: to the nearest integer that fits, 0 for NaN
  kToChar,  // likewise
  kToLong,  // likewise
  // Between 16 bits and floats, and of a float to the nearest half.
  kF16ToFloat,
  kFloatToF16,
  kRoundF16,
  kBf16ToFloat,
  kFloatToBf16,
  kRoundBf16,
  // To a float whose nearest half is that of the number.
  kDoubleToOdd,
  kIntToOdd,
  kLongToOdd,
};

struct DeviceDialect {
  const char* name;       // "opencl", also that of its target
  const char* extension;  // of files, ".cl"

  // Types and constants.
  const char* char_type;
  const char* long_type;
  const char* long_suffix;    // of a constant
  const char* unsigned_type;  // of 32 bits
  const char* bits_type;      // of 16 bits, unsigned
  const char* real_suffix;    // of functions of a float: "f" of expf
  // Of float and double.
  std::array<const char*, 2> nan;
  std::array<const char*, 2> infinity;
  std::array<const char*, 3> to_integer;  // kToInt, kToChar, kToLong

  // Of a block and a thread: x, y, z each.
  std::array<const char*, 6> places;
  const char* barrier;
  const char* memory;         // before the type of a pointer to the device's memory
  const char* restricted;     // behind its star
  const char* shared_memory;  // before the type of a pointer to shared memory

  // Before a helper, and a helper's text where the language has none built in.
  const char* helper_begin;
  std::array<const char*, 3> to_integer_text;
  const char* double_begin;    // of a text that has doubles
  const char* half_pair;       // a type of two halves, read and stored at once
  bool plans_unrolling;        // as unrolling.h has it, rather than as the program says
  bool has_shuffles;           // between the lanes of a warp
  bool copies_asynchronously;  // as async_copy.h has it
  bool closes_loops;           // as closed_loops.h has it

  // Names that a text cannot give, beside all words of small letters and digits.
  std::span<const std::string_view> reserved;

  // "__kernel ... void kernel_0(PARAMETERS) {".
  std::string (*signature)(const DeviceKernel& kernel, const std::string& parameters);
  // The array that all shared buffers of a kernel lie in.
  std::string (*shared_array)(const std::string& name, int64_t bytes);
};

// OpenCL C 1.2.
const DeviceDialect& OpenClDialect();
// CUDA C++ 17; for a target with the feature `async_copy`, with asynchronous copies.
const DeviceDialect& CudaDialect();
const DeviceDialect& AsyncCudaDialect();
bool IsCuda(const DeviceDialect& dialect);
// Of a target with IsGpu().
const DeviceDialect& DialectOf(const Target& target);

// Shared memory that a launch asks for: of CUDA, what a text cannot declare (above 48 KiB; CUDA C++
// Programming Guide 13.0, section 20.8.3).
int64_t DynamicSharedBytes(const DeviceKernel& kernel);

// Of an element in memory: "float", "int", the bits of a half; of an index, "int" or the long type.
std::string DeviceTypeName(const DeviceDialect& dialect, DType type, bool wide_indices);

// The definition of a helper, "" where the language has it.
std::string HelperText(const DeviceDialect& dialect, HelperFunction helper);

}  // namespace schedulegym
