// The space `ansor`: sketches derived once a task, a sample is a uniform sketch with uniform
// lengths and Ansor's annotations (annotate.h), and the same sketches as knob spaces. Given choices
// are kept when a point is completed, at most 16 draws. Reading a schedule's point matches the
// sketch's steps for the lengths and the remaining steps, in any order, for the annotations.
// Admission bounds code (`code`, default 10000 operations, not tuned) and spills. Errors:
// InputError for options out of range and for rules that lead to no schedule.
#include "spaces/ansor/sketch_space.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/code_size.h"
#include "spaces/ansor/annotate.h"
#include "spaces/ansor/ansor_rules.h"
#include "spaces/ansor/derive.h"
#include "spaces/ansor/mutate.h"
#include "spaces/ansor/rewrite_weights.h"
#include "spaces/ansor/stage_loops.h"
#include "spaces/bind_threads.h"
#include "spaces/gpu_registers.h"
#include "spaces/register_spill.h"

namespace schedulegym {
namespace {

// Enough for a step of 512 on several statements. Chosen: no search was measured with other values.
constexpr double kMostCode = 10000;
// Largest value of the option `vector`, in elements.
constexpr int64_t kLongestVector = 65536;

struct SketchOptions {
  double most_code = kMostCode;
  double most_spill = 0;
  int64_t most_vector = kMostVector;
  int64_t most_warps = kMostWarps;
  bool layout = false;  // weights are stored as their reader reads them
};

// Limit of draws until one is legal.
constexpr int kTries = 16;
constexpr int kGpuTries = 256;

// Whether a device can launch it, and keeps its results in registers unless `most_spill` is 0.
Result<void> CheckKernels(const ScheduleState& state, double most_spill) {
  Result<void> fits = CheckLaunch(state);
  return fits && most_spill > 0 ? CheckRegisters(state) : fits;
}

Result<ScheduleState> Launchable(Result<ScheduleState> state, double most_spill) {
  if (!state || !state->task().target.IsGpu()) return state;
  if (const Result<void> fits = CheckKernels(*state, most_spill); !fits) return fits.error();
  return state;
}

class SketchSpace : public SearchSpace {
 public:
  SketchSpace(std::string name, std::vector<SketchRule> rules, SketchOptions options)
      : name_(std::move(name)), rules_(std::move(rules)), options_(options) {}

  std::string Name() const override { return name_; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const Derived& derived = DerivedOf(task);
    const auto count = static_cast<int64_t>(derived.open.size());
    if (!task->target.IsGpu()) {
      return Finish(Complete(derived.open[rng.Below(count)], {}, rng));
    }
    // Most lengths make too few threads or too many.
    Result<ScheduleState> state = InvalidSchedule("found no schedule");
    for (int i = 0; i < kGpuTries && !state; ++i) {
      state = Launchable(Finish(Complete(derived.open[rng.Below(count)], {}, rng)),
                         options_.most_spill);
    }
    return state;
  }

  Result<void> Admit(const ScheduleState& state) const override {
    Result<void> fits = state.task().target.IsGpu() ? CheckKernels(state, options_.most_spill)
                                                    : CheckSpill(state, options_.most_spill);
    if (!fits) return fits;
    return CheckCodeSize(state, options_.most_code);
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    const SketchFacts& facts = DerivedOf(state.shared_task()).facts;
    return Finish(schedulegym::Mutate(facts, state, rng, options_.most_warps));
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    return DerivedOf(task).sketches;
  }

 private:
  // Facts that are computed once for each task.
  struct Derived {
    SketchFacts facts;
    std::vector<OpenSketch> open;
    std::vector<Sketch> sketches;  // the same as knobs
  };

  const Derived& DerivedOf(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<const Derived>& derived = derived_[task];
    if (!derived) derived = std::make_unique<const Derived>(Derive(task));
    if (!derived->sketches.empty()) return *derived;
    throw InputError("space " + name_ + ": its rules lead to no schedule of " + task->name +
                     "; expected rule skip among them");
  }

