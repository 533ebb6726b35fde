// HARL for one task (Zhang, He and Zhang, ICPP 2022, of which parts are known only from citations).
// A round:
// 1. a sliding-window bandit chooses sketches (sliding_window_bandit.h);
// 2. tracks start at samples and at the best measured schedules of these sketches;
// 3. an actor-critic policy walks the tracks, a model scores each step, weak tracks stop
//    (track_round.h);
// 4. the best visited schedules are measured, with a share epsilon of random ones;
// 5. the model learns, and at the end the bandit: best speed of the round over the best so far.
// Until the model is trusted, rounds are random samples.
// Cost: `visits` model evaluations a round, and one PPO update every `interval` steps.
#include "agents/learned/harl/harl.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "agents/common/search_model_state.h"
#include "agents/common/sketch_place.h"
#include "agents/cost/model_registry.h"
#include "agents/learned/harl/checkpointed_agent.h"
#include "agents/learned/harl/harl_evaluator.h"
#include "agents/learned/harl/harl_model_state.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/harl/harl_prior.h"
#include "agents/learned/harl/harl_round.h"
#include "agents/learned/harl/harl_state.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/harl/track_starts.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/parallel.h"
#include "env/features/estimated_seconds.h"
#include "env/gym/actions/modify_space.h"

namespace schedulegym {
namespace {

constexpr int kAttempts = 2;    // rounds tried for one answer
constexpr int kDrawFactor = 4;  // draws for each proposal, before the first measurement

std::string RoundName(size_t task) { return "task." + std::to_string(task) + ".round"; }

struct HarlTask {
  TrackStarts starts;
  SearchModelState memory = {};
  std::optional<HarlRound> round = {};  // under way
};

std::vector<std::shared_ptr<const Task>> TasksOf(const AgentContext& context) {
  std::vector<std::shared_ptr<const Task>> tasks;
  for (const SearchTask& task : context.setup.tasks) tasks.push_back(task.task);
  return tasks;
}

// Adapts the options to the tasks' targets. Throws InputError for a model that fits none.
HarlOptions ForTasks(HarlOptions options, const AgentContext& context) {
  for (const SearchTask& task : context.setup.tasks) {
    const Target& target = task.task->target;
    if (!options.learns_model) CheckModelFits({"analytical", {}}, target);
    if (options.model_spec) CheckModelFits(*options.model_spec, target);
    options.estimates_first = options.estimates_first && CanEstimate(target);
  }
  return options;
}

class HarlAgent : public KeepableAgent {
 public:
  HarlAgent(const HarlOptions& options, const AgentContext& context)
      : options_(options),
        context_(context),
        evaluator_(ForTasks(options, context), context.stop),
        shape_(ShapeOfFile()),
        actions_(
            MakeModifySpace("modify", context.space, TasksOf(context), {.room = shape_.moves})),
        tuple_(actions_->Groups(), options.smallest_primes),
        sight_(MakeTasks()),
        memory_({Identity(), choices_, policies_,
                 [this](int task, int sketch) -> TrackPolicy& { return PolicyOf(task, sketch); },
                 evaluator_.trees()}) {
    if (!tasks_.empty()) ReadFiles();
  }

  std::vector<Proposal> Propose(int task, int count) override {
    std::optional<HarlRound>& round = tasks_[task].round;
    std::vector<Proposal> proposals;
    for (int attempt = 0; attempt < kAttempts && std::ssize(proposals) < count; ++attempt) {
      const int lacking = count - static_cast<int>(proposals.size());
      if (round && options_.reranks && !round->is_drawn) {
        round->proposals.RankAnew([&](const auto& states) { return evaluator_.Score(states); });
      }
      if (!round) round = Begin(task, std::max(options_.round, lacking));
      if (!round) break;
      std::vector<Proposal> dealt = Deal(task, lacking);
      const bool is_over =
          std::ssize(dealt) < lacking || round->proposals.dealt() >= options_.round;
      if (is_over) EndRound(task);
      std::ranges::move(dealt, std::back_inserter(proposals));
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      HarlTask& task = tasks_[trial.task];
      const std::optional<MeasuredState> measured = task.memory.Take(trial);
      if (measured) evaluator_.Learn(*measured);
    }
    if (options_.ends_draws) EndDrawing();
  }

  ModelState* memory() override { return &memory_; }

  HarlSaved State() override {
    HarlSaved saved = {memory_.State(), std::nullopt};
    for (size_t i = 0; i < tasks_.size(); ++i) {
      PutRound(saved.checkpoint, RoundName(i), tasks_[i].round);
    }
    evaluator_.Keep(saved);
    return saved;
  }

