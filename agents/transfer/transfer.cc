// Transfer-Tuning (Gibson and Cano, PACT 2022): the best schedule of each donor of a task's family
// is replayed on the task and measured; the fastest stays.
// 1. donors: the best of each task of `from` (stores or files of programs), nearest in size first;
//    with donors=network of the most promising file alone, by the sum over families of share *
//    sqrt(count); with within=true also each new best of the run's other tasks;
// 2. a trace is replayed unchanged if the space has it, otherwise with each length as the nearest
//    divisor (refit.h); a trace that fits neither way is skipped;
// 3. when no donor is left, the agent `then` goes on with the results of all transfers.
// mode=faithful as published: no refitting (traces with tails are skipped), donors of the file
// alone, no next agent. Cost: one replay of a trace for each donor.
#include "agents/transfer/transfer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_maker.h"
#include "agents/common/fresh_agent.h"
#include "agents/common/fresh_schedules.h"
#include "agents/common/sketch_place.h"
#include "agents/common/task_search.h"
#include "agents/transfer/donors.h"
#include "agents/transfer/refit.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/analysis.h"
#include "env/program/workloads/program_split.h"
#include "env/program/workloads/task_family.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

constexpr const char* kWho = "agent transfer";
constexpr const char* kNobody = "none";
// Characters of an unnamed family in a message.
constexpr size_t kShownFamily = 40;

struct TransferOptions {
  std::vector<std::string> from;  // files
  bool of_one_network = false;    // only the most promising of the files
  DonorRules rules;
  bool refits = true;
  bool within = true;
  std::optional<Spec> then;  // nullopt: no agent follows
};

std::vector<std::string> FilesIn(std::string_view text) {
  std::vector<std::string> files;
  while (!text.empty()) {
    const auto [file, rest] = Cut(text, ';');
    files.emplace_back(Trim(file));
    text = rest;
  }
  return files;
}

TransferOptions ReadOptions(const Spec& spec) {
  SpecReader reader(spec, "agent");
  const bool faithful = reader.Choice("mode", "improved", {"improved", "faithful"}) == "faithful";
  TransferOptions options;
  options.from = FilesIn(reader.Word("from", ""));
  const std::string donors = reader.Choice("donors", "class", {"class", "network", "all"});
  options.rules.same_family = donors != "all";
  options.of_one_network = donors == "network";
  options.rules.order = reader.Choice("order", "shape", {"shape", "speed"}) == "shape"
                            ? DonorOrder::kShape
                            : DonorOrder::kSpeed;
  options.refits =
      reader.Choice("refit", faithful ? "none" : "nearest", {"nearest", "none"}) == "nearest";
  options.within = reader.Flag("within", !faithful);
  options.then = reader.OptionalSpec("then").value_or(Spec{faithful ? kNobody : "ansor", {}});
  reader.Finish();
  if (options.then->name == kNobody) options.then.reset();
  if (!options.from.empty() || (options.within && options.then)) return options;
  throw InputError(std::string(kWho) + ": found no from, expected from=STORE or " +
                   "from=FILE.points.gz where within=false or then=none");
}

// State of one task in the run.
struct TransferTask {
  TaskInfo info;
  std::string family;
  FreshSchedules fresh;
  std::vector<size_t> left = {};  // donors of the file, the next one last
  std::optional<RatedState> best = {};
  std::map<int, Key> taken = {};  // by other task: its best that was tried here
};

class TransferAgent : public Agent {
 public:
  TransferAgent(const TransferOptions& options, const AgentContext& context)
      : options_(options), context_(context) {
    ReadFiles();
    bool has_any = false;
    for (const SearchTask& task : context.setup.tasks) {
      TaskInfo info = *DescribeTask(*task.task);
      std::string family = FamilyOf(info.workload, info.dag);
      TransferTask one = {std::move(info), std::move(family),
                          FreshSchedules(context, task.task, 1)};
      one.left = DonorsFor(one.info, donors_, options_.rules);
      std::ranges::reverse(one.left);
      has_any |= !one.left.empty();
      tasks_.push_back(std::move(one));
    }
    if (!options_.from.empty() && !has_any && !tasks_.empty()) RefuseDonors();
    if (has_any && context.say) SayWhatLeaks();
    MakeNext();
  }

  std::vector<Proposal> Propose(int task, int count) override {
    std::vector<Proposal> proposals = FromFile(tasks_[task], count);
    if (options_.within) TakeWithin(task, count, proposals);
    for (const Proposal& proposal : proposals) transferred_.insert({task, proposal.key});
    if (!proposals.empty() || next_ == nullptr) return proposals;
    return next_->Propose(task, count);
  }

  void Learn(std::span<const Trial> trials) override {
    std::vector<Trial> told;
    for (const Trial& trial : trials) {
      TransferTask& task = tasks_[trial.task];
      task.fresh.Learn(trial);
      const std::optional<RatedState> rated = RatingOf(trial);
      if (rated && (!task.best || rated->speed > task.best->speed)) task.best = rated;
      if (!transferred_.contains({trial.task, trial.key})) {
        told.push_back(trial);
      } else if (RecordToLearnFrom(trial) != nullptr) {
        told.push_back(trial);
        // The next agent did not propose it, so it is a known result.
        if (trial.told == TrialStatus::kMeasured) told.back().told = TrialStatus::kKnown;
      }
    }
    if (next_ != nullptr && !told.empty()) next_->Learn(told);
  }

  ModelState* memory() override { return next_ == nullptr ? nullptr : next_->memory(); }

