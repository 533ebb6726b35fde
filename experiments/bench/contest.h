// Contest: the kernels of one computation timed interleaved, the machine's peak among them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/paired_timer.h"
#include "env/program/dtype.h"

namespace schedulegym {

// In which of its layouts a contender's operands may lie.
enum class Layouts : uint8_t { kAny, kPlain };

struct Contender {
  std::string name;
  std::string detail;
  std::function<void()> call;
  bool is_plain = true;  // operands lie as the workload writes them
};

struct ContestOptions {
  int rounds = 51;
  double sample_seconds = 0.001;
  // How often all is timed when someone did not get the cores it was to have.
  int attempts = 4;
  // CPU time over wall time that counts as having had them, for each core.
  double least_share = 0.9;
  int most_bits = 512;  // of the vectors that the peak is measured with
};

struct ContestEntry {
  std::string name;
  std::string detail;
  double seconds = 0;          // median, of one call
  std::vector<float> samples;  // seconds for one call, one a round
  double cpu_per_wall = 1;
  bool is_plain = true;
};

struct ContestResult {
  std::vector<ContestEntry> entries;  // in the order of the contenders
  std::optional<double> peak_gflops;  // of these cores and this type, at the median
  std::string peak_detail;
  // The least of what counts, the fastest of each name, plain and else, and the peak; below the
  // cores asked for by more than the options allow when no attempt got them.
  double cpu_per_wall = 1;
  bool short_of_cores = false;
};

// `cores` is what each contender uses by itself. Only floating types of the machine's own
// arithmetic have a peak. Not empty.
ContestResult HoldContest(const std::vector<Contender>& contenders, DType type, int cores,
                          const ContestOptions& options, const PairedClocks& clocks, Rng& rng);

// Of the entries called `name` in such layouts, the fastest; null if there is none.
const ContestEntry* Fastest(const ContestResult& result, const std::string& name,
                            Layouts layouts = Layouts::kAny);

}  // namespace schedulegym
