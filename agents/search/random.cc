#include "agents/search/random.h"

#include <map>
#include <set>
#include <utility>

#include "env/base/fault.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

struct RandomOptions {
  int64_t retries = 1000;
};

class RandomAgent : public Agent {
 public:
  RandomAgent(const RandomOptions& options, AgentContext context)
      : options_(options), context_(context) {}

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    const std::optional<int64_t> limit = context_.space.Limit(task);
    std::set<Key>& seen = seen_[TaskKey(*task)];
    std::vector<ScheduleState> proposals;
    int64_t failures = 0;  // in a row
    while (static_cast<int>(proposals.size()) < count && failures < options_.retries) {
      if (limit && static_cast<int64_t>(seen.size()) >= *limit) break;
      Result<ScheduleState> state = context_.space.Sample(task, context_.rng);
      if (!state || !seen.insert(StateKey(*state)).second) {
        ++failures;
        continue;
      }
      failures = 0;
      proposals.push_back(std::move(*state));
    }
    return proposals;
  }

 private:
  RandomOptions options_;
  AgentContext context_;
  std::map<Key, std::set<Key>> seen_;  // states by task
};

}  // namespace

std::unique_ptr<Agent> MakeRandomAgent(const Spec& spec, AgentContext context) {
  SpecReader reader(spec, "agent");
  RandomOptions options;
  options.retries = reader.Integer("retries", options.retries);
  reader.Finish();
  if (options.retries < 1) {
    throw InputError("agent random: retries=" + std::to_string(options.retries) +
                     ", expected at least 1");
  }
  return std::make_unique<RandomAgent>(options, context);
}

}  // namespace schedulegym
