#include "env/search/knob_space.h"

#include <limits>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> stretches)
    : task_(std::move(task)), stretches_(std::move(stretches)) {
  for (int i = 0; i < static_cast<int>(stretches_.size()); ++i) {
    const size_t count = stretches_[i].values.size();
    SG_CHECK(count > 0, "a knob has a value");
    if (count == 1) continue;
    places_.push_back(i);
    SG_CHECK(size_ <= std::numeric_limits<KnobIndex>::max() / count, "a space has an index");
    size_ *= count;
  }
}

bool KnobSpace::Contains(const KnobPoint& point) const {
  if (point.size() != places_.size()) return false;
  for (int i = 0; i < dimensions(); ++i) {
    if (point[i] < 0 || point[i] >= size_of(i)) return false;
  }
  return true;
}

KnobIndex KnobSpace::IndexOf(const KnobPoint& point) const {
  SG_CHECK(Contains(point), "a point of the space");
  KnobIndex index = 0;
  for (int i = 0; i < dimensions(); ++i) {
    index = index * static_cast<KnobIndex>(size_of(i)) + static_cast<KnobIndex>(point[i]);
  }
  return index;
}

KnobPoint KnobSpace::PointOf(KnobIndex index) const {
  SG_CHECK(index < size_, "an index of the space");
  KnobPoint point = Origin();
  for (int i = dimensions(); i-- > 0;) {
    const auto count = static_cast<KnobIndex>(size_of(i));
    point[i] = static_cast<int>(index % count);
    index /= count;
  }
  return point;
}

Result<ScheduleState> KnobSpace::At(const KnobPoint& point) const {
  SG_CHECK(Contains(point), "a point of the space");
  Trace trace;
  size_t dimension = 0;
  for (int i = 0; i < static_cast<int>(stretches_.size()); ++i) {
    const bool is_knob = dimension < places_.size() && places_[dimension] == i;
    const Trace& value = stretches_[i].values[is_knob ? point[dimension++] : 0];
    trace.insert(trace.end(), value.begin(), value.end());
  }
  return Replay(task_, trace);
}

KnobSpace KnobsOf(const Sketch& sketch) {
  std::vector<Knob> stretches;
  const Trace trace = sketch.state.trace();
  const StageNames names = sketch.state.Names();
  for (int step = 0; step < static_cast<int>(trace.size()); ++step) {
    const OpenSplit* open = sketch.FindSplit(step);
    Knob knob;
    if (open == nullptr) {
      knob.values = {{trace[step]}};
    } else {
      Split split = std::get<Split>(trace[step]);
      knob.name = names[split.stage.id] + ": tile of loop " + std::to_string(split.loop);
      for (const std::vector<int64_t>& lengths : open->choices) {
        split.lengths = lengths;
        knob.values.push_back({split});
      }
    }
    stretches.push_back(std::move(knob));
  }
  for (const OpenAnnotation& open : sketch.annotations) {
    stretches.push_back({names[open.stage] + ": " + AnnotationKindName(open.kind), open.choices});
  }
  return {sketch.state.shared_task(), std::move(stretches)};
}

}  // namespace schedulegym
