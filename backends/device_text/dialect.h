// DeviceDialect: how a device language spells the constructs that all of them share.
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

  // Indices of a block and of a thread: x, y, z each.
  std::array<const char*, 6> places;
  const char* barrier;
  const char* memory;         // before the type of a pointer to the device's memory
  const char* restricted;     // behind its star
  const char* shared_memory;  // before the type of a pointer to shared memory

  // Text before a helper, and a helper's text where the language has none built in.
  const char* helper_begin;
  std::array<const char*, 3> to_integer_text;
  const char* double_begin;    // of a text that has doubles
  const char* half_pair;       // a type of two halves, read and stored at once
  bool plans_unrolling;        // as in unrolling.h, not as the program states
  bool has_shuffles;           // between the lanes of a warp
  bool copies_asynchronously;  // as in async_copy.h
  bool closes_loops;           // as in closed_loops.h

  // Names that a text must not define, beside all words of small letters and digits.
  std::span<const std::string_view> reserved;

  // "__kernel ... void kernel_0(PARAMETERS) {".
  std::string (*signature)(const DeviceKernel& kernel, const std::string& parameters);
  // The array that holds all shared buffers of a kernel.
  std::string (*shared_array)(const std::string& name, int64_t bytes);
};

// OpenCL C 1.2.
const DeviceDialect& OpenClDialect();
// CUDA C++ 17; for a target with the feature `async_copy`, with asynchronous copies.
const DeviceDialect& CudaDialect();
const DeviceDialect& AsyncCudaDialect();
bool IsCuda(const DeviceDialect& dialect);
// Dialect of a target with IsGpu().
const DeviceDialect& DialectOf(const Target& target);

// Bytes of shared memory that a launch requests: for CUDA, more than a text can declare (above 48
// KiB; CUDA C++ Programming Guide 13.0, section 20.8.3).
int64_t DynamicSharedBytes(const DeviceKernel& kernel);

// Type of an element in memory ("float", "int", the bits of a half) or of an index ("int", long).
std::string DeviceTypeName(const DeviceDialect& dialect, DType type, bool wide_indices);

// The definition of a helper, "" where the language has it.
std::string HelperText(const DeviceDialect& dialect, HelperFunction helper);

}  // namespace schedulegym
