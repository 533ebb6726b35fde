// FreshAgent: the agent that searches each task by fresh schedules, as its options say.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "agents/common/fresh_schedules.h"
#include "agents/common/task_search.h"
#include "env/base/spec.h"

namespace schedulegym {

// Far above what anybody wants of a count.
inline constexpr int kMostOfACount = 1'000'000;

// `retries`, 1000 unless it is given: how many draws of a space in a row may lead nowhere or repeat
// before it counts as exhausted. Throws InputError, as the other; `who` begins its line, such as
// "agent hill".
int64_t ReadRetries(SpecReader& reader, const std::string& who);
// A number from 0 to 1.
double ReadShare(SpecReader& reader, const std::string& who, const std::string& key,
                 double default_value);

// A `Search` is made of options, FreshSchedules and chance. `read(reader, who)` gives the options
// of the spec, `who` being "agent NAME"; `retries` each of these agents has. Throws InputError.
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
