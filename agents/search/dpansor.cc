#include "agents/search/dpansor.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "agents/builtin_agents.h"
#include "agents/search/refiner.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kName = "dpansor";

// The first search of a task.
struct Exploration {
  int64_t trials = 0;  // those of earlier searches included
  bool begun = false;
  bool ended = false;
};

class DpansorAgent : public Agent {
 public:
  DpansorAgent(Spec explorer, int64_t k, const RefinerOptions& options, AgentContext context)
      : explorer_spec_(std::move(explorer)),
        explorer_(MakeAgent(explorer_spec_, context)),
        space_(context.space.Name()),
        k_(k),
        refiner_(options, context.space) {}

  void CheckTask(const std::shared_ptr<const Task>& task) const override {
    explorer_->CheckTask(task);
  }

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    Exploration& exploration = explorations_[TaskKey(*task)];
    exploration.begun = true;
    const int most = static_cast<int>(std::min<int64_t>(count, k_ - exploration.trials));
    if (!exploration.ended && most > 0) {
      std::vector<ScheduleState> proposals = explorer_->Propose(task, most);
      exploration.trials += std::ssize(proposals);
      if (!proposals.empty()) return proposals;
    }
    exploration.ended = true;
    return refiner_.Propose(task, count);
  }

  void Learn(std::span<const Record> records) override {
    refiner_.Learn(records);
    std::vector<Record> lessons;
    for (const Record& record : records) {
      Exploration& exploration = explorations_[record.task->key];
      if (exploration.ended) continue;
      if (!exploration.begun && Counts(record)) ++exploration.trials;
      lessons.push_back(record);
    }
    explorer_->Learn(lessons);
  }

  const BoostedCostModel* model() const override { return explorer_->model(); }

  std::optional<RefinementGain> Gain(const Key& task) const override {
    std::optional<RefinementGain> gain = refiner_.Gain(task);
    if (!gain) return std::nullopt;
    gain->agent = explorer_spec_.ToText();
    gain->after = explorations_.at(task).trials;
    return gain;
  }

 private:
  // Whether an earlier search's record is one of the first k trials, or as good as one.
  bool Counts(const Record& record) const {
    if (!record.space.empty() && record.space != space_) return false;
    const Result<Spec> agent = ParseSpec(record.agent);
    return agent && (agent->name == explorer_spec_.name || agent->name == kName);
  }

  Spec explorer_spec_;
  std::unique_ptr<Agent> explorer_;
  std::string space_;  // spec
  int64_t k_;
  Refiner refiner_;
  std::map<Key, Exploration> explorations_;  // by task
};

void CheckBudget(int64_t k, const std::optional<TrialBudget>& budget) {
  if (!budget || k <= budget->trials / budget->tasks) return;
  const std::string whose =
      budget->tasks == 1 ? "" : " of each of " + std::to_string(budget->tasks) + " tasks";
  throw InputError("agent dpansor: found k=" + std::to_string(k) + whose +
                   ", expected no more than " + std::to_string(budget->trials) + " trials hold");
}

}  // namespace

std::unique_ptr<Agent> MakeDpansorAgent(const Spec& spec, AgentContext context) {
  const std::string who = std::string("agent ") + kName;
  SpecReader reader(spec, "agent");
  const bool fixed = reader.Choice("mode", "fixed", {"fixed", "faithful"}) == "fixed";
  RefinerOptions options = fixed ? RefinerOptions() : RefinerOptions::Published();
  const int64_t k = reader.Integer("k", 300);
  ReadRefinerOptions(reader, who, options);
  const Spec standard = ParseSpec(fixed ? "ansor" : "ansor(mode=faithful)").value();
  const Spec explorer = reader.OptionalSpec("agent").value_or(standard);
  reader.Finish();
  if (k < 1) throw InputError(who + ": k=" + std::to_string(k) + ", expected at least 1");
  CheckBudget(k, context.budget);
  context.budget.reset();  // the explorer's is k
  return std::make_unique<DpansorAgent>(explorer, k, options, context);
}

}  // namespace schedulegym