  Derived Derive(const std::shared_ptr<const Task>& task) const {
    Derived derived{SketchFacts(*task),
                    DeriveSketches(task, rules_, options_.most_vector, options_.most_warps),
                    {}};
    if (options_.layout && task->target.IsGpu()) {
      throw InputError("space " + name_ + ": layout=true packs weights for processors alone");
    }
    const Finishing finishing = FinishingFor(task->target);
    for (const OpenSketch& open : derived.open) {
      derived.sketches.push_back(SketchOf(open, finishing));
    }
    return derived;
  }

  Result<ScheduleState> Finish(Result<ScheduleState> state) const {
    if (!state) return state;
    const Finishing finishing = FinishingFor(state->task().target);
    return finishing.finish ? finishing.finish(*std::move(state)) : state;
  }

  Finishing FinishingFor(const Target& target) const {
    if (target.IsGpu()) return {BindThreads, WithoutBindings, options_.most_spill};
    return options_.layout ? Finishing{RewriteWeights, WithoutRewrites} : Finishing{};
  }

  std::string name_;
  std::vector<SketchRule> rules_;
  SketchOptions options_;
  mutable std::mutex mutex_;
  mutable std::map<std::shared_ptr<const Task>, std::unique_ptr<const Derived>> derived_;
};

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
  if (std::holds_alternative<Vectorize>(steps.back())) {
    const auto* cut = steps.size() > 1 ? std::get_if<Split>(&steps[steps.size() - 2]) : nullptr;
    return cut != nullptr ? std::to_string(cut->lengths[0]) : "innermost loop";
  }
  const auto* fusion = std::get_if<Fuse>(&steps.front());
  const size_t count = fusion != nullptr ? fusion->loops.size() : 1;
  return std::to_string(count) + (count == 1 ? " loop" : " loops");
}

// Name of the choice of a block's threads, which derive.h describes.
std::string ThreadsOf(const Trace& steps, const Target& target) {
  for (const Primitive& step : steps) {
    if (const auto* split = std::get_if<Split>(&step)) return std::to_string(split->lengths[0]);
  }
  return std::to_string(target.gpu.warp);
}

Variants VariantsOf(const OpenAnnotation& open, const Target& target, const StageNames& names) {
  const bool is_of_blocks = target.IsGpu() && open.kind == KnobKind::kParallel;
  const char* what = is_of_blocks ? "threads" : KnobKindName(open.kind);
  Variants variants{names[open.stage] + ": " + what, open.choices, open.kind, open.stage};
  for (const Trace& steps : open.choices) {
    variants.meanings.push_back(is_of_blocks ? ThreadsOf(steps, target) : MeaningOf(steps, names));
  }
  return variants;
}

std::vector<TraceSegment> SegmentsOf(const OpenSketch& open) {
  std::vector<TraceSegment> segments;
  const Trace trace = open.state.trace();
  const StageNames names = open.state.Names();
  for (int step = 0; step < static_cast<int>(trace.size()); ++step) {
    const OpenSplit* lengths = open.FindSplit(step);
    if (lengths == nullptr) {
      segments.push_back(Variants{"", {{trace[step]}}});
      continue;
    }
    const auto& split = std::get<Split>(trace[step]);
    segments.push_back(LengthsOf(*lengths, split, names[split.stage.id]));
  }
  for (const OpenAnnotation& annotation : open.annotations) {
    segments.push_back(VariantsOf(annotation, open.state.task().target, names));
  }
  return segments;
}

class SketchBuilder : public KnobBuilder {
 public:
  SketchBuilder(OpenSketch open, const std::vector<TraceSegment>& segments, Finishing finishing)
      : open_(std::move(open)),
        finishing_(std::move(finishing)),
        tiles_(TilesIn(segments)),
        points_(open_.state.shared_task(), segments) {
    SG_CHECK(tiles_.size() == open_.splits.size(), "a tile for each open split, in order");
    annotations_ = static_cast<int>(KnobsIn(segments).size() - open_.annotations.size());
  }

