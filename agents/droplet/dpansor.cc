// DPAnsor (Canesche et al., arXiv 2406.20037; TVM pull request 16499): k trials of another agent,
// then droplet from the best of them over the numbers of its trace (refiner.h). k is 300; if the
// budget of a task is smaller, it shrinks to budget * k / (k + refining trials), with a message.
// Records of earlier searches by the same agent in the same space count as part of the k.
// mode=faithful uses Ansor as published and the pull request's refiner.
#include "agents/droplet/droplet.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agents/agent_maker.h"
#include "agents/droplet/refiner.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kName = "dpansor";

// The first search of a task.
struct Exploration {
  int64_t trials = 0;  // including those of earlier searches
  bool begun = false;
  bool ended = false;
};

class DpansorAgent : public Agent {
 public:
  // The setup is the first agent's.
  DpansorAgent(AgentSetup explorer, int64_t k, const RefinerOptions& options,
               const AgentContext& context)
      : explorer_setup_(std::move(explorer)),
        explorer_(context.maker.Make(WithSetup(context, explorer_setup_))),
        space_(context.space.Name()),
        k_(k),
        refiner_(options, context),
        explorations_(context.setup.tasks.size()) {}

  std::vector<Proposal> Propose(int task, int count) override {
    Exploration& exploration = explorations_[task];
    exploration.begun = true;
    const int most = static_cast<int>(std::min<int64_t>(count, k_ - exploration.trials));
    if (!exploration.ended && most > 0) {
      std::vector<Proposal> proposals = explorer_->Propose(task, most);
      exploration.trials += std::ssize(proposals);
      if (!proposals.empty()) return proposals;
    }
    exploration.ended = true;
    std::vector<Proposal> proposals = refiner_.Propose(task, count);
    for (Proposal& proposal : proposals) proposal.note = WithSearchBefore(proposal, exploration);
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    refiner_.Learn(trials);
    std::vector<Trial> explored;
    for (const Trial& trial : trials) {
      Exploration& exploration = explorations_[trial.task];
      if (exploration.ended) continue;
      if (!exploration.begun && Counts(*trial.record)) ++exploration.trials;
      if (!RecordToLearnFrom(trial)) --exploration.trials;  // not one of the first k
      explored.push_back(trial);
    }
    explorer_->Learn(explored);
  }

  ModelState* memory() override { return explorer_->memory(); }

 private:
  std::string WithSearchBefore(const Proposal& proposal, const Exploration& exploration) const {
    RefineNote note = ParseRefineNote(proposal.note).value();
    note.agent = explorer_setup_.agent;
    note.after = exploration.trials;
    return note.ToText();
  }

  // Returns whether a record of an earlier search counts as one of the first k trials.
  bool Counts(const Record& record) const {
    if (!record.space.empty() && record.space != space_) return false;
    const Result<Spec> agent = ParseSpec(record.agent);
    return agent && (agent->name == explorer_setup_.agent.name || agent->name == kName);
  }

  AgentSetup explorer_setup_;
  std::unique_ptr<Agent> explorer_;
  std::string space_;  // spec
  int64_t k_;
  Refiner refiner_;
  std::vector<Exploration> explorations_;  // by task
};

// Returns k for this search's budget per task: all of k if it fits, otherwise k's share of the
// requested trials, with a message.
int64_t FittingK(int64_t k, int64_t refining, const AgentContext& context) {
  const AgentSetup& setup = context.setup;
  if (!setup.budget || setup.tasks.empty()) return k;
  const int64_t share = setup.budget->trials / std::ssize(setup.tasks);
  if (k <= share) return k;
  const double part = static_cast<double>(k) / static_cast<double>(k + refining);
  const auto fitting = static_cast<int64_t>(part * static_cast<double>(share));
  const int64_t shrunk = std::max<int64_t>(fitting, 1);
  const std::string whose = setup.tasks.size() == 1 ? "" : " of each task";
  if (context.say) {
    context.say("agent dpansor: k=" + std::to_string(shrunk) + whose + " instead of " +
                std::to_string(k) + ", for " + std::to_string(setup.budget->trials) +
                " trials do not hold more");
  }
  return shrunk;
}

}  // namespace

std::unique_ptr<Agent> MakeDpansorAgent(const AgentContext& context) {
  const std::string who = std::string("agent ") + kName;
  SpecReader reader(context.setup.agent, "agent");
  const bool fixed = reader.Choice("mode", "fixed", {"fixed", "faithful"}) == "fixed";
  RefinerOptions options = fixed ? RefinerOptions() : RefinerOptions::Published();
  const int64_t k = reader.Integer("k", 300);
  ReadRefinerOptions(reader, who, options);
  const Spec standard = ParseSpec(fixed ? "ansor" : "ansor(mode=faithful)").value();
  const Spec explorer = reader.OptionalSpec("agent").value_or(standard);
  reader.Finish();
  if (k < 1) throw InputError(who + ": k=" + std::to_string(k) + ", expected at least 1");
  const int64_t fitting = FittingK(k, options.trials, context);
  AgentSetup setup = context.setup;
  setup.agent = explorer;
  if (setup.budget) setup.budget->trials = fitting * std::ssize(setup.tasks);
  return std::make_unique<DpansorAgent>(std::move(setup), fitting, options, context);
}

}  // namespace schedulegym
