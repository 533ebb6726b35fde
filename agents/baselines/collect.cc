// Three agents take turns at each task, in this order: `random`, `ansor` with random scores, and
// the searching one. With n trials of a task, `random` has the first n (1 - bred - searched),
// `ansor` the next n bred, the search the rest. Each agent receives the others' results as known,
// so nothing is measured twice and the search starts from them. An agent without further proposals
// leaves its share to the next, the last one to `random`.
#include "agents/baselines/collect.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "agents/agent_maker.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kWho = "agent collect";
constexpr const char* kNote = "collect";
// Trials of a task in one collection if no budget is known.
constexpr int64_t kUsualTrials = 256;

enum Part : size_t { kChance, kBred, kSearched };
constexpr size_t kParts = 3;
constexpr std::array<const char*, kParts> kPartNames = {"chance", "bred", "searched"};

struct CollectOptions {
  double bred = 0.25;
  double searched = 0.25;
  int64_t population = 2560;  // TenSet's
  Spec agent = {"ansor", {}};
};

double ReadShare(SpecReader& reader, const char* key, double usual) {
  const double share = reader.Number(key, usual);
  if (share >= 0 && share <= 1) return share;
  throw InputError(std::string(kWho) + ": " + key + "=" + FormatDouble(share) +
                   ", expected 0 to 1");
}

CollectOptions ReadOptions(const Spec& spec) {
  SpecReader reader(spec, "agent");
  CollectOptions options;
  options.bred = ReadShare(reader, "bred", options.bred);
  options.searched = ReadShare(reader, "searched", options.searched);
  options.population = reader.Integer("population", options.population);
  options.agent = reader.OptionalSpec("agent").value_or(options.agent);
  reader.Finish();
  if (options.bred + options.searched > 1) {
    throw InputError(std::string(kWho) + ": bred and searched are " +
                     FormatDouble(options.bred + options.searched) +
                     " together, expected at most 1");
  }
  if (options.population < 1) {
    throw InputError(std::string(kWho) + ": population=" + std::to_string(options.population) +
                     ", expected at least 1");
  }
  return options;
}

int64_t TrialsOfAll(const AgentSetup& setup) { return setup.budget ? setup.budget->trials : 0; }

int64_t TrialsOfTask(const AgentSetup& setup) {
  if (setup.tasks.empty() || TrialsOfAll(setup) == 0) return kUsualTrials;
  return std::max<int64_t>(1, TrialsOfAll(setup) / std::ssize(setup.tasks));
}

// Number of trials by part.
using Counts = std::array<int64_t, kParts>;

int64_t SumOf(const Counts& counts) { return counts[kChance] + counts[kBred] + counts[kSearched]; }

// The trials of a task after which each part ends.
Counts EndsOf(const CollectOptions& options, int64_t trials) {
  const auto all = static_cast<double>(trials);
  const auto searched = static_cast<int64_t>(options.searched * all);
  const auto bred = static_cast<int64_t>(options.bred * all);
  return {trials - searched - bred, trials - searched, trials};
}

// The same after an earlier collection with `known` trials of each part.
Counts EndsAfter(const Counts& ends, const Counts& known) {
  const Counts shares = {ends[kChance], ends[kBred] - ends[kChance], ends[kSearched] - ends[kBred]};
  Counts rest = {};
  int64_t end = 0;
  for (size_t part = 0; part < kParts; ++part) {
    end += std::max<int64_t>(0, shares[part] - known[part]);
    rest[part] = end;
  }
  return rest;
}

// Progress of a collection on one task.
struct TaskProgress {
  Counts known = {};     // in the store, from an earlier collection
  int64_t proposed = 0;  // since
};

// TenSet's generator keeps no more than it measures.
Spec BreederOf(const CollectOptions& options, int64_t trials) {
  const int64_t population = std::min(options.population, std::max<int64_t>(trials, 16));
  return {"ansor",
          {{"model", SpecValue{Spec{"random", {}}}},
           {"population", SpecValue{population}},
           {"generations", SpecValue{int64_t{1}}}}};
}

class CollectAgent : public Agent {
 public:
  CollectAgent(const CollectOptions& options, const AgentContext& context)
      : space_(context.space.Name()),
        say_(context.say),
        budget_(TrialsOfAll(context.setup)),
        progress_(context.setup.tasks.size()) {
    const int64_t trials = TrialsOfTask(context.setup);
    ends_ = EndsOf(options, trials);
    const std::array<Spec, kParts> agents = {Spec{"random", {}}, BreederOf(options, trials),
                                             options.agent};
    setups_.reserve(kParts);  // contexts refer to them
    Rng rng = context.rng;
    for (const Spec& agent : agents) {
      AgentSetup setup = context.setup;
      setup.agent = agent;
      setups_.push_back(std::move(setup));
      AgentContext inner = WithSetup(context, setups_.back());
      inner.rng = rng.Split();
      agents_.push_back(context.maker.Make(inner));
    }
  }

