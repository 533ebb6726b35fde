// ObjectCode: a kernel's machine code, with the contract of its calls.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

// The tensor that a kernel expects at one pointer.
struct KernelParameter {
  int64_t bytes = 0;
  bool is_output = false;
  bool is_packed = false;  // filled by a pack from the plain tensor at the same position

  static constexpr auto Fields() {
    return std::tuple(&KernelParameter::bytes, &KernelParameter::is_output,
                      &KernelParameter::is_packed);
  }
  bool operator==(const KernelParameter&) const = default;
};

struct KernelContract {
  std::vector<KernelParameter> parameters;
  std::vector<int32_t> packs;  // by pack: the parameter that it fills
  bool is_parallel = false;    // some loop runs on several threads

  static constexpr auto Fields() {
    return std::tuple(&KernelContract::parameters, &KernelContract::packs,
                      &KernelContract::is_parallel);
  }
  bool operator==(const KernelContract&) const = default;
};

KernelContract ContractOf(const LoopProgram& program);

// Whether this build has LLVM, which compiles for processors; and the error text without it.
bool HasLlvm();
inline constexpr char kNoLlvm[] =
    "this build has no llvm backend: expected LLVM 19 when it was configured";

struct ObjectCode {
  static constexpr const char* kName = "object code";
  std::string object;  // as Backend::Load takes it
  KernelContract contract;

  static constexpr auto Fields() { return std::tuple(&ObjectCode::object, &ObjectCode::contract); }
};

}  // namespace schedulegym
