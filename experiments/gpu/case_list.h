// CaseList: the cases of a bundle, compiled for each architecture.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/gpu/gpu_case.h"

namespace schedulegym {

struct CaseListOptions {
  int checks = 120;    // random schedules of small operators
  int schedules = 40;  // of each workload that is timed, and a fourth of them chosen by the formula
  std::vector<std::string> cards = {"h100", "a100", "rtx3090", "rtx4090"};  // one an architecture
  uint64_t seed = 1;
};

// Makes the cases one by one, the most informative first. Throws MachineError without NVRTC.
void MakeCases(const CaseListOptions& options, const std::function<void(const GpuCase&)>& take);

}  // namespace schedulegym
