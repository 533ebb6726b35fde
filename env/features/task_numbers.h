// TaskNumbers: what a computation and its target are like, as numbers within [0, 1].
#pragma once

#include <vector>

#include "env/program/task.h"

namespace schedulegym {

struct TaskNumbersLayout {
  static constexpr int kTarget = 12;  // numbers of the target
  static constexpr int kDag = 5;      // of the computation as a whole
  static constexpr int kRow = 28;     // of a definition

  static constexpr int Size(int definitions) { return kTarget + kDag + definitions * kRow; }
};

// Written into what is trained on these numbers; another number, other numbers.
inline constexpr int kTaskNumbersVersion = 1;

// The observation `task` names each of them.
std::vector<float> TargetNumbers(const Target& target);
// The computation, then so many of its definitions, the last first.
std::vector<float> DagNumbers(const ComputeDag& dag, int definitions);

// The ten numbers that TenSet appends to each statement's (Zheng et al., NeurIPS 2021 Datasets and
// its code), 1 where the printed computation has a word; here they are found in its operators.
// Winograd's and the last are always 0.
struct WordPlaces {
  static constexpr int kMax = 0, kMin = 1, kAdd = 2, kConvolution = 3, kWinograd = 4;
  static constexpr int kDepthwise = 5, kDense = 6, kSoftmax = 7, kBatched = 8;
  static constexpr int kWidth = 10;
};
std::vector<float> WordNumbers(const ComputeDag& dag);

}  // namespace schedulegym
