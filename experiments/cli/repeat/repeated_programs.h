// Repeated programs: measured programs measured again, and how far the two agree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/measurement.h"
#include "env/measure/store/program_set.h"

namespace schedulegym {

// So many different programs of a set, or all, drawn uniformly; in the order of the set, by task.
std::vector<MeasuredProgram> DrawPrograms(const ProgramSet& set, int count, Rng& rng);

struct RepeatedProgram {
  MeasuredProgram program;
  // None where it was not measured, for its trace is none on this target or time was over.
  std::optional<Measurement> again;
};

// How far two speeds over the reference are from each other, whichever is larger: 0.02 is 2 %.
// None where one of them failed.
std::optional<double> DeviationOf(const RepeatedProgram& repeated);

struct RepeatSummary {
  int64_t measured = 0;
  int64_t alike = 0;      // succeeded both times, or failed in the same way
  int64_t successes = 0;  // both times
  // Of the deviations of those: the median, the least that 95 % do not exceed, and the largest.
  double median = 0, most = 0, largest = 0;
};
RepeatSummary SummaryOf(std::span<const RepeatedProgram> repeated);

// A row each, under a line of names.
std::string RepeatsToCsv(const ProgramSet& set, std::span<const RepeatedProgram> repeated);

}  // namespace schedulegym
