// FreshAgent: an agent that searches each task with a search over FreshSchedules.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "agents/common/fresh_schedules.h"
#include "agents/common/task_search.h"
#include "env/base/spec.h"

namespace schedulegym {

// The upper limit of count options, far above useful values.
inline constexpr int kMostOfACount = 1'000'000;

// Reads `retries` (default 1000): failed or repeated draws in a row after which a space counts as
// exhausted. Throws InputError, as ReadShare does. `who` begins the message, such as "agent hill".
int64_t ReadRetries(SpecReader& reader, const std::string& who);
// Reads a number from 0 to 1.
double ReadShare(SpecReader& reader, const std::string& who, const std::string& key,
                 double default_value);

// Makes an agent of Search(options, FreshSchedules, Rng). `read(reader, who)` reads the options;
// `who` is "agent NAME". Every such agent has the option `retries`. Throws InputError.
template <typename Search, typename Read>
std::unique_ptr<Agent> MakeFreshAgent(const AgentContext& context, const Read& read) {
  const std::string who = "agent " + context.setup.agent.name;
  SpecReader reader(context.setup.agent, "agent");
  const auto options = read(reader, who);
  const int64_t retries = ReadRetries(reader, who);
  reader.Finish();
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<Search>(options, FreshSchedules(context, task, retries), rng);
  });
}

}  // namespace schedulegym
