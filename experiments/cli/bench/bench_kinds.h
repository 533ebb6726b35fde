// The kinds of `bench` beside kernels: tuned cases, throughput of trials, errors of the protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/base/spec.h"
#include "env/measure/protocol.h"
#include "experiments/bench/bench.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"
#include "experiments/cli/tune/search.h"

namespace schedulegym {

// Searches each case without a schedule of its own, for the trials that the store lacks; a case may
// have a smaller limit. Only trials by this agent, in this space and with this toolchain count.
// Ends with the case in which an interrupt comes. Searched cases then have their effort.
void TuneCases(Session& session, const SearchOptions& typed, const InterruptScope& interrupt,
               std::vector<BenchCase>& cases);

// Gives each case without a schedule the store's best one, by any agent, or the reference where
// that is faster or the store has none; and its effort from the records.
void ChooseSchedules(const Session& session, std::vector<BenchCase>& cases);

// `pairs` equal ones and as many that differ by 3 %, for each of: one thread, all cores; alone, and
// beside two processes that do nothing but compute.
int BenchProtocol(Session& session, const Protocol& protocol, int64_t pairs,
                  const InterruptScope& interrupt);

// The search of the benchmark.
struct ThroughputOptions {
  std::string workload = "matmul(m=512,n=512,k=512)";
  Spec agent = {"random", {}};
  std::optional<Spec> space = {};
  Spec protocol;
};

// Distinct candidates of the agent, every check on, on all cores and on one; records go to a store
// on disk that is thrown away. Throws InputError for a workload of several tasks.
int BenchThroughput(Session& session, const ThroughputOptions& asked, int64_t trials,
                    const InterruptScope& interrupt);

}  // namespace schedulegym
