#include "agents/common/task_search.h"

#include <utility>

#include "agents/agent_maker.h"

namespace schedulegym {
namespace {

class AgentOfSearches : public Agent {
 public:
  explicit AgentOfSearches(std::vector<std::unique_ptr<TaskSearch>> searches)
      : searches_(std::move(searches)) {}

  std::vector<Proposal> Propose(int task, int count) override {
    return searches_[task]->Propose(count);
  }

  void Learn(std::span<const Trial> trials) override {
    while (!trials.empty()) {
      const int task = trials.front().task;
      size_t some = 1;
      while (some < trials.size() && trials[some].task == task) ++some;
      searches_[task]->Learn(trials.first(some));
      trials = trials.subspan(some);
    }
  }

 private:
  std::vector<std::unique_ptr<TaskSearch>> searches_;  // by task
};

}  // namespace

std::unique_ptr<Agent> MakeAgentOfSearches(const AgentContext& context,
                                           const TaskSearchMaker& maker) {
  std::vector<Rng> streams = TaskStreams(context);
  std::vector<std::unique_ptr<TaskSearch>> searches;
  for (size_t i = 0; i < streams.size(); ++i) {
    const std::shared_ptr<const Task>& task = context.setup.tasks[i].task;
    searches.push_back(maker(task, Rng(streams[i].Next() ^ TaskKey(*task).low)));
  }
  return std::make_unique<AgentOfSearches>(std::move(searches));
}

std::optional<RatedState> RatingOf(const Trial& trial) {
  const Record* record = RecordToLearnFrom(trial);
  if (record == nullptr || !record->measurement.ok()) return std::nullopt;
  return RatedState{trial.state, trial.key, record->measurement.timing->ratio.median};
}

}  // namespace schedulegym
