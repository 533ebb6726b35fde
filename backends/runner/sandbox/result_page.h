// ResultPage: the only memory for results of a candidate's process; its readers must check every
// value.
#pragma once

#include <cstdint>

#include "env/measure/timing/paired_timer.h"

namespace schedulegym {

constexpr int kMostSamplesOfPage = 128;
// More than any sample has.
constexpr int64_t kMostCallsOfPage = 1'000'000;

// Facts that a fault handler could still write.
struct FaultNote {
  int32_t signal = 0;  // 0: none
  int32_t system_call = -1;
  uint64_t address = 0;
  int32_t is_write = 0;
};

struct SeriesOfPage {
  double first_call_seconds;
  int64_t calls_per_sample;
  int32_t rounds;
  float samples[kMostSamplesOfPage];  // seconds for one call
  double cpu_per_wall;
  int32_t has_counters;
  double instructions, cycles;  // of one call
};

struct ResultPage {
  FaultNote fault;
  SeriesOfPage series[2];  // reference, candidate
  int32_t early_reject;
};

constexpr int64_t kResultPageBytes = 4096;
static_assert(sizeof(ResultPage) <= kResultPageBytes);

// Converts a series; drops samples above the limit of a page.
SeriesOfPage PageOf(const TimedSeries& series);

}  // namespace schedulegym