  void GoOn(const HarlSaved& saved) override {
    const Checkpoint& checkpoint = saved.checkpoint;
    memory_.GoOn(checkpoint);
    for (size_t i = 0; i < tasks_.size(); ++i) {
      tasks_[i].round = ReadRound(checkpoint, RoundName(i), RoundContext(static_cast<int>(i)),
                                  choices_[i].bandit.arms());
    }
    evaluator_.GoOn(saved);
  }

  int64_t rounds() const override { return rounds_; }

 private:
  // Makes the tasks. Returns the largest number of knobs of any sketch or of the initial policy.
  int MakeTasks() {
    const std::vector<Rng> streams = TaskStreams(context_);
    for (size_t i = 0; i < context_.setup.tasks.size(); ++i) {
      const std::shared_ptr<const Task>& task = context_.setup.tasks[i].task;
      std::vector<Sketch> sketches = RequiredSketches(context_.space, task, "agent harl");
      for (const Sketch& sketch : sketches) {
        shape_.knobs = std::max(shape_.knobs, sketch.knobs->dimensions());
      }
      const auto arms = static_cast<int>(sketches.size());
      tasks_.push_back({TrackStarts(task, std::move(sketches), *actions_)});
      choices_.push_back({SlidingWindowBandit(arms, options_.sketches), streams[i]});
    }
    shape_.moves = RoomOf(actions_->Groups());
    return shape_.knobs;
  }

  void EndRound(int task) {
    tasks_[task].round.reset();
    ++rounds_;
  }

  // Drops drawn rounds once the model is trusted.
  void EndDrawing() {
    for (int task = 0; task < std::ssize(tasks_); ++task) {
      const std::optional<HarlRound>& round = tasks_[task].round;
      if (round && round->is_drawn && evaluator_.Knows()) EndRound(task);
    }
  }

  // Returns the network of a sketch of a task, or the shared one; makes it at its first use. Its
  // random stream does not depend on the order of first uses.
  TrackPolicy& PolicyOf(int task, int sketch) {
    const std::pair<int, int> which =
        options_.shares_policy ? std::pair(0, 0) : std::pair(task, sketch);
    const auto found = policies_.find(which);
    if (found != policies_.end()) return found->second;
    Hasher hasher;
    for (const uint64_t word : context_.rng.state()) hasher.Add(word);
    hasher.Add(static_cast<uint64_t>(which.first));
    hasher.Add(static_cast<uint64_t>(which.second));
    TrackPolicy policy = MakeTrackPolicy(sight_, tuple_, options_, Rng(hasher.Value()));
    return policies_.emplace(which, std::move(policy)).first->second;
  }

  // A round for `count` proposals; nullopt if the chosen sketches have no schedule to start from.
  std::optional<HarlRound> Begin(int index, int count) {
    SketchChoice& choice = choices_[index];
    PaySketches(choice, tasks_[index].memory);
    evaluator_.TrainNow();
    return evaluator_.Knows() ? EpisodeState(index, count) : Draw(index, count);
  }

  HarlRoundContext RoundContext(int index) const {
    const std::shared_ptr<const Task>& task = context_.setup.tasks[index].task;
    return {context_.space, *actions_, task, SearchThreads(*task), context_.stop};
  }

  // Draws from all sketches; as published, from the one that the bandit chose.
  HarlRound Draw(int index, int count) {
    SketchChoice& choice = choices_[index];
    const int sketches = options_.draws_all ? choice.bandit.arms() : 1;
    const std::vector<int> chosen = ChooseSketches(choice, sketches, options_.has_bandit);
    if (sketches == 1) choice.trials = {{chosen[0], {}}};  // others are added as they occur
    const TrackStarts& starts = tasks_[index].starts;
    return DrawnRound(RoundContext(index),
                      starts.Draw(chosen, kDrawFactor * count, choice.rng, context_.stop));
  }

