// Contest result: what contenders of one computation took, interleaved, in one process or several.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace schedulegym {

// In which of its layouts a contender's operands may lie.
enum class Layouts : uint8_t { kAny, kPlain };

struct InterleavedEntry {
  std::string name;
  std::string detail;
  double seconds = 0;          // median, of one call
  std::vector<float> samples;  // seconds for one call, one a round
  double cpu_per_wall = 1;
  bool is_plain = true;
  // Of a library's result from ours over the largest value; none without a kernel of ours.
  std::optional<double> difference;

  static constexpr auto Fields() {
    using T = InterleavedEntry;
    return std::tuple(&T::name, &T::detail, &T::seconds, &T::samples, &T::cpu_per_wall,
                      &T::is_plain, &T::difference);
  }
};

struct InterleavedResult {
  std::vector<InterleavedEntry> entries;  // in the order of the contenders
  std::optional<double> peak_gflops;      // of these cores and this type, at the median
  std::string peak_detail;
  // The least of what counts, the fastest of each name, plain and else, and the peak; below the
  // cores asked for by more than the options allow when no attempt got them.
  double cpu_per_wall = 1;
  bool short_of_cores = false;
  int processes = 1;  // that timed

  static constexpr auto Fields() {
    using T = InterleavedResult;
    return std::tuple(&T::entries, &T::peak_gflops, &T::peak_detail, &T::cpu_per_wall,
                      &T::short_of_cores, &T::processes);
  }
};

// Of the entries called `name` in such layouts, the fastest; null if there is none.
const InterleavedEntry* Fastest(const InterleavedResult& result, const std::string& name,
                                Layouts layouts = Layouts::kAny);

// One result out of several processes' of the same contenders: each has another layout of its
// memory, which alone may move a time by some percent. Samples stand one process after the other;
// times are medians over all of them, the peak and CPU shares medians over the processes. Not
// empty.
InterleavedResult PoolInterleaved(const std::vector<InterleavedResult>& results);

}  // namespace schedulegym
