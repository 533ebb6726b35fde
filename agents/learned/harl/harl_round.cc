// A round of harl's proposals: random samples, or the best visited schedules (2 for each proposal,
// as in Ansor) and random others (3 for each random proposal), each with its sketch and a note of
// step and gain. Rounds are saved in checkpoints as traces with scores and read back by replay.
// Throws InputError for anything but a round of the task. Cost: one replay a schedule.
#include "agents/learned/harl/harl_round.h"

#include <bit>
#include <cmath>
#include <utility>

#include "agents/learned/track_plan.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/text.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

constexpr int kHeapFactor = 2;    // states kept for each proposal, as in Ansor
constexpr int kRandomFactor = 3;  // random states for each random proposal, as in Ansor

std::string NoteOf(const TrackVisit& visit) {
  const double gain = std::round(std::exp(visit.gain) * 1e4) / 1e4;
  return "track(step=" + std::to_string(visit.step) + ",gain=" + FormatDouble(gain) + ")";
}

// Chooses the best visits, and random ones.
VisitedChoice Choose(const std::vector<TrackVisit>& visits, int count, double epsilon, Rng& rng) {
  std::vector<VisitedSchedule> visited;
  for (const TrackVisit& visit : visits) visited.push_back({visit.place, visit.score});
  const int strays = kRandomFactor * static_cast<int>(std::ceil(epsilon * count));
  const int all = kHeapFactor * count + strays;
  return ChooseVisited(visited, {}, all, strays / static_cast<double>(all), rng);
}

// Values before the scores: is_drawn, number of dealt states, number of best states.
constexpr size_t kHead = 3;

[[noreturn]] void Refuse(const std::string& name) {
  throw InputError("the checkpoint's '" + name + "' is no round of this task");
}

// Returns a part for each state: its sketch and note, and its trace.
std::vector<SavedModelState> PartsOf(const HarlRound& round,
                                     const std::vector<ScoredState>& states) {
  std::vector<SavedModelState> parts;
  for (const ScoredState& one : states) {
    const HarlRound::Origin& origin = round.origins.at(one.key);
    parts.push_back({std::to_string(origin.sketch) + " " + origin.note, one.state.TraceText()});
  }
  return parts;
}

// Returns the state of a part of a checkpoint, with its sketch.
ScoredState StateOf(const SavedModelState& part, const std::string& name,
                    const std::shared_ptr<const Task>& task, HarlRound& round, int sketches) {
  const auto [number, note] = Cut(part.kind, ' ');
  const std::optional<int64_t> sketch = ParseInteger(number);
  if (!sketch || *sketch < 0 || *sketch >= sketches) Refuse(name);
  const Result<ScheduleState> state = ReplayText(task, part.text);
  if (!state) Refuse(name);
  const Key key = StateKey(*state);
  round.origins.try_emplace(key, HarlRound::Origin{static_cast<int>(*sketch), std::string(note)});
  return {0, key, *state};
}

}  // namespace

HarlRound DrawnRound(const HarlRoundContext& context, const std::vector<SketchDraw>& draws) {
  HarlRound round = {{{}, {}, context.space, context.threads, context.stop}, {}, true};
  std::vector<ScoredState> drawn;
  for (const SketchDraw& draw : draws) {
    const Key key = StateKey(draw.state);
    const std::string note = "drawn(sketch=" + std::to_string(draw.sketch) + ")";
    round.origins.try_emplace(key, HarlRound::Origin{draw.sketch, note});
    drawn.push_back({0, key, draw.state});
  }
  round.proposals = {std::move(drawn), {}, context.space, context.threads, context.stop};
  return round;
}

HarlRound TrackedRound(const HarlRoundContext& context, const std::vector<TrackVisit>& visits,
                       int count, double epsilon, Rng& rng) {
  HarlRound round = {{{}, {}, context.space, context.threads, context.stop}, {}, false};
  std::vector<ScoredState> scored;
  std::vector<ScheduleState> stray;
  const auto add = [&](int position, bool is_best) {
    const TrackVisit& visit = visits[static_cast<size_t>(position)];
    const auto episode = context.actions.From(context.task, visit.sketch, visit.point);
    if (!episode || !(*episode)->state()) return;
    const ScheduleState& state = *(*episode)->state();
    const Key key = StateKey(state);
    round.origins.try_emplace(key, HarlRound::Origin{visit.sketch, NoteOf(visit)});
    if (is_best && visit.score) scored.push_back({*visit.score, key, state});
    if (!is_best) stray.push_back(state);
  };
  const VisitedChoice choice = Choose(visits, count, epsilon, rng);
  for (const int position : choice.best) add(position, true);
  for (const int position : choice.stray) add(position, false);
  round.proposals = {std::move(scored), stray, context.space, context.threads, context.stop};
  return round;
}

void PutRound(Checkpoint& checkpoint, const std::string& name,
              const std::optional<HarlRound>& round) {
  if (!round) return;
  const std::vector<ScoredState> best = round->proposals.best();
  std::vector<ScoredState> all = best;
  for (ScoredState& stray : round->proposals.strays()) all.push_back(std::move(stray));
  Checkpoint::Words words;
  words.values = {round->is_drawn ? uint64_t{1} : uint64_t{0},
                  static_cast<uint64_t>(round->proposals.dealt()), best.size()};
  for (const ScoredState& one : best) words.values.push_back(std::bit_cast<uint64_t>(one.score));
  words.shape = {std::ssize(words.values)};
  checkpoint.Put(name, std::move(words));
  checkpoint.Put(name + ".states", JoinModelStates(PartsOf(*round, all)));
}

std::optional<HarlRound> ReadRound(const Checkpoint& checkpoint, const std::string& name,
                                   const HarlRoundContext& context, int sketches) {
  if (!checkpoint.Has(name)) return std::nullopt;
  const std::vector<uint64_t>& words = checkpoint.WordsOf(name);
  const std::string states = name + ".states";
  const std::vector<SavedModelState> parts =
      SplitModelStates(checkpoint.Text(states), "the checkpoint's '" + states + "'");
  if (words.size() < kHead || words[0] > 1 || words[1] > INT32_MAX || words[2] > parts.size() ||
      words.size() != kHead + words[2]) {
    Refuse(name);
  }
  HarlRound round = {{{}, {}, context.space, context.threads, context.stop}, {}, words[0] == 1};
  std::vector<ScoredState> best;
  std::vector<ScheduleState> strays;
  for (size_t i = 0; i < parts.size(); ++i) {
    ScoredState one = StateOf(parts[i], states, context.task, round, sketches);
    if (i >= words[2]) {
      strays.push_back(std::move(one.state));
      continue;
    }
    one.score = std::bit_cast<double>(words[kHead + i]);
    if (std::isnan(one.score)) Refuse(name);
    best.push_back(std::move(one));
  }
  round.proposals = {std::move(best), strays,       context.space,
                     context.threads, context.stop, static_cast<int>(words[1])};
  return round;
}

}  // namespace schedulegym
