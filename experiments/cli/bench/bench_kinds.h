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

// Searches each case without a schedule of its own for what the store lacks of the trials asked
// for, fewer where the case takes fewer: only trials by this agent in this space count, and with
// this toolchain, since results of another do not compare. Ends with the case that an interrupt
// meets. Cases that were searched know their effort then.
void TuneCases(Session& session, const SearchOptions& typed, const InterruptScope& interrupt,
               std::vector<BenchCase>& cases);

// Gives each case without a schedule the store's best one, whoever found it, or the reference where
// that is faster or the store has none; and its effort as far as records tell it.
void ChooseSchedules(const Session& session, std::vector<BenchCase>& cases);

// `pairs` equal ones and as many that differ by 3 %, for each of: one thread, all cores; alone, and
// beside two processes that do nothing but compute.
int BenchProtocol(Session& session, const Protocol& protocol, int64_t pairs,
                  const InterruptScope& interrupt);

// What is searched, and how.
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
