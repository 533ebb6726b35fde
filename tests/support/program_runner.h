// ProgramRunner: runs loop programs on backends, in memory that detects writes out of bounds.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "env/base/rng.h"
#include "env/program/expressions/half.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// The memory of one parameter, aligned only as its type requires, between canaries.
class GuardedMemory {
 public:
  // Starts `offset` bytes after a multiple of 64.
  explicit GuardedMemory(int64_t bytes, int64_t offset)
      : bytes_(bytes), begin_(kLineBytes + offset) {
    lines_.resize(static_cast<size_t>((begin_ + bytes) / kLineBytes + 2));
    std::memset(lines_.data(), kCanary, lines_.size() * kLineBytes);
  }

  unsigned char* data() { return lines_[0].bytes + begin_; }
  const unsigned char* data() const { return lines_[0].bytes + begin_; }
  int64_t bytes() const { return bytes_; }
  template <typename T>
  T* as() {
    return reinterpret_cast<T*>(data());
  }
  bool Intact() const {
    const unsigned char* all = lines_[0].bytes;
    const int64_t size = static_cast<int64_t>(lines_.size()) * kLineBytes;
    for (int64_t at = 0; at < size; ++at) {
      const bool inside = at >= begin_ && at < begin_ + bytes_;
      if (!inside && all[at] != kCanary) return false;
    }
    return true;
  }

 private:
  static constexpr int64_t kLineBytes = 64;
  static constexpr unsigned char kCanary = 0xa5;
  struct alignas(kLineBytes) Line {
    unsigned char bytes[kLineBytes];
  };

  int64_t bytes_;
  int64_t begin_;
  std::vector<Line> lines_;
};

// Integers from -range to range, in the type's format; equal for equal seeds.
inline void FillSmall(GuardedMemory& memory, DType type, uint64_t seed, int64_t range = 7) {
  Rng rng(seed);
  const int64_t count = memory.bytes() / SizeInBytes(type);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = rng.Below(2 * range + 1) - range;
    if (type == DType::kF32) memory.as<float>()[i] = static_cast<float>(value);
    if (type == DType::kF64) memory.as<double>()[i] = static_cast<double>(value);
    if (type == DType::kI32) memory.as<int32_t>()[i] = static_cast<int32_t>(value);
    if (type == DType::kI8) memory.as<int8_t>()[i] = static_cast<int8_t>(value);
    if (IsHalf(type)) {
      memory.as<uint16_t>()[i] = FloatToHalf(type, static_cast<float>(value));
    }
  }
}

// Memory for each parameter; outputs are filled with junk.
inline std::vector<GuardedMemory> MakeArguments(const LoopProgram& program, uint64_t seed,
                                                int64_t range = 7) {
  std::vector<GuardedMemory> arguments;
  for (const Parameter& parameter : program.parameters) {
    const int64_t offset = parameter.is_packed ? 0 : SizeInBytes(parameter.type);
    arguments.emplace_back(parameter.bytes, offset);
    if (parameter.is_output) {
      std::memset(arguments.back().data(), 0x7f, static_cast<size_t>(parameter.bytes));
    } else {
      FillSmall(arguments.back(), parameter.type, seed + arguments.size(), range);
    }
  }
  return arguments;
}

inline Result<void> RunKernel(const Kernel& kernel, std::vector<GuardedMemory>& arguments) {
  std::vector<void*> pointers;
  for (GuardedMemory& memory : arguments) pointers.push_back(memory.data());
  return kernel.Run(pointers);
}

inline Target TargetOf(const std::string& spec) { return MakeTarget(ParseSpec(spec).value()); }

inline Result<std::vector<GuardedMemory>> RunOn(const Backend& backend, const LoopProgram& program,
                                                const CompileOptions& options,
                                                std::vector<GuardedMemory> arguments) {
  const auto kernel = backend.Compile(program, options);
  if (!kernel) return kernel.error();
  if (auto run = RunKernel(**kernel, arguments); !run) return run.error();
  return arguments;
}

inline void ExpectEqualMemories(const LoopProgram& program, std::vector<GuardedMemory>& got,
                                const std::vector<GuardedMemory>& want, const std::string& what) {
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(got[i].Intact()) << what << " writes beyond " << program.parameters[i].name;
    const int64_t bytes = got[i].bytes();
    for (int64_t at = 0; at < bytes; ++at) {
      if (got[i].data()[at] == want[i].data()[at]) continue;
      const int64_t element = at / SizeInBytes(program.parameters[i].type);
      ADD_FAILURE() << what << " differs at element " << element << " of "
                    << program.parameters[i].name;
      break;
    }
  }
}

}  // namespace schedulegym