  std::vector<Proposal> Propose(int task, int count) override {
    SayOnce();
    const int64_t left = LeftOf(progress_[task]);
    if (left <= 0) return {};
    count = static_cast<int>(std::min<int64_t>(count, left));
    int64_t& proposed = progress_[task].proposed;
    const Counts ends = EndsAfter(ends_, progress_[task].known);
    const size_t first = PartAt(ends, proposed);
    // Tries the current part to the last, then the first ones.
    for (size_t i = 0; i < kParts; ++i) {
      const size_t part = (first + i) % kParts;
      std::vector<Proposal> proposals = ProposeOf(part, task, Left(ends[part] - proposed, count));
      if (proposals.empty()) continue;
      proposed += std::ssize(proposals);
      proposed_ += std::ssize(proposals);
      return proposals;
    }
    return {};
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) CountKnown(trial);
    for (size_t part = 0; part < kParts; ++part) {
      std::vector<Trial> told(trials.begin(), trials.end());
      for (Trial& trial : told) {
        const auto owner = owners_.find({trial.task, trial.key});
        const bool is_own = owner != owners_.end() && owner->second == part;
        if (!is_own && trial.told == TrialStatus::kMeasured) trial.told = TrialStatus::kKnown;
      }
      // Proposals of other agents that were not measured are left out.
      std::erase_if(told, [&](const Trial& trial) {
        const auto owner = owners_.find({trial.task, trial.key});
        const bool is_own = owner == owners_.end() || owner->second == part;
        return !is_own && !RecordToLearnFrom(trial);
      });
      agents_[part]->Learn(told);
    }
  }

 private:
  static size_t PartAt(const Counts& ends, int64_t proposed) {
    for (size_t part = 0; part < kParts; ++part) {
      if (proposed < ends[part]) return part;
    }
    return kChance;  // the search is longer than announced
  }

  // Limits a batch to the current part.
  static int Left(int64_t left, int count) {
    return static_cast<int>(left > 0 ? std::min<int64_t>(count, left) : count);
  }

  // Counts a trial of an earlier collection in this space; records of other agents do not count.
  void CountKnown(const Trial& trial) {
    if (trial.told != TrialStatus::kKnown || trial.record == nullptr) return;
    TaskProgress& progress = progress_[trial.task];
    if (progress.proposed > 0 || trial.record->space != space_) return;
    const std::string part = CollectedPart(trial.record->note);
    const auto* named = std::ranges::find(kPartNames, part);
    if (named == kPartNames.end()) return;
    ++progress.known[static_cast<size_t>(named - kPartNames.begin())];
    ++known_;
  }

  // Trials that a task still takes. Unlimited without a budget or without an earlier collection.
  int64_t LeftOf(const TaskProgress& progress) const {
    if (budget_ == 0 || known_ == 0) return std::numeric_limits<int64_t>::max();
    const int64_t tasks = std::ssize(progress_);
    const int64_t share = (budget_ + tasks - 1) / tasks;
    return std::min(share - SumOf(progress.known) - progress.proposed,
                    budget_ - known_ - proposed_);
  }

  void SayOnce() {
    if (known_ == 0 || budget_ == 0 || !say_) return;
    std::exchange(say_, nullptr)(std::string(kWho) + ": the store has " + std::to_string(known_) +
                                 " programs of this collection; goes on to " +
                                 std::to_string(budget_));
  }

  std::vector<Proposal> ProposeOf(size_t part, int task, int count) {
    std::vector<Proposal> proposals = agents_[part]->Propose(task, count);
    for (Proposal& proposal : proposals) {
      owners_[{task, proposal.key}] = part;
      proposal.note = CollectedNote(kPartNames[part]);
    }
    return proposals;
  }

  std::string space_;
  std::function<void(const std::string&)> say_;
  int64_t budget_ = 0;                  // trials of all tasks; 0 if unknown
  int64_t known_ = 0, proposed_ = 0;    // of all tasks
  std::vector<TaskProgress> progress_;  // by task
  Counts ends_ = {};
  std::vector<AgentSetup> setups_;                // by part
  std::vector<std::unique_ptr<Agent>> agents_;    // by part
  std::map<std::pair<int, Key>, size_t> owners_;  // part that proposed it last
};

}  // namespace

std::unique_ptr<Agent> MakeCollectAgent(const AgentContext& context) {
  return std::make_unique<CollectAgent>(ReadOptions(context.setup.agent), context);
}

std::string CollectedNote(const std::string& part) {
  return part.empty() ? "" : std::string(kNote) + "(part=" + part + ")";
}

std::string CollectedPart(const std::string& note) {
  const Result<Spec> spec = ParseSpec(note);
  if (!spec || spec->name != kNote) return "";
  SpecReader reader(*spec, "note");
  return reader.Word("part", "");
}

}  // namespace schedulegym
