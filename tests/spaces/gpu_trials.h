// GpuTrials: tasks, numbers of trials and verdicts for tests of many GPU schedules.
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

// Warps of 4, so that small extents have several.
inline Target SmallDevice() { return MakeTarget(ParseSpec("opencl(warp=4,threads=64)").value()); }

// A task of the smoke suite.
inline std::shared_ptr<const Task> SmokeTask(int number) {
  const SuiteCase entry = FindSuite("smoke")->cases.at(number);
  return std::make_shared<const Task>(
      Task{MakeWorkload(entry.workload), SmallDevice(), entry.workload.ToText()});
}

// Elements of two bytes: summed products, functions, and conversions; odd extents.
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

// Long reductions shared by threads, alone or in their readers; lengths that no warp divides.
inline constexpr const char* kSharedSums[] = {
    "input A[37, 3]\nS[i:37] = sum(k:3) A[i, k]\nC[i:37, j:5] = S[i] + A[i, 0]\n",
    "input A[5, 39]\nS[i:5] = sum(k:39) A[i, k] * A[i, k]\nC[i:5, k:39] = A[i, k] * rsqrt(S[i] + "
    "1)\n",
    "input A[13, 3, 11]\nS[i:13] = sum(j:3, k:11) A[i, j, k]\nC[i:13] = S[i] / 33\n",
    "input A[7, 30]\nM[i:7] = max(k:30) A[i, k]\nE[i:7, k:30] = exp(A[i, k] - M[i])\n"
    "S[i:7] = sum(k:30) E[i, k]\nC[i:7, k:30] = E[i, k] / S[i]\n",
    "input A[6, 23]\nM[i:6] = sum(k:23) A[i, k]\n"
    "S[i:6] = sum(k:23) (A[i, k] - M[i] / 23) * (A[i, k] - M[i] / 23)\n"
    "C[i:6, k:23] = A[i, k] * rsqrt(S[i] + 1)\n",
    "input A[2, 5, 21]\nS[n:2, i:5] = min(k:21) A[n, i, k]\n"
    "C[n:2, i:5, j:9] = S[n, i] + A[n, i, j]\n",
    "input A[9, 45]\ninput X[45]\nY[i:9] = sum(k:45) A[i, k] * X[k]\nC[i:9] = max(Y[i], 0)\n",
    "input A[29]\nS[] = sum(k:29) A[k]\nC[i:29] = A[i] - S[]\n",
    "input A[3, 3, 50]\nB[i:3, j:3] = sum(k:50) A[i, j, k] * A[j, i, k]\n"
    "C[i:3] = sum(j:3) B[i, j]\nD[i:3, j:19] = C[i] * 2\n"};

inline std::shared_ptr<const Task> SharedSumsTask(const std::string& text) {
  return std::make_shared<const Task>(Task{ParseDag(text, "sums").value(), SmallDevice(), "sums"});
}

// The number of draws; SCHEDULEGYM_DRAWS overrides `otherwise`.
inline int Draws(int otherwise) {
  const char* said = std::getenv("SCHEDULEGYM_DRAWS");
  return said ? std::atoi(said) : otherwise;
}

// Counts trials by verdict; wrong or unproved ones fail the test.
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
