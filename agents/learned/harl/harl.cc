// HARL's loop for one task, as far as the paper is known: a sliding-window
// bandit picks the sketch of a round; tracks start from samples and from the best measured; an
// actor and a critic walk them for what the model scores, tracks that promise little are stopped;
// the best of what was visited is measured, with some by chance; the model, and at the round's end
// the bandit, learn from it.
#include "agents/learned/harl/harl.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "agents/cost/analytical_cost_model.h"
#include "agents/learned/harl/harl_memory.h"
#include "agents/learned/harl/harl_options.h"
#include "agents/learned/harl/harl_state.h"
#include "agents/learned/harl/policy_shape.h"
#include "agents/learned/harl/track_starts.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/visited_choice.h"
#include "agents/parallel.h"
#include "agents/schedulers/arm_rewards.h"
#include "agents/search/learned_models.h"
#include "agents/search/proposal_round.h"
#include "agents/search/required_sketches.h"
#include "agents/search/search_memory.h"
#include "env/base/text.h"
#include "env/gym/modify_space.h"

namespace schedulegym {
namespace {

constexpr int kHeapFactor = 2;    // states kept for each that is asked for, as Ansor does
constexpr int kRandomFactor = 3;  // strays for each that epsilon asks for, as Ansor does
constexpr int kAttempts = 2;      // rounds looked at for one answer

// A round of tracks, being dealt out.
struct HarlRound {
  int sketch = 0;
  ProposalRound proposals;
  std::map<Key, std::string> notes;
};

struct HarlTask {
  TrackStarts starts;
  SearchMemory memory = {};
  std::optional<HarlRound> round = {};
};

AnsorOptions ModelOptions(const HarlOptions& options) {
  AnsorOptions model;
  model.fast = options.improved;
  model.features = options.features;
  return model;
}

std::vector<std::shared_ptr<const Task>> TasksOf(const AgentContext& context) {
  std::vector<std::shared_ptr<const Task>> tasks;
  for (const SearchTask& task : context.setup.tasks) tasks.push_back(task.task);
  return tasks;
}

// "track(step=17,gain=1.2)": where on its track it was met, and how much faster the model took it
// for than the schedule one step before.
std::string NoteOf(const TrackVisit& visit) {
  const double gain = std::round(std::exp(visit.gain) * 1e4) / 1e4;
  return "track(step=" + std::to_string(visit.step) + ",gain=" + FormatDouble(gain) + ")";
}

class HarlAgent : public Agent {
 public:
  HarlAgent(const HarlOptions& options, const AgentContext& context)
      : options_(options),
        context_(context),
        models_(ModelOptions(options), static_cast<int>(context.setup.tasks.size()), context.stop),
        shape_(ShapeOfFile()),
        actions_(
            MakeModifySpace("modify", context.space, TasksOf(context), {.room = shape_.moves})),
        tuple_(actions_->Groups(), !options.improved),
        sight_(MakeTasks()),
        memory_({Identity(), choices_, policies_,
                 [this](int task, int sketch) -> TrackPolicy& { return PolicyOf(task, sketch); },
                 models_}) {
    if (!tasks_.empty()) ReadFiles();
  }

  std::vector<Proposal> Propose(int task, int count) override {
    std::optional<HarlRound>& round = tasks_[task].round;
    std::vector<Proposal> proposals;
    for (int attempt = 0; attempt < kAttempts && std::ssize(proposals) < count; ++attempt) {
      const int lacking = count - static_cast<int>(proposals.size());
      if (round && options_.improved && Estimates(task)) {
        round->proposals.RankAnew([&](const auto& states) { return Score(task, states); });
      }
      if (!round) round = Walk(task, std::max(options_.round, lacking));
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
      if (measured) models_.Learn(trial.task, *measured);
    }
    SaveAfterRounds();
  }

  Memory* memory() override { return &memory_; }

 private:
  // Makes the tasks; as many knobs as any sketch has, or a policy to begin with.
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

