// CostTerms: what the analytical estimate's seconds are made of, and coefficients for each.
#pragma once

#include <array>
#include <cstddef>

#include "env/features/analytical_cost.h"

namespace schedulegym {

// Seconds of a program, by what takes them.
struct CostTerms {
  static constexpr size_t kCount = 8;

  std::array<double, kCount> seconds = {};

  // Of each term, in order: arithmetic, access, chain, spill, l2, l3, memory, parallel.
  static const std::array<const char*, kCount>& Names();
};

using TermCoefficients = std::array<double, CostTerms::kCount>;

// Summed over the stages. Cycles of straight code are divided by the cores that are busy. With
// `roofline` arithmetic has, of each stage, the largest of its arithmetic and traffic, and access,
// chain, l2, l3 and memory have nothing.
CostTerms TermsOf(const AnalyticalCost& cost, bool roofline,
                  const AnalyticalCostOptions& options = {});

// The sum of coefficient * term.
double SecondsBy(const TermCoefficients& coefficients, const CostTerms& terms);

// Of the estimate's version 2: those of `train tuna` on the split train of programs-v1 (12,000
// programs of 96 tasks, two cores of an AMD EPYC, Zen 4, 2026-11-29).
const TermCoefficients& CalibratedCoefficients();

}  // namespace schedulegym
