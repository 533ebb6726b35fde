// TaskNumbers: features of a computation and of its target, within [0, 1].
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

// Written into models that are trained on these numbers; a change of the numbers changes it.
inline constexpr int kTaskNumbersVersion = 1;

// The observation `task` lists the names of these numbers.
std::vector<float> TargetNumbers(const Target& target);
// Numbers of the computation, then of `definitions` of its definitions, the last one first.
std::vector<float> DagNumbers(const ComputeDag& dag, int definitions);

// The ten numbers that TenSet appends to the features of each statement (Zheng et al., NeurIPS 2021
// Datasets and its code). TenSet sets one to 1 if the printed computation contains a word; here the
// operators decide. Winograd's and the last are always 0.
struct WordPlaces {
  static constexpr int kMax = 0, kMin = 1, kAdd = 2, kConvolution = 3, kWinograd = 4;
  static constexpr int kDepthwise = 5, kDense = 6, kSoftmax = 7, kBatched = 8;
  static constexpr int kWidth = 10;
};
std::vector<float> WordNumbers(const ComputeDag& dag);

}  // namespace schedulegym