  Result<ScheduleState> At(const KnobPoint& point,
                           InvalidPointPolicy invalid_point_policy) const override {
    Result<ScheduleState> state = points_.At(point, invalid_point_policy);
    if (!state) return state;
    const KnobPoint fitting = WithoutLongVectors(point, *state);
    return Finish(fitting == point ? std::move(state) : points_.At(fitting, invalid_point_policy));
  }

  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    const GivenChoices given = GivenBy(fixed);
    Result<ScheduleState> state = InvalidSchedule("found no schedule");
    const int tries = open_.state.task().target.IsGpu() ? kGpuTries : kTries;
    for (int i = 0; i < tries && !state; ++i) {
      state = Launchable(Finish(schedulegym::Complete(open_, given, rng)), finishing_.most_spill);
    }
    return state;
  }

  // Reads lengths by the steps of the sketch, the rest by steps in any order, since the sampler and
  // the grid use different orders. Choices of blocks are among the bindings.
  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    const Trace trace = finishing_.without ? finishing_.without(state) : state.trace();
    std::optional<KnobPoint> point = ReadLengths(trace);
    if (!point) return std::nullopt;
    const Trace rest(trace.begin() + open_.state.trace_size(), trace.end());
    const Trace whole = state.trace();
    const Trace bound(whole.begin() + open_.state.trace_size(), whole.end());
    const bool is_gpu = state.task().target.IsGpu();
    for (const OpenAnnotation& annotation : open_.annotations) {
      const bool is_of_blocks = is_gpu && annotation.kind == KnobKind::kParallel;
      point->push_back(ReadChoice(annotation, is_of_blocks ? bound : rest));
    }
    return point;
  }

 private:
  Result<ScheduleState> Finish(Result<ScheduleState> state) const {
    return state && finishing_.finish ? finishing_.finish(*std::move(state)) : state;
  }

  // Removes vectors longer than OpenSketch::most_vector.
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

  // The lengths in the trace's first steps; nullopt if these steps are not the sketch's.
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

  // Fusion changes the positions of loops, so any vector of the stage matches.
  static bool IsVectorOf(const Primitive& step, int stage) {
    const auto* vector = std::get_if<Vectorize>(&step);
    return vector != nullptr && vector->stage.id == stage;
  }

  // The last choice all of whose steps are present.
  static int ReadChoice(const OpenAnnotation& open, const Trace& rest) {
    const auto is_there = [&](const Primitive& step) {
      return std::any_of(rest.begin(), rest.end(), [&](const Primitive& other) {
        return std::holds_alternative<Vectorize>(step) ? IsVectorOf(other, open.stage)
                                                       : other == step;
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
  TraceSegmentBuilder points_;
  int annotations_ = 0;  // the first knob of the annotations
};

bool HasLengths(const std::vector<int64_t>& lengths,
                const std::vector<std::optional<int64_t>>& given) {
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] && *given[i] != lengths[i]) return false;
  }
  return true;
}

// A position in the split's choices; nullopt if no choice has the given lengths.
std::optional<int> DrawChoice(const OpenSplit& split,
                              const std::vector<std::optional<int64_t>>& given, Rng& rng) {
  const auto count = static_cast<int64_t>(split.choices.size());
  if (given.empty()) return static_cast<int>(rng.Below(count));
  std::vector<int> fitting;
  for (int i = 0; i < count; ++i) {
    if (HasLengths(split.choices[i], given)) fitting.push_back(i);
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[rng.Below(static_cast<int64_t>(fitting.size()))];
}

// Decides on GPUs the vectors of copies and the threads of blocks.
Result<ScheduleState> DecideAll(ScheduleState state, KnobKind kind, const OpenSketch& sketch,
                                const Decide& decide, const GivenSteps& given) {
  for (const OpenAnnotation& open : sketch.annotations) {
    if (open.kind != kind) continue;
    const Trace* steps = given(open.kind, open.stage);
    const auto count = static_cast<int64_t>(open.choices.size());
    if (!steps) steps = &open.choices[decide(open.kind, open.stage, count)];
    Result<ScheduleState> next = ApplyAll(std::move(state), *steps);
    if (!next) return next;
    state = *std::move(next);
  }
  return state;
}

std::vector<bool> PlacedStages(const OpenSketch& sketch) {
  std::vector<bool> placed;
  for (int id = 0; id < sketch.state.size(); ++id) {
    placed.push_back(HasPlaces(sketch.annotations, id));
  }
  return placed;
}

}  // namespace

