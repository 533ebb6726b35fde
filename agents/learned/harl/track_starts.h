// TrackStarts: the starts of a round's tracks.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "env/base/stop_token.h"
#include "env/gym/actions/action_space.h"
#include "env/search/cost_model.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct SketchDraw {
  int sketch = 0;
  ScheduleState state;
};

// Starts of one task. The action space outlives it.
class TrackStarts {
 public:
  TrackStarts(std::shared_ptr<const Task> task, std::vector<Sketch> sketches,
              const ActionSpace& actions)
      : task_(std::move(task)), sketches_(std::move(sketches)), actions_(actions) {}

  int sketches() const { return static_cast<int>(sketches_.size()); }

  // Returns `count` episodes, divided evenly among the sketches; the first sketches get one more if
  // there is a remainder. For each sketch at most the share `measured` is from `ranked`, best
  // first. The others are drawn by the space's sampler, or uniformly over the knobs if a sample is
  // no point of them. If too few are drawn, the existing ones are repeated; empty if there are
  // none.
  std::vector<std::unique_ptr<EpisodeState>> Make(const std::vector<int>& sketches, int count,
                                                  double measured,
                                                  const std::vector<const MeasuredState*>& ranked,
                                                  Rng& rng);

  // Returns the schedules of `draws` draws by the space's sampler, of these sketches in turn.
  std::vector<SketchDraw> Draw(const std::vector<int>& sketches, int draws, Rng& rng,
                               const StopToken& stop = {}) const;

 private:
  std::vector<std::unique_ptr<EpisodeState>> MakeOf(int sketch, int count, double measured,
                                                    const std::vector<const MeasuredState*>& ranked,
                                                    Rng& rng);
  // The state's point in the sketch, cached.
  const std::optional<KnobPoint>& PlaceOf(const ScheduleState& state, int sketch);
  std::unique_ptr<EpisodeState> DrawEpisode(int sketch, Rng& rng) const;

  std::shared_ptr<const Task> task_;
  std::vector<Sketch> sketches_;
  const ActionSpace& actions_;
  std::map<std::pair<Key, int>, std::optional<KnobPoint>> places_;
};

}  // namespace schedulegym
