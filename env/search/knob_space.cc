#include "env/search/knob_space.h"

#include <limits>
#include <utility>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> knobs,
                     std::shared_ptr<const KnobBuilder> builder, std::vector<KnobTile> tiles,
                     std::optional<KnobPoint> origin)
    : task_(std::move(task)),
      knobs_(std::move(knobs)),
      tiles_(std::move(tiles)),
      builder_(std::move(builder)),
      origin_(origin ? *std::move(origin) : KnobPoint(knobs_.size())) {
  for (const Knob& knob : knobs_) {
    SG_CHECK(knob.values > 1, "a knob has a choice");
    const auto count = static_cast<KnobIndex>(knob.values);
    SG_CHECK(size_ <= std::numeric_limits<KnobIndex>::max() / count, "a space has an index");
    size_ *= count;
    SG_CHECK(knob.meanings.empty() || std::ssize(knob.meanings) == knob.values,
             "a meaning for each value");
  }
  SG_CHECK(Contains(origin_), "a point of the space");
}

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<Stretch> stretches,
                     Misfit misfit)
    : KnobSpace(task, KnobsIn(stretches), std::make_shared<const StretchBuilder>(task, stretches),
                TilesIn(stretches)) {
  misfit_ = misfit;
}

KnobSpace KnobSpace::With(Misfit misfit) const {
  KnobSpace space = *this;
  space.misfit_ = misfit;
  return space;
}

std::string KnobSpace::MeaningOf(int dimension, int value) const {
  const std::vector<std::string>& meanings = knobs_[dimension].meanings;
  return meanings.empty() ? std::to_string(value) : meanings[value];
}

bool KnobSpace::Contains(const KnobPoint& point) const {
  return point.size() == knobs_.size() && ContainsPart(OpenPoint(point.begin(), point.end()));
}

bool KnobSpace::ContainsPart(const OpenPoint& fixed) const {
  if (fixed.size() > knobs_.size()) return false;
  for (size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i] && (*fixed[i] < 0 || *fixed[i] >= knobs_[i].values)) return false;
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
  KnobPoint point(knobs_.size());
  for (int i = dimensions(); i-- > 0;) {
    const auto count = static_cast<KnobIndex>(size_of(i));
    point[i] = static_cast<int>(index % count);
    index /= count;
  }
  return point;
}

Result<ScheduleState> KnobSpace::At(const KnobPoint& point) const {
  SG_CHECK(Contains(point), "a point of the space");
  return builder_->At(point, misfit_);
}

Result<ScheduleState> KnobSpace::Complete(const OpenPoint& fixed, Rng& rng) const {
  SG_CHECK(ContainsPart(fixed), "a part of a point of the space");
  OpenPoint all = fixed;
  all.resize(knobs_.size());
  KnobPoint point;
  for (const std::optional<int>& value : all) {
    if (!value) return builder_->Complete(all, rng);
    point.push_back(*value);
  }
  return builder_->At(point, Misfit::kRefuse);
}

std::optional<KnobPoint> KnobSpace::PointOf(const ScheduleState& state) const {
  const bool is_ours = state.shared_task() == task_ || TaskKey(state.task()) == TaskKey(*task_);
  if (!is_ours) return std::nullopt;
  std::optional<KnobPoint> point = builder_->Read(state);
  if (!point || !Contains(*point)) return std::nullopt;
  const Result<ScheduleState> there = At(*point);
  return there && StateKey(*there) == StateKey(state) ? point : std::nullopt;
}

}  // namespace schedulegym
