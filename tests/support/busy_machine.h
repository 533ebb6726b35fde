// BusyMachine: checks for tests that cannot measure because other processes use the machine.
#pragma once

#include <gtest/gtest.h>

#include "env/measure/measurement.h"

namespace schedulegym {

// Returns whether the outcome is noise. Other failures are failures of the tested code.
inline bool IsNoise(const Measurement& measurement) {
  return GroupOf(measurement.outcome) == OutcomeGroup::kRepeat;
}

// Runs counting threads for a third of a second. Returns whether they get less than nine tenths of
// the cores, because other processes use them.
bool AreCoresBusy();

}  // namespace schedulegym

// Skips the test on noise, fails it on any other failure. Use it at most once in a scope.
#define SG_ASSERT_OK_OR_SKIP_NOISE(measurement)                                               \
  if (::schedulegym::IsNoise(measurement)) GTEST_SKIP() << "busy: " << (measurement).message; \
  ASSERT_TRUE((measurement).ok()) << (measurement).message
