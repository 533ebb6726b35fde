// GpuCase: one case of a bundle, as it lies in a file: kernels made before, to be checked or timed.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "backends/object_code.h"

namespace schedulegym {

struct CaseCode {
  std::string architecture;  // "sm_90a"
  ObjectCode code;           // of a CudaObject
  ObjectCode reference;      // what is timed beside it; empty where nothing is timed
  double estimate = 0;       // seconds by the formula of the target

  static constexpr auto Fields() {
    using T = CaseCode;
    return std::tuple(&T::architecture, &T::code, &T::reference, &T::estimate);
  }
};

struct GpuCase {
  static constexpr const char* kName = "gpu case";
  // check: outputs against the interpreter's. bench, best: seconds beside the reference schedule.
  // peer: seconds of a vendor's library. equal, planted: how often times of two kernels are told
  // apart. faulty: a kernel with a race, for the Compute Sanitizer alone.
  std::string group;
  std::string name;     // of the workload
  int32_t number = 0;   // of the schedule
  std::string release;  // of CUDA, whose compiler made the machine code: "13.0"
  std::string dag;
  double flops = 0;
  std::string peer;  // whose library is timed: "cublas", "cudnn"; "" of other groups
  // For the peer. Of a matrix product m, n, k; of a convolution n, h, w, ci, co, k, s, p.
  std::vector<int64_t> sizes;
  std::vector<CaseCode> codes;

  static constexpr auto Fields() {
    using T = GpuCase;
    return std::tuple(&T::group, &T::name, &T::number, &T::release, &T::dag, &T::flops, &T::peer,
                      &T::sizes, &T::codes);
  }
};

inline constexpr const char* kFaultyGroup = "faulty";

// Where cases lie in a bundle; they run in the order of their names.
inline constexpr const char* kCaseFolder = "cases";

}  // namespace schedulegym
