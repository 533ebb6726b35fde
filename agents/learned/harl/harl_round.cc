#include "agents/learned/harl/harl_round.h"

#include <cmath>
#include <utility>

#include "agents/learned/visited_choice.h"
#include "env/base/text.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

constexpr int kHeapFactor = 2;    // states kept for each that is asked for, as Ansor does
constexpr int kRandomFactor = 3;  // strays for each that epsilon asks for, as Ansor does

std::string NoteOf(const TrackVisit& visit) {
  const double gain = std::round(std::exp(visit.gain) * 1e4) / 1e4;
  return "track(step=" + std::to_string(visit.step) + ",gain=" + FormatDouble(gain) + ")";
}

// Best and by chance.
VisitedChoice Choose(const std::vector<TrackVisit>& visits, int count, double epsilon, Rng& rng) {
  std::vector<VisitedSchedule> visited;
  for (const TrackVisit& visit : visits) visited.push_back({visit.place, visit.score});
  const int strays = kRandomFactor * static_cast<int>(std::ceil(epsilon * count));
  const int all = kHeapFactor * count + strays;
  return ChooseVisited(visited, {}, all, strays / static_cast<double>(all), rng);
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
    const auto walk = context.actions.From(context.task, visit.sketch, visit.point);
    if (!walk || !(*walk)->state()) return;
    const ScheduleState& state = *(*walk)->state();
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

}  // namespace schedulegym
