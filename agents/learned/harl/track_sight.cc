#include "agents/learned/harl/track_sight.h"

#include <algorithm>
#include <string>

#include "env/base/check.h"
#include "env/gym/observations/builtin_observations.h"

namespace schedulegym {

TrackSight::TrackSight(int knobs) {
  const std::string most = std::to_string(std::clamp(knobs, 1, 1024));
  for (const std::string& spec : {std::string("ansor(pooled=true)"), "knobs(most=" + most + ")"}) {
    parts_.push_back(MakeObservation(ParseSpec(spec).value()));
    size_ += parts_.back()->size();
  }
}

void TrackSight::Write(const Walk& walk, std::span<float> numbers) const {
  SG_CHECK(std::ssize(numbers) == size_, "a row of its size");
  const Result<ScheduleState>& state = walk.state();
  if (!state) {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    return;
  }
  const Scene scene = {.task = state->task(), .walk = walk};
  size_t first = 0;
  for (const auto& part : parts_) {
    const auto size = static_cast<size_t>(part->size());
    part->Write(scene, numbers.subspan(first, size));
    first += size;
  }
}

}  // namespace schedulegym
