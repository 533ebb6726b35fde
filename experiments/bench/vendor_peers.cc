// vendor_peers [CORES] SUITE|WORKLOAD...: what the vendor libraries reach on this machine, without
// any kernel of ours.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/timing/clocks.h"
#include "experiments/bench/bench_cases.h"
#include "experiments/bench/bench_text.h"
#include "experiments/bench/expert.h"

namespace schedulegym {
namespace {

void PrintPeers(int cores, const std::vector<std::string>& words) {
  Target target = MakeTarget(Spec{"llvm", {{"cores", SpecValue{int64_t{cores}}}}});
  std::vector<BenchCase> cases = MakeBenchCases(words, target, ExpertFolder());
  for (BenchCase& one : cases) one.schedule.reset();
  const SteadyClock wall;
  const ProcessCpuClock cpu;
  std::puts(BenchHeaderText().c_str());
  RunBench(cases, {}, {wall, cpu}, [](const BenchRow& row) {
    std::puts(BenchRowText(row).c_str());
    std::fflush(stdout);
  });
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  using namespace schedulegym;
  std::vector<std::string> words(argv + 1, argv + argc);
  try {
    std::vector<int> counts = {1, 2};
    if (!words.empty()) {
      if (const auto cores = ParseInteger(words[0])) {
        counts = {static_cast<int>(*cores)};
        words.erase(words.begin());
      }
    }
    if (words.empty()) throw InputError("expected a suite or a workload");
    for (const int cores : counts) PrintPeers(cores, words);
    return 0;
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