 private:
  // Prints one line if a donor equals a task that models are tested on, up to a tenth.
  void SayWhatLeaks() const {
    const std::map<Key, Spec> tests = TestComputations(ProgramSplits());
    for (const TransferTask& task : tasks_) {
      const std::optional<Spec> mine = TestTaskOf(tests, task.info.dag);
      if (!mine) continue;
      for (const size_t donor : task.left) {
        const TaskInfo& info = donors_[donor].task;
        const std::string& workload = info.workload;
        const Result<Spec> other = ParseWorkload(workload);
        const bool is_near = other && IsNear(*mine, *other);
        if (!is_near && TestTaskOf(tests, info.dag) != mine) continue;
        return context_.say(Join({kWho, ": donor ", workload, " is near ", task.info.workload,
                                  ", a test task of programs-v1"},
                                 ""));
      }
    }
  }

  [[noreturn]] void RefuseDonors() const {
    std::set<std::string> families;
    for (const Donor& donor : donors_) families.insert(donor.family.substr(0, kShownFamily));
    const std::vector<std::string> names(families.begin(), families.end());
    throw InputError(std::string(kWho) + ": found no donor for " + tasks_.front().info.workload +
                     " in '" + Join(options_.from, ";") +
                     "', expected other sizes of its kind; the file has " +
                     (names.empty() ? "none" : Join(names, ", ")));
  }

  // Reads all files; with donors=network keeps one, by shares of the run's arithmetic.
  void ReadFiles() {
    std::vector<std::vector<Donor>> networks;
    for (const std::string& file : options_.from) networks.push_back(ReadDonors(file));
    if (networks.empty()) return;
    if (!options_.of_one_network) {
      for (std::vector<Donor>& one : networks) std::ranges::move(one, std::back_inserter(donors_));
      return;
    }
    std::map<std::string, double> shares;
    double sum = 0;
    for (const SearchTask& task : context_.setup.tasks) {
      const std::shared_ptr<const TaskInfo> info = DescribeTask(*task.task);
      const double work = task.weight * CountFlops(task.task->dag);
      shares[FamilyOf(info->workload, info->dag)] += work;
      sum += work;
    }
    for (auto& [family, share] : shares) share /= std::max(sum, 1.0);
    donors_ = std::move(networks[ChooseNetwork(shares, networks)]);
  }

  void MakeNext() {
    if (!options_.then) return;
    next_setup_ = context_.setup;
    next_setup_.agent = *options_.then;
    next_ = context_.maker.Make(WithSetup(context_, next_setup_));
  }

  std::vector<Proposal> FromFile(TransferTask& task, int count) {
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < count && !task.left.empty()) {
      context_.stop.Check();
      const Donor& donor = donors_[task.left.back()];
      task.left.pop_back();
      Take(task, donor.task.workload, donor.trace, proposals);
    }
    return proposals;
  }

  // Tries the best of each of the run's other tasks once.
  void TakeWithin(int index, int count, std::vector<Proposal>& proposals) {
    TransferTask& task = tasks_[index];
    for (int other = 0; other < std::ssize(tasks_) && std::ssize(proposals) < count; ++other) {
      const TransferTask& giver = tasks_[other];
      const bool is_donor = other != index && giver.best && giver.info.dag != task.info.dag &&
                            (!options_.rules.same_family || giver.family == task.family);
      if (!is_donor || task.taken[other] == giver.best->key) continue;
      task.taken[other] = giver.best->key;
      Take(task, giver.info.workload, giver.best->state.TraceText(), proposals);
    }
  }

  // Adds a proposal with the donor's schedule for the task if it is a new one.
  void Take(TransferTask& task, const std::string& workload, const std::string& trace,
            std::vector<Proposal>& proposals) {
    std::optional<ScheduleState> state = Fitted(task, trace);
    if (!state) return;
    Proposal proposal = ProposalOf(*std::move(state));
    if (!task.fresh.Claim(proposal)) return;
    proposal.note = Spec{"transfer", {{"of", SpecValue{workload}}}}.ToText();
    proposals.push_back(std::move(proposal));
  }

  // Replays the trace unchanged if the space has it (tails may be fast), otherwise refitted. Spaces
  // without sketches take any schedule that can be lowered. With refit=none no tails are allowed.
  std::optional<ScheduleState> Fitted(TransferTask& task, const std::string& trace) {
    const std::shared_ptr<const Task>& target = context_.setup.tasks[&task - tasks_.data()].task;
    const std::vector<Sketch>& sketches = task.fresh.sketches();
    const Result<ScheduleState> as_is = ReplayText(target, trace);
    const bool may_stand = as_is && (options_.refits || HasEvenSplits(*as_is));
    if (may_stand && (sketches.empty() || FindPlace(sketches, *as_is))) return *as_is;
    if (!options_.refits) return std::nullopt;
    const Result<ScheduleState> refitted = ReplayRefitted(target, trace);
    return refitted ? std::optional(*refitted) : std::nullopt;
  }

  TransferOptions options_;
  AgentContext context_;
  std::vector<Donor> donors_;  // of the file
  std::vector<TransferTask> tasks_;
  AgentSetup next_setup_;  // outlives the agent made of it
  std::unique_ptr<Agent> next_;
  std::set<std::pair<int, Key>> transferred_;
};

}  // namespace

std::unique_ptr<Agent> MakeTransferAgent(const AgentContext& context) {
  return std::make_unique<TransferAgent>(ReadOptions(context.setup.agent), context);
}

}  // namespace schedulegym
