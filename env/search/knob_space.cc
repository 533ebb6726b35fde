#include "env/search/knob_space.h"

#include <limits>
#include <set>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {

namespace {

// The knobs of a stretch, those of one value too.
std::vector<Knob> KnobsIn(const Stretch& stretch) {
  if (const auto* variants = std::get_if<Variants>(&stretch)) {
    return {{variants->name, static_cast<int>(variants->values.size())}};
  }
  const auto& open = std::get<OpenLengths>(stretch);
  std::vector<Knob> knobs;
  for (size_t i = 0; i < open.values.size(); ++i) {
    knobs.push_back(
        {open.name + ", length " + std::to_string(i), static_cast<int>(open.values[i].size())});
  }
  return knobs;
}

// Hands out the values of a point, knob by knob.
class PointReader {
 public:
  explicit PointReader(const KnobPoint& point) : point_(point) {}

  size_t Next(size_t values) { return values == 1 ? 0 : static_cast<size_t>(point_[next_++]); }

 private:
  const KnobPoint& point_;
  size_t next_ = 0;
};

Result<void> CheckFit(const OpenLengths& open, const std::vector<int64_t>& lengths) {
  if (open.fit == LengthsFit::kAny) return {};
  int64_t product = 1;
  for (int64_t length : lengths) {
    if (__builtin_mul_overflow(product, length, &product)) product = open.extent + 1;
  }
  const bool divides = open.fit == LengthsFit::kDivide;
  if (divides ? open.extent % product == 0 : product <= open.extent) return {};
  return InvalidSchedule(open.name + ": found lengths of " + std::to_string(product) +
                         " in all, expected " + (divides ? "a divisor of " : "at most ") +
                         std::to_string(open.extent));
}

Result<Trace> Read(const Stretch& stretch, PointReader& point) {
  if (const auto* variants = std::get_if<Variants>(&stretch)) {
    return variants->values[point.Next(variants->values.size())];
  }
  const auto& open = std::get<OpenLengths>(stretch);
  Split split = open.split;
  for (size_t i = 0; i < open.values.size(); ++i) {
    split.lengths[i] = open.values[i][point.Next(open.values[i].size())];
  }
  if (auto fits = CheckFit(open, split.lengths); !fits) return fits.error();
  return Trace{split};
}

// Those with a choice.
std::vector<Knob> KnobsIn(const std::vector<Stretch>& stretches) {
  std::vector<Knob> knobs;
  for (const Stretch& stretch : stretches) {
    for (Knob& knob : KnobsIn(stretch)) {
      SG_CHECK(knob.values > 0, "a knob has a value");
      if (knob.values > 1) knobs.push_back(std::move(knob));
    }
  }
  return knobs;
}

Result<ScheduleState> ReplayAt(const std::shared_ptr<const Task>& task,
                               const std::vector<Stretch>& stretches, const KnobPoint& point) {
  Trace trace;
  PointReader reader(point);
  for (const Stretch& stretch : stretches) {
    const Result<Trace> steps = Read(stretch, reader);
    if (!steps) return steps.error();
    trace.insert(trace.end(), steps->begin(), steps->end());
  }
  return Replay(task, trace);
}

// Takes the steps; false, and the state is as it was, where one of them is illegal.
bool Take(const Trace& steps, ScheduleState& state) {
  if (steps.size() == 1) {
    if (!Check(state, steps[0])) return false;
    state = Apply(std::move(state), steps[0]).value();
    return true;
  }
  ScheduleState next = state;
  for (const Primitive& step : steps) {
    Result<ScheduleState> after = Apply(std::move(next), step);
    if (!after) return false;
    next = *std::move(after);
  }
  state = std::move(next);
  return true;
}

// The same with the next lower variant wherever one is illegal.
Result<ScheduleState> ReplayLower(ScheduleState state, const std::vector<Stretch>& stretches,
                                  const KnobPoint& point) {
  PointReader reader(point);
  for (const Stretch& stretch : stretches) {
    const auto* variants = std::get_if<Variants>(&stretch);
    if (variants == nullptr) {
      const Result<Trace> steps = Read(stretch, reader);
      if (!steps) return steps.error();
      if (!Take(*steps, state)) return InvalidSchedule("found a split that is illegal here");
      continue;
    }
    size_t value = reader.Next(variants->values.size()) + 1;
    while (value > 0 && !Take(variants->values[value - 1], state)) --value;
    if (value == 0) return InvalidSchedule(variants->name + ": found no value that is legal here");
  }
  return state;
}

// Of lengths that divide, with the numbers of their knobs.
std::vector<KnobTile> TilesIn(const std::vector<Stretch>& stretches) {
  std::vector<KnobTile> tiles;
  int next = 0;
  for (const Stretch& stretch : stretches) {
    const auto* open = std::get_if<OpenLengths>(&stretch);
    KnobTile tile;
    for (const Knob& knob : KnobsIn(stretch)) tile.knobs.push_back(knob.values > 1 ? next++ : -1);
    if (open == nullptr || open->fit != LengthsFit::kDivide) continue;
    tile.name = open->name;
    tile.extent = open->extent;
    tile.values = open->values;
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

KnobSpace::Build BuildOf(const std::shared_ptr<const Task>& task,
                         const std::vector<Stretch>& stretches, Misfit misfit) {
  if (misfit == Misfit::kRefuse) {
    return [=](const KnobPoint& point) { return ReplayAt(task, stretches, point); };
  }
  return [naive = ScheduleState::Initial(task), stretches](const KnobPoint& point) {
    return ReplayLower(naive, stretches, point);
  };
}

}  // namespace

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<Stretch> stretches,
                     Misfit misfit)
    : KnobSpace(task, KnobsIn(stretches), BuildOf(task, stretches, misfit), TilesIn(stretches)) {}

KnobSpace::KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> knobs, Build build,
                     std::vector<KnobTile> tiles)
    : task_(std::move(task)),
      knobs_(std::move(knobs)),
      tiles_(std::move(tiles)),
      build_(std::move(build)) {
  for (const Knob& knob : knobs_) {
    SG_CHECK(knob.values > 1, "a knob has a choice");
    const auto count = static_cast<KnobIndex>(knob.values);
    SG_CHECK(size_ <= std::numeric_limits<KnobIndex>::max() / count, "a space has an index");
    size_ *= count;
  }
}

