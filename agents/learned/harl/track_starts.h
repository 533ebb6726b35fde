// TrackStarts: where the tracks of a round begin.
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

// Of one task. The action space outlives it.
class TrackStarts {
 public:
  TrackStarts(std::shared_ptr<const Task> task, std::vector<Sketch> sketches,
              const ActionSpace& actions)
      : task_(std::move(task)), sketches_(std::move(sketches)), actions_(actions) {}

  int sketches() const { return static_cast<int>(sketches_.size()); }

  // `count` walks, as many in each of the sketches, the first ones having one more where they do
  // not divide it. Of each sketch those ranked, the best first, up to the share `measured`;
  // the others drawn by the space's own sampler, or, where that leads beyond the knobs, evenly over
  // them. Where a sketch is hardly ever drawn, those that there are begin several times;
  // none where there are none.
  std::vector<std::unique_ptr<EpisodeState>> Make(const std::vector<int>& sketches, int count,
                                                  double measured,
                                                  const std::vector<const MeasuredState*>& ranked,
                                                  Rng& rng);

  // What so many draws of the space's own sampler led to, of these sketches in turn.
  std::vector<SketchDraw> Draw(const std::vector<int>& sketches, int draws, Rng& rng,
                               const StopToken& stop = {}) const;

 private:
  std::vector<std::unique_ptr<EpisodeState>> MakeOf(int sketch, int count, double measured,
                                                    const std::vector<const MeasuredState*>& ranked,
                                                    Rng& rng);
  // Where the state stands in the sketch, found once.
  const std::optional<KnobPoint>& PlaceOf(const ScheduleState& state, int sketch);
  std::unique_ptr<EpisodeState> DrawEpisode(int sketch, Rng& rng) const;

  std::shared_ptr<const Task> task_;
  std::vector<Sketch> sketches_;
  const ActionSpace& actions_;
  std::map<std::pair<Key, int>, std::optional<KnobPoint>> places_;
};

}  // namespace schedulegym
