#include "spaces/ansor/sketch_knobs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "env/base/check.h"
#include "spaces/ansor/complete.h"
#include "spaces/ansor/stage_loops.h"

namespace schedulegym {
namespace {

// Draws that lead nowhere are made again, so many times.
constexpr int kTries = 16;

OpenLengths LengthsOf(const OpenSplit& open, const Split& split, const std::string& stage) {
  OpenLengths lengths{stage + ": tile of loop " + std::to_string(split.loop),
                      split,
                      open.extent,
                      LengthsFit::kDivide,
                      {}};
  for (size_t i = 0; i < split.lengths.size(); ++i) {
    std::set<int64_t> values;
    for (const std::vector<int64_t>& choice : open.choices) values.insert(choice[i]);
    lengths.values.emplace_back(values.begin(), values.end());
  }
  return lengths;
}

std::string MeaningOf(const Trace& steps, const StageNames& names) {
  if (steps.empty()) return "none";
  if (const auto* place = std::get_if<ComputeAt>(&steps.back())) {
    return names[place->target.id] + ", loop " + std::to_string(place->loop);
  }
  if (const auto* pragma = std::get_if<Pragma>(&steps.back())) {
    return std::to_string(pragma->value);
  }
  if (std::holds_alternative<Vectorize>(steps.back())) return "innermost loop";
  const auto* fusion = std::get_if<Fuse>(&steps.front());
  const size_t count = fusion != nullptr ? fusion->loops.size() : 1;
  return std::to_string(count) + (count == 1 ? " loop" : " loops");
}

std::vector<Stretch> StretchesOf(const OpenSketch& open) {
  std::vector<Stretch> stretches;
  const Trace trace = open.state.trace();
  const StageNames names = open.state.Names();
  for (int step = 0; step < static_cast<int>(trace.size()); ++step) {
    const OpenSplit* lengths = open.FindSplit(step);
    if (lengths == nullptr) {
      stretches.push_back(Variants{"", {{trace[step]}}});
      continue;
    }
    const auto& split = std::get<Split>(trace[step]);
    stretches.push_back(LengthsOf(*lengths, split, names[split.stage.id]));
  }
  for (const OpenAnnotation& annotation : open.annotations) {
    Variants variants{names[annotation.stage] + ": " + KnobKindName(annotation.kind),
                      annotation.choices, annotation.kind, annotation.stage};
    for (const Trace& steps : annotation.choices) {
      variants.meanings.push_back(MeaningOf(steps, names));
    }
    stretches.push_back(std::move(variants));
  }
  return stretches;
}

class SketchBuilder : public KnobBuilder {
 public:
  SketchBuilder(OpenSketch open, const std::vector<Stretch>& stretches, Finishing finishing)
      : open_(std::move(open)),
        finishing_(std::move(finishing)),
        tiles_(TilesIn(stretches)),
        points_(open_.state.shared_task(), stretches) {
    SG_CHECK(tiles_.size() == open_.splits.size(), "a tile for each open split, in order");
    annotations_ = static_cast<int>(KnobsIn(stretches).size() - open_.annotations.size());
  }

  Result<ScheduleState> At(const KnobPoint& point, Misfit misfit) const override {
    Result<ScheduleState> state = points_.At(point, misfit);
    if (!state) return state;
    const KnobPoint fitting = WithoutLongVectors(point, *state);
    return Finish(fitting == point ? std::move(state) : points_.At(fitting, misfit));
  }

  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    const GivenChoices given = GivenBy(fixed);
    Result<ScheduleState> state = InvalidSchedule("found no schedule");
    for (int i = 0; i < kTries && !state; ++i) {
      state = Finish(schedulegym::Complete(open_, given, rng));
    }
    return state;
  }

  // Lengths by the steps of the sketch, the rest by steps in any order, for the sampler has another
  // one than the grid.
  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    const Trace trace = finishing_.without ? finishing_.without(state) : state.trace();
    std::optional<KnobPoint> point = ReadLengths(trace);
    if (!point) return std::nullopt;
    const Trace rest(trace.begin() + open_.state.trace_size(), trace.end());
    for (const OpenAnnotation& annotation : open_.annotations) {
      point->push_back(ReadChoice(annotation, rest));
    }
    return point;
  }

 private:
  Result<ScheduleState> Finish(Result<ScheduleState> state) const {
    return state && finishing_.finish ? finishing_.finish(*std::move(state)) : state;
  }