std::unique_ptr<SearchSpace> MakeAnsorSpace(const Spec& spec) {
  SpecReader reader(spec, "space");
  std::vector<SketchRule> rules;
  for (SketchRule& rule : AnsorRules()) {
    if (reader.Flag(rule.name, true)) rules.push_back(std::move(rule));
  }
  SketchOptions options;
  options.layout = reader.Flag("layout", options.layout);
  options.most_code = reader.Number("code", options.most_code);
  options.most_vector = reader.Integer("vector", options.most_vector);
  options.most_warps = reader.Integer("warps", options.most_warps);
  options.most_spill = ReadMostSpill(reader, "space ansor");
  reader.Finish();
  if (options.most_code < 100) {
    throw InputError("space ansor: code=" + FormatDouble(options.most_code) +
                     ", expected at least 100");
  }
  if (options.most_vector < 1 || options.most_vector > kLongestVector) {
    throw InputError("space ansor: vector=" + std::to_string(options.most_vector) +
                     ", expected 1 to " + std::to_string(kLongestVector));
  }
  if (options.most_warps < 1 || options.most_warps > kMostWarps) {
    throw InputError("space ansor: warps=" + std::to_string(options.most_warps) +
                     ", expected 1 to " + std::to_string(kMostWarps));
  }
  return std::make_unique<SketchSpace>(spec.ToText(), std::move(rules), options);
}

Sketch SketchOf(OpenSketch open, const Finishing& finishing) {
  const std::vector<TraceSegment> segments = SegmentsOf(open);
  const std::shared_ptr<const Task> task = open.state.shared_task();
  std::vector<std::string> rules = open.rules;
  auto builder = std::make_shared<const SketchBuilder>(std::move(open), segments, finishing);
  auto knobs = std::make_shared<const KnobSpace>(task, KnobsIn(segments), std::move(builder),
                                                 TilesIn(segments));
  Result<ScheduleState> origin = knobs->At(knobs->Origin());
  SG_CHECK(origin.ok(), "a sketch is a schedule: " + origin.error().message);
  return {*std::move(origin), std::move(rules), std::move(knobs)};
}

Result<ScheduleState> Complete(const OpenSketch& sketch, const GivenChoices& given, Rng& rng) {
  std::vector<int> chosen;
  for (size_t i = 0; i < sketch.splits.size(); ++i) {
    const auto lengths =
        given.lengths.empty() ? std::vector<std::optional<int64_t>>() : given.lengths[i];
    const std::optional<int> choice = DrawChoice(sketch.splits[i], lengths, rng);
    if (!choice) {
      return InvalidSchedule("found lengths that fit no others of a loop of " +
                             std::to_string(sketch.splits[i].extent));
    }
    chosen.push_back(*choice);
  }
  const Decide decide = [&rng](KnobKind, int, int64_t count) { return rng.Below(count); };
  const GivenSteps steps = [&](KnobKind kind, int stage) -> const Trace* {
    for (size_t i = 0; i < given.annotations.size(); ++i) {
      const OpenAnnotation& open = sketch.annotations[i];
      if (open.kind != kind || open.stage != stage) continue;
      return given.annotations[i] ? &open.choices[*given.annotations[i]] : nullptr;
    }
    return nullptr;
  };
  Result<ScheduleState> state = FillLengths(sketch, chosen);
  if (sketch.state.task().target.IsGpu()) {
    if (state) state = DecideAll(*std::move(state), KnobKind::kVector, sketch, decide, steps);
    if (state) state = UnrollReductions(*std::move(state), decide, steps);
    if (state) state = DecideAll(*std::move(state), KnobKind::kParallel, sketch, decide, steps);
    return state;
  }
  if (state) state = MoveStages(*std::move(state), sketch.needs_tiles, decide, steps);
  if (state) {
    state = VectorizeGiven(*std::move(state), PlacedStages(sketch), sketch.most_vector, steps);
  }
  if (state) state = RunInParallel(*std::move(state), steps);
  if (state) state = UnrollReductions(*std::move(state), decide, steps);
  if (state) state = Vectorized(*std::move(state), decide, steps, sketch.most_vector);
  return state;
}

}  // namespace schedulegym