  // Whether anything is known of what is fast.
  bool Estimates(int task) const {
    return !options_.learns_model || options_.estimates_first || models_.IsTrusted(task);
  }

  Judge JudgeOf(int task) {
    return [this, task](const std::vector<ScheduleState>& states) {
      return Score(task, WithFeatures(states));
    };
  }

  std::vector<std::optional<double>> Score(int task, const std::vector<StateFeatures>& states) {
    if (options_.learns_model && models_.IsTrusted(task)) {
      return ScoresOf(models_.Predict(task, states));
    }
    if (Estimates(task)) return ScoresOf(analytical_.Predict(states));
    std::vector<std::optional<double>> scores;
    for (size_t i = 0; i < states.size(); ++i) scores.emplace_back(choices_[task].rng.Uniform());
    return scores;
  }

  // The network of a sketch of a task, or that of all, made when first asked for; its chance does
  // not depend on which came first.
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

  // A round for `count` proposals; none where the chosen sketch has no schedules to start from.
  std::optional<HarlRound> Walk(int index, int count) {
    HarlTask& task = tasks_[index];
    SketchChoice& choice = choices_[index];
    PayBandit(index);
    // So that what the model says from here on does not depend on when it was last asked.
    if (options_.learns_model) models_.TrainNow(index);
    const int sketch = options_.has_bandit
                           ? choice.bandit.Choose()
                           : static_cast<int>(choice.rng.Below(choice.bandit.arms()));
    TrackRoundOptions options = RoundOptions(options_);
    options.threads = SearchThreads(*context_.setup.tasks[index].task);
    options.stop = context_.stop;
    auto starts = task.starts.Make(sketch, options.live[0], options_.measured, task.memory.Ranked(),
                                   choice.rng);
    choice.trial = SketchTrial{sketch, {}};
    if (starts.empty()) return std::nullopt;
    const Judge judge = JudgeOf(index);
    const TrackRoundReport report = RunTracks({tuple_, sight_, judge, PolicyOf(index, sketch)},
                                              options, std::move(starts), choice.rng);
    if (report.diverged) SayDiverged();
    return RoundOf(index, sketch, count, report.visits);
  }

  // Once: each later round begins to learn anew, and may end so, too.
  void SayDiverged() {
    if (has_diverged_ || !context_.say) return;
    has_diverged_ = true;
    context_.say(
        "agent harl: a loss was not finite; its policy learned no more in that round, and the "
        "search goes on");
  }

  void PayBandit(int task) {
    SketchChoice& choice = choices_[task];
    if (!choice.trial) return;
    std::optional<double> best_of_round, best;
    for (const auto& [key, measured] : tasks_[task].memory.measured) {
      const double speed = 1 / *measured.seconds;
      best = std::max(best.value_or(0), speed);
      if (choice.trial->keys.contains(key)) {
        best_of_round = std::max(best_of_round.value_or(0), speed);
      }
    }
    choice.bandit.Learn(choice.trial->sketch, SketchReward(best_of_round, best));
    choice.trial.reset();
  }