  // As OpenSketch::most_vector has it.
  KnobPoint WithoutLongVectors(KnobPoint point, const ScheduleState& state) const {
    std::optional<LoopStructure> structure;  // the same for all
    for (size_t i = 0; i < open_.annotations.size(); ++i) {
      const OpenAnnotation& open = open_.annotations[i];
      int& choice = point[annotations_ + i];
      if (open.kind != KnobKind::kVector || choice == 0) continue;
      if (!HasPlaces(open_.annotations, open.stage)) continue;
      if (!structure) structure = InferLoops(state);
      if (ExtentsOf(*structure, open.stage).back() > open_.most_vector) choice = 0;
    }
    return point;
  }

  GivenChoices GivenBy(const OpenPoint& fixed) const {
    GivenChoices given;
    for (const KnobTile& tile : tiles_) {
      auto& lengths = given.lengths.emplace_back(tile.knobs.size());
      for (size_t i = 0; i < tile.knobs.size(); ++i) {
        const int knob = tile.knobs[i];
        if (knob >= 0 && fixed[knob]) lengths[i] = tile.values[i][*fixed[knob]];
      }
    }
    given.annotations.assign(fixed.begin() + annotations_, fixed.end());
    return given;
  }

  // Those of the trace's first steps; none where these are not the sketch's.
  std::optional<KnobPoint> ReadLengths(const Trace& trace) const {
    const Trace own = open_.state.trace();
    if (trace.size() < own.size()) return std::nullopt;
    KnobPoint point;
    size_t tile = 0;
    for (size_t step = 0; step < own.size(); ++step) {
      const OpenSplit* open = open_.FindSplit(static_cast<int>(step));
      if (open == nullptr) {
        if (!(trace[step] == own[step])) return std::nullopt;
        continue;
      }
      const auto* split = std::get_if<Split>(&trace[step]);
      if (split == nullptr || !Append(tiles_[tile++], *split, own[step], point)) {
        return std::nullopt;
      }
    }
    return point;
  }

  static bool Append(const KnobTile& tile, const Split& split, const Primitive& own,
                     KnobPoint& point) {
    Split same = split;
    same.lengths = std::get<Split>(own).lengths;
    if (!(Primitive(same) == own) || split.lengths.size() != tile.values.size()) return false;
    for (size_t i = 0; i < tile.values.size(); ++i) {
      const auto found =
          std::lower_bound(tile.values[i].begin(), tile.values[i].end(), split.lengths[i]);
      if (found == tile.values[i].end() || *found != split.lengths[i]) return false;
      if (tile.knobs[i] >= 0) point.push_back(static_cast<int>(found - tile.values[i].begin()));
    }
    return true;
  }

  // Loops have other positions once some of them are fused: any vector of the stage is the one.
  static bool IsVectorOf(const Primitive& step, int stage) {
    const auto* vector = std::get_if<Vectorize>(&step);
    return vector != nullptr && vector->stage.id == stage;
  }

  // The last of the choices all of whose steps are there.
  static int ReadChoice(const OpenAnnotation& open, const Trace& rest) {
    const auto is_there = [&](const Primitive& step) {
      return std::any_of(rest.begin(), rest.end(), [&](const Primitive& other) {
        const bool vectors = open.kind == KnobKind::kVector;
        return vectors ? IsVectorOf(other, open.stage) : other == step;
      });
    };
    for (size_t choice = open.choices.size(); choice-- > 1;) {
      const Trace& steps = open.choices[choice];
      if (std::all_of(steps.begin(), steps.end(), is_there)) return static_cast<int>(choice);
    }
    return 0;
  }

  OpenSketch open_;
  Finishing finishing_;
  std::vector<KnobTile> tiles_;  // by open split
  StretchBuilder points_;
  int annotations_ = 0;  // the first knob of theirs
};

}  // namespace

Sketch SketchOf(OpenSketch open, const Finishing& finishing) {
  const std::vector<Stretch> stretches = StretchesOf(open);
  const std::shared_ptr<const Task> task = open.state.shared_task();
  std::vector<std::string> rules = open.rules;
  auto builder = std::make_shared<const SketchBuilder>(std::move(open), stretches, finishing);
  auto knobs = std::make_shared<const KnobSpace>(task, KnobsIn(stretches), std::move(builder),
                                                 TilesIn(stretches));
  Result<ScheduleState> origin = knobs->At(knobs->Origin());
  SG_CHECK(origin.ok(), "a sketch is a schedule");
  return {*std::move(origin), std::move(rules), std::move(knobs)};
}

}  // namespace schedulegym