KnobSpace KnobSpace::Then(std::function<Result<ScheduleState>(ScheduleState)> finish) const {
  const auto build = [build = build_, finish = std::move(finish)](const KnobPoint& point) {
    Result<ScheduleState> state = build(point);
    return state ? finish(*std::move(state)) : state;
  };
  return {task_, knobs_, build, tiles_};
}

bool KnobSpace::Contains(const KnobPoint& point) const {
  if (point.size() != knobs_.size()) return false;
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
  return build_(point);
}

namespace {

Stretch StretchOf(const OpenSplit& open, const Split& split, const std::string& stage,
                  TileKnobs tiles) {
  const std::string name = stage + ": tile of loop " + std::to_string(split.loop);
  if (tiles == TileKnobs::kSplits) {
    Variants variants{name, {}};
    Split filled = split;
    for (const std::vector<int64_t>& lengths : open.choices) {
      filled.lengths = lengths;
      variants.values.push_back({filled});
    }
    return variants;
  }
  OpenLengths lengths{name, split, open.extent, LengthsFit::kDivide, {}};
  for (size_t i = 0; i < split.lengths.size(); ++i) {
    std::set<int64_t> values;
    for (const std::vector<int64_t>& choice : open.choices) values.insert(choice[i]);
    lengths.values.emplace_back(values.begin(), values.end());
  }
  return lengths;
}

}  // namespace

KnobSpace KnobsOf(const Sketch& sketch, TileKnobs tiles, Misfit misfit) {
  if (sketch.knobs) return *sketch.knobs;
  std::vector<Stretch> stretches;
  const Trace trace = sketch.state.trace();
  const StageNames names = sketch.state.Names();
  for (int step = 0; step < static_cast<int>(trace.size()); ++step) {
    const OpenSplit* open = sketch.FindSplit(step);
    if (open == nullptr) {
      stretches.push_back(Variants{"", {{trace[step]}}});
      continue;
    }
    const auto& split = std::get<Split>(trace[step]);
    stretches.push_back(StretchOf(*open, split, names[split.stage.id], tiles));
  }
  for (const OpenAnnotation& open : sketch.annotations) {
    stretches.push_back(
        Variants{names[open.stage] + ": " + AnnotationKindName(open.kind), open.choices});
  }
  KnobSpace space(sketch.state.shared_task(), std::move(stretches), misfit);
  if (!sketch.finish) return space;
  return space.Then(sketch.finish);
}

}  // namespace schedulegym
