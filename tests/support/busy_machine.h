// Busy machine: what a test does where others keep the machine from measuring anything.
#pragma once

#include <gtest/gtest.h>

#include "env/measure/measurement.h"

namespace schedulegym {

// Whether noise is all that came of it. Any other failure is one of the thing under test.
inline bool IsNoise(const Measurement& measurement) {
  return GroupOf(measurement.outcome) == OutcomeGroup::kRepeat;
}

// Whether threads that only count get less than nine tenths of the cores, which others then take:
// asked for a third of a second.
bool AreCoresBusy();

}  // namespace schedulegym

// Skips the test on noise, fails it on any other failure. At most once in a scope.
#define SG_ASSERT_OK_OR_SKIP_NOISE(measurement)                                               \
  if (::schedulegym::IsNoise(measurement)) GTEST_SKIP() << "busy: " << (measurement).message; \
  ASSERT_TRUE((measurement).ok()) << (measurement).message
