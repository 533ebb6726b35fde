#include "backends/runner/sandbox/result_page.h"

#include <algorithm>

namespace schedulegym {

SeriesOfPage PageOf(const TimedSeries& series) {
  SeriesOfPage page = {};
  page.first_call_seconds = series.first_call_seconds;
  page.calls_per_sample = series.calls_per_sample;
  page.rounds = static_cast<int32_t>(std::min<size_t>(series.samples.size(), kMostSamplesOfPage));
  std::copy_n(series.samples.begin(), page.rounds, page.samples);
  page.cpu_per_wall = series.cpu_per_wall;
  page.has_counters = series.counters.has_value();
  if (!series.counters) return page;
  page.instructions = series.counters->instructions;
  page.cycles = series.counters->cycles;
  return page;
}

}  // namespace schedulegym
