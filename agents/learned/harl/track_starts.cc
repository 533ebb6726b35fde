#include "agents/learned/harl/track_starts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Measured schedules checked for each wanted start: others belong to other sketches.
constexpr int64_t kLookedAt = 4;
// Draws for each sketch, until one of the wanted sketch is found.
constexpr int kDraws = 20;

}  // namespace

std::vector<std::unique_ptr<EpisodeState>> TrackStarts::Make(
    const std::vector<int>& sketches, int count, double measured,
    const std::vector<const MeasuredState*>& ranked, Rng& rng) {
  std::vector<std::unique_ptr<EpisodeState>> episodes;
  const auto parts = static_cast<int>(sketches.size());
  for (int part = 0; part < parts; ++part) {
    const int size = count / parts + (part < count % parts ? 1 : 0);
    auto some = MakeOf(sketches[static_cast<size_t>(part)], size, measured, ranked, rng);
    std::ranges::move(some, std::back_inserter(episodes));
  }
  const size_t found = episodes.size();
  for (size_t i = 0; found > 0 && std::ssize(episodes) < count; ++i) {
    episodes.push_back(episodes[i]->Fork());
  }
  return episodes;
}

std::vector<std::unique_ptr<EpisodeState>> TrackStarts::MakeOf(
    int sketch, int count, double measured, const std::vector<const MeasuredState*>& ranked,
    Rng& rng) {
  std::vector<std::unique_ptr<EpisodeState>> episodes;
  const auto most = static_cast<int64_t>(measured * count);
  const auto looked_at = std::min<int64_t>(kLookedAt * most, std::ssize(ranked));
  for (int64_t i = 0; i < looked_at && std::ssize(episodes) < most; ++i) {
    const auto& place = PlaceOf(ranked[static_cast<size_t>(i)]->state, sketch);
    if (!place) continue;
    Result<std::unique_ptr<EpisodeState>> episode = actions_.From(task_, sketch, *place);
    if (episode) episodes.push_back(*std::move(episode));
  }
  while (std::ssize(episodes) < count) {
    std::unique_ptr<EpisodeState> episode = DrawEpisode(sketch, rng);
    if (!episode) break;
    episodes.push_back(std::move(episode));
  }
  return episodes;
}

std::vector<SketchDraw> TrackStarts::Draw(const std::vector<int>& sketches, int draws, Rng& rng,
                                          const StopToken& stop) const {
  std::vector<SketchDraw> drawn;
  for (int draw = 0; draw < draws; ++draw) {
    stop.Check();
    const int sketch = sketches[static_cast<size_t>(draw) % sketches.size()];
    Result<ScheduleState> state = sketches_[static_cast<size_t>(sketch)].knobs->Complete({}, rng);
    if (state) drawn.push_back({sketch, *std::move(state)});
  }
  return drawn;
}

const std::optional<KnobPoint>& TrackStarts::PlaceOf(const ScheduleState& state, int sketch) {
  const auto [entry, is_new] = places_.try_emplace({StateKey(state), sketch});
  if (is_new) entry->second = sketches_[static_cast<size_t>(sketch)].knobs->PointOf(state);
  return entry->second;
}

std::unique_ptr<EpisodeState> TrackStarts::DrawEpisode(int sketch, Rng& rng) const {
  const KnobSpace& knobs = *sketches_[static_cast<size_t>(sketch)].knobs;
  if (const Result<ScheduleState> state = knobs.Complete({}, rng)) {
    if (const std::optional<KnobPoint> point = knobs.PointOf(*state)) {
      Result<std::unique_ptr<EpisodeState>> episode = actions_.From(task_, sketch, *point);
      if (episode) return *std::move(episode);
    }
  }
  for (int draw = 0; draw < kDraws * sketches(); ++draw) {
    std::unique_ptr<EpisodeState> episode = actions_.Start(task_, rng);
    if (episode->sketch() == sketch) return episode;
  }
  return nullptr;
}

}  // namespace schedulegym