  HarlRound RoundOf(int index, int sketch, int count, const std::vector<TrackVisit>& visits) {
    std::vector<VisitedSchedule> visited;
    for (const TrackVisit& visit : visits) visited.push_back({visit.place, visit.score});
    const int strays = kRandomFactor * static_cast<int>(std::ceil(options_.epsilon * count));
    const int best = kHeapFactor * count;
    const VisitedChoice choice =
        ChooseVisited(visited, {}, best + strays, strays / static_cast<double>(best + strays),
                      choices_[index].rng);
    HarlRound round = {sketch, ProposalRound({}, {}, context_.space, 1, context_.stop)};
    std::vector<ScoredState> scored;
    std::vector<ScheduleState> stray;
    const auto add = [&](int position, bool is_best) {
      const TrackVisit& visit = visits[static_cast<size_t>(position)];
      const auto walk = actions_->From(context_.setup.tasks[index].task, sketch, visit.point);
      if (!walk || !(*walk)->state()) return;
      const ScheduleState& state = *(*walk)->state();
      const Key key = StateKey(state);
      round.notes.emplace(key, NoteOf(visit));
      if (is_best && visit.score) scored.push_back({*visit.score, key, state});
      if (!is_best) stray.push_back(state);
    };
    for (const int position : choice.best) add(position, true);
    for (const int position : choice.stray) add(position, false);
    const int threads = SearchThreads(*context_.setup.tasks[index].task);
    round.proposals =
        ProposalRound(std::move(scored), stray, context_.space, threads, context_.stop);
    return round;
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

  // What a policy to begin with has inputs and outputs for; those of the tasks alone without one.
  PolicyShape ShapeOfFile() {
    if (options_.policy_file.empty() || context_.setup.tasks.empty()) return {};
    return OfPolicyFile(options_.policy_file, [&] {
      policy_file_ = ReadHarlCheckpoint(options_.policy_file);
      return ReadShape(*policy_file_);
    });
  }

  // Goes on where the last says, if there is one.
  void ReadFiles() {
    if (!options_.model_file.empty()) memory_.Read(options_.model_file);
    if (policy_file_) {
      OfPolicyFile(options_.policy_file,
                   [&] { StartFrom(*policy_file_, Identity(), PolicyOf(0, 0)); });
      policy_file_.reset();
    }
    if (options_.checkpoint.empty() || !std::filesystem::exists(options_.checkpoint)) return;
    memory_.Resume(options_.checkpoint);
  }

  // Between rounds, for nothing is kept of one under way.
  void SaveAfterRounds() {
    if (options_.checkpoint.empty() || rounds_ < options_.checkpoint_every) return;
    for (const HarlTask& task : tasks_) {
      if (task.round) return;
    }
    memory_.Write(options_.checkpoint);
    rounds_ = 0;
  }

  // The next of the round, noted as proposed.
  std::vector<Proposal> Deal(int index, int count) {
    HarlTask& task = tasks_[index];
    HarlRound& round = *task.round;
    ProposalRound::Mixture mixture;
    mixture.random = round.proposals.PartOf(options_.epsilon, count);
    mixture.local = std::min(count - mixture.random, round.proposals.PartOf(options_.local, count));
    const std::vector<Proposal> neighbours = task.memory.Neighbours(
        context_.space, mixture.local, /*niches=*/false, choices_[index].rng, context_.stop);
    std::vector<Proposal> dealt =
        round.proposals.Deal(count, mixture, neighbours, task.memory.seen);
    for (Proposal& proposal : dealt) {
      task.memory.seen.insert(proposal.key);
      const auto note = round.notes.find(proposal.key);
      if (note == round.notes.end()) continue;  // bred from the best of any sketch
      proposal.note = note->second;
      choices_[index].trial->keys.insert(proposal.key);
    }
    return dealt;
  }

  HarlOptions options_;
  AgentContext context_;
  LearnedModels models_;
  AnalyticalCostModel analytical_;
  std::vector<HarlTask> tasks_;  // before what is made with them
  std::vector<SketchChoice> choices_;
  std::optional<Checkpoint> policy_file_;  // until it has been begun from
  PolicyShape shape_;
  std::unique_ptr<ActionSpace> actions_;
  ActionTuple tuple_;
  TrackSight sight_;
  TrackPolicies policies_;
  HarlMemory memory_;
  int rounds_ = 0;  // since the last checkpoint
  bool has_diverged_ = false;
};

}  // namespace

std::unique_ptr<Agent> MakeHarlAgent(const AgentContext& context) {
  const HarlOptions options = ReadHarlOptions(context.setup.agent);
  UseOneTorchThread();
  return std::make_unique<HarlAgent>(options, context);
}

AgentEntry HarlEntry() { return {"harl", kHarlParameters, kHarlDescription, MakeHarlAgent}; }

}  // namespace schedulegym