  std::optional<HarlRound> EpisodeState(int index, int count) {
    HarlTask& task = tasks_[index];
    SketchChoice& choice = choices_[index];
    const std::vector<int> sketches = ChooseSketches(choice, options_.spread, options_.has_bandit);
    for (const int sketch : sketches) choice.trials.push_back({sketch, {}});
    const HarlRoundContext context = RoundContext(index);
    TrackRoundOptions options = RoundOptions(options_);
    options.threads = context.threads;
    options.stop = context.stop;
    auto starts = task.starts.Make(sketches, options.live[0], options_.measured,
                                   task.memory.Ranked(), choice.rng);
    if (starts.empty()) return std::nullopt;
    const StateEvaluator evaluator = evaluator_.OfStates();
    const TrackRoundReport report =
        RunTracks({tuple_, sight_, evaluator, PolicyOf(index, sketches[0])}, options,
                  std::move(starts), choice.rng);
    if (report.diverged) SayDiverged();
    return TrackedRound(context, report.visits, count, options_.epsilon, choice.rng);
  }

  // Printed once: each later round learns from new states, and may diverge again.
  void SayDiverged() {
    if (has_diverged_ || !context_.say) return;
    has_diverged_ = true;
    context_.say(
        "agent harl: a loss was not finite; its policy learned no more in that round, and the "
        "search goes on");
  }

  HarlIdentity Identity() const {
    HarlIdentity identity;
    for (const SearchTask& task : context_.setup.tasks) {
      identity.tasks.push_back(TaskKey(*task.task).ToText());
    }
    if (identity.tasks.empty()) return identity;
    const Target& target = context_.setup.tasks.at(0).task->target;
    identity.policy = PolicyKind(sight_, tuple_, context_.space, target);
    identity.shape = shape_;
    identity.search = "space " + context_.space.Name() +
                      (options_.shares_policy ? ", one policy" : ", a policy for each sketch");
    return identity;
  }

  // Inputs and outputs of the policy file. Without a file the shape is empty, and the tasks' shape
  // is used.
  PolicyShape ShapeOfFile() {
    if (options_.policy_file.empty() || context_.setup.tasks.empty()) return {};
    return OfPolicyFile(options_.policy_file, [&] {
      policy_file_ = ReadHarlCheckpoint(options_.policy_file);
      return ReadShape(*policy_file_);
    });
  }

  void ReadFiles() {
    if (HasTreesFile(options_)) memory_.Read(options_.model_file);
    if (policy_file_) {
      OfPolicyFile(options_.policy_file,
                   [&] { StartFrom(*policy_file_, Identity(), PolicyOf(0, 0)); });
      policy_file_.reset();
    }
  }

  // Returns the round's next proposals and marks them as proposed.
  std::vector<Proposal> Deal(int index, int count) {
    HarlTask& task = tasks_[index];
    HarlRound& round = *task.round;
    ProposalRound::Mixture mixture;
    if (!round.is_drawn) {
      mixture.random = round.proposals.PartOf(options_.epsilon, count);
      mixture.local =
          std::min(count - mixture.random, round.proposals.PartOf(options_.local, count));
    }
    const std::vector<Proposal> neighbours = task.memory.Neighbours(
        context_.space, mixture.local, /*niches=*/false, choices_[index].rng, context_.stop);
    std::vector<Proposal> dealt =
        round.proposals.Deal(count, mixture, neighbours, task.memory.seen);
    for (Proposal& proposal : dealt) {
      task.memory.seen.insert(proposal.key);
      const auto origin = round.origins.find(proposal.key);
      if (origin == round.origins.end()) continue;  // bred from the best of any sketch
      proposal.note = origin->second.note;
      NoteProposal(choices_[index], origin->second.sketch, proposal.key);
    }
    return dealt;
  }

  HarlOptions options_;
  AgentContext context_;
  HarlEvaluator evaluator_;
  std::vector<HarlTask> tasks_;  // initialised before the members that use them
  std::vector<SketchChoice> choices_;
  std::optional<Checkpoint> policy_file_;  // until it has been begun from
  PolicyShape shape_;
  std::unique_ptr<ActionSpace> actions_;
  ActionTuple tuple_;
  PolicyFeatures sight_;
  TrackPolicies policies_;
  HarlModelState memory_;
  int64_t rounds_ = 0;  // finished
  bool has_diverged_ = false;
};

}  // namespace

std::unique_ptr<Agent> MakeHarlAgent(const AgentContext& context) {
  const HarlOptions options = ReadHarlOptions(context.setup.agent);
  UseOneTorchThread();
  auto agent = std::make_unique<HarlAgent>(options, context);
  if (options.checkpoint.empty() || context.setup.tasks.empty()) return agent;
  return std::make_unique<CheckpointedAgent>(std::move(agent), options.checkpoint,
                                             options.checkpoint_every, context.say);
}

AgentEntry HarlEntry() { return {"harl", kHarlParameters, kHarlDescription, MakeHarlAgent}; }

}  // namespace schedulegym
