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
    Seen& seen = seen_[TaskKey(*task)];
    std::vector<ScheduleState> proposals;
    int64_t failures = 0;  // in a row
    while (static_cast<int>(proposals.size()) < count && failures < options_.retries) {
      if (limit && static_cast<int64_t>(seen.drawn.size() + seen.told.size()) >= *limit) break;
      Result<ScheduleState> state = context_.space.Sample(task, context_.rng);
      if (!state) {
        ++failures;
        continue;
      }
      const Key key = StateKey(*state);
      // That an earlier search drew it, too, says nothing about how much is left.
      const bool told = seen.told.erase(key) > 0;
      if (!seen.drawn.insert(key).second) {
        ++failures;
        continue;
      }
      if (told) continue;
      if (!context_.space.Admit(*state)) {
        ++failures;
        continue;
      }
      failures = 0;
      proposals.push_back(std::move(*state));
    }
    return proposals;
  }

  void Learn(std::span<const Record> records) override {
    for (const Record& record : records) {
      Seen& seen = seen_[record.task->key];
      if (seen.drawn.count(record.state_key) == 0) seen.told.insert(record.state_key);
    }
  }

 private:
  // States of a task. Nothing of either is proposed again.
  struct Seen {
    std::set<Key> drawn;  // by this agent
    std::set<Key> told;   // it has only heard of them
  };

  RandomOptions options_;
  AgentContext context_;
  std::map<Key, Seen> seen_;  // by task
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
