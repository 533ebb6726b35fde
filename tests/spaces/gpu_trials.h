// GpuTrials: what tests of many GPU schedules share: their tasks, how many, and what became of
// them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>

#include "env/program/language/parser.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "tests/fuzz/computations/differential.h"

namespace schedulegym {

inline constexpr int kSmokeTasks = 18;

// With warps of 4, so that small extents make several.
inline Target SmallDevice() { return MakeTarget(ParseSpec("opencl(warp=4,threads=64)").value()); }

// Of the smoke suite.
inline std::shared_ptr<const Task> SmokeTask(int number) {
  const SuiteCase entry = FindSuite("smoke")->cases.at(number);
  return std::make_shared<const Task>(
      Task{MakeWorkload(entry.workload), SmallDevice(), entry.workload.ToText()});
}

// Elements of two bytes: products that are summed, functions, and conversions; odd extents.
inline constexpr const char* kHalfComputations[] = {
    "input A[13, 20] : f16\ninput B[20, 24] : f16\ninput bias[24] : f16\n"
    "C[i:13, j:24] = sum(k:20) A[i, k] * B[k, j]\nD[i:13, j:24] = max(C[i, j] + bias[j], 0)\n",
    "input A[5, 24] : bf16\nM[i:5] = max(k:24) A[i, k]\n"
    "E[i:5, j:24] = exp(A[i, j] - M[i])\nS[i:5] = sum(k:24) E[i, k]\n"
    "C[i:5, j:24] = E[i, j] / S[i]\n",
    "input A[9, 16] : f16\ninput B[9, 16] : bf16\ninput D[9, 16]\n"
    "C[i:9, j:16] = f16(D[i, j] * 3) + A[i, j] / 3\n"
    "E[i:9, j:16] = bf16(C[8 - i, j]) * B[i, j]\nF[i:9] = sum(j:16) f32(E[i, j])\n"};

inline std::shared_ptr<const Task> HalfTask(const std::string& text) {
  return std::make_shared<const Task>(
      Task{ParseDag(text, "halves").value(), SmallDevice(), "halves"});
}

// SCHEDULEGYM_DRAWS makes more.
inline int Draws(int otherwise) {
  const char* said = std::getenv("SCHEDULEGYM_DRAWS");
  return said ? std::atoi(said) : otherwise;
}

// How many trials ended in each way; those that are wrong or unproved fail the test.
class Verdicts {
 public:
  void Note(const DifferentialTrial& trial, const ScheduleState& state) {
    EXPECT_NE(trial.verdict, TrialVerdict::kWrong) << trial.message << "\n" << state.TraceText();
    EXPECT_NE(trial.verdict, TrialVerdict::kUnproved) << trial.message << "\n" << state.TraceText();
    ++counts_[static_cast<int>(trial.verdict)];
  }
  int Of(TrialVerdict verdict) const { return counts_[static_cast<int>(verdict)]; }
  void Print(const std::string& name) const {
    std::printf(
        "%s: %d right, %d wrong, %d unproved, %d unsafe (%d %%), %d refused (%d %%), %d too large "
        "(%d %%)\n",
        name.c_str(), Of(TrialVerdict::kRight), Of(TrialVerdict::kWrong),
        Of(TrialVerdict::kUnproved), Of(TrialVerdict::kUnsafe), Share(TrialVerdict::kUnsafe),
        Of(TrialVerdict::kRefused), Share(TrialVerdict::kRefused), Of(TrialVerdict::kTooLarge),
        Share(TrialVerdict::kTooLarge));
  }

 private:
  // In percent.
  int Share(TrialVerdict verdict) const {
    const int all = std::accumulate(counts_.begin(), counts_.end(), 0);
    return 100 * Of(verdict) / std::max(1, all);
  }

  std::array<int, 6> counts_ = {};
};

}  // namespace schedulegym
