#include "experiments/bench/interleaved_result.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

// The entry at `index` of every result.
InterleavedEntry PoolEntries(const std::vector<InterleavedResult>& results, size_t index) {
  InterleavedEntry pooled = results.front().entries[index];
  pooled.samples.clear();
  std::vector<double> shares;
  for (const InterleavedResult& result : results) {
    const InterleavedEntry& entry = result.entries[index];
    SG_CHECK(entry.name == pooled.name && entry.detail == pooled.detail, "the same contenders");
    pooled.samples.insert(pooled.samples.end(), entry.samples.begin(), entry.samples.end());
    shares.push_back(entry.cpu_per_wall);
    if (entry.difference) pooled.difference = std::max(*entry.difference, *pooled.difference);
  }
  pooled.seconds = Median({pooled.samples.begin(), pooled.samples.end()});
  pooled.cpu_per_wall = Median(shares);
  return pooled;
}

}  // namespace

const InterleavedEntry* Fastest(const InterleavedResult& result, const std::string& name,
                                Layouts layouts) {
  const InterleavedEntry* fastest = nullptr;
  for (const InterleavedEntry& entry : result.entries) {
    if (entry.name != name || (layouts == Layouts::kPlain && !entry.is_plain)) continue;
    if (fastest == nullptr || entry.seconds < fastest->seconds) fastest = &entry;
  }
  return fastest;
}

InterleavedResult PoolInterleaved(const std::vector<InterleavedResult>& results) {
  SG_CHECK(!results.empty(), "something to pool");
  if (results.size() == 1) return results.front();
  InterleavedResult pooled = results.front();
  pooled.processes = 0;
  std::vector<double> peaks;
  for (const InterleavedResult& result : results) {
    SG_CHECK(result.entries.size() == pooled.entries.size(), "the same contenders");
    pooled.cpu_per_wall = std::min(pooled.cpu_per_wall, result.cpu_per_wall);
    pooled.short_of_cores |= result.short_of_cores;
    pooled.processes += result.processes;
    if (result.peak_gflops) peaks.push_back(*result.peak_gflops);
  }
  for (size_t i = 0; i < pooled.entries.size(); ++i) pooled.entries[i] = PoolEntries(results, i);
  if (!peaks.empty()) pooled.peak_gflops = Median(peaks);
  return pooled;
}

}  // namespace schedulegym
