// The episode of `construct`: stages from the last to the first, and at each, moves that are
// primitives with numbers from short lists (split lengths, pack tiles, unroll steps). A move that
// continues the last one replaces it: a further split of the same loop joins its lengths, reorders
// compose, fusions grow, packs permute; it is then applied to the state before that step. A place
// is the state, the state before its last step if that may be continued, and the stage; its text is
// a line `construct stage=ID open|closed` and the trace, which parses back to an equal place.
// Places to compute at are the loops of the last consumer and those around it. Illegal moves return
// kIllegal with what was found and expected.
// Cost: one check and one Apply a move; parsing replays the trace.
#include "env/gym/actions/construct_place.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "env/base/text.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

Error NoSuch(const std::string& what, int found, size_t count) {
  return Illegal("found " + what + " " + std::to_string(found) + ", but there are " +
                 std::to_string(count));
}

int LoopCount(const ConstructPlace& place) { return static_cast<int>(place.AtHand().loops.size()); }

int64_t Extent(const ConstructPlace& place, int loop) {
  const Stage& stage = place.AtHand();
  return stage.nodes[stage.loops[loop].node].extent;
}

Result<ConstructStep> SplitBy(const ConstructPlace& place, int loop, int64_t length) {
  const int64_t extent = Extent(place, loop);
  if (length > extent || extent == 1) {
    return Illegal("found a loop of " + std::to_string(extent) + ", expected one of at least " +
                   std::to_string(std::max<int64_t>(length, 2)));
  }
  const Split* last = place.Last<Split>();
  if (last == nullptr || last->loop != loop) {
    return ConstructStep{Split{{place.stage}, loop, {length}}, false};
  }
  Split further = *last;
  further.lengths.insert(further.lengths.begin(), length);
  return ConstructStep{std::move(further), true};
}

Result<ConstructStep> SplitStep(const ConstructPlace& place, const Move& move) {
  if (auto ok = CheckLoop(place.state, {place.stage}, move.a); !ok) return ok.error();
  if (move.kind == MoveKind::kSplit) return SplitBy(place, move.a, kSplitLengths[move.b]);
  const std::vector<int64_t> lengths = LargestDivisors(Extent(place, move.a));
  if (move.b >= static_cast<int>(lengths.size())) {
    return NoSuch("large divisor", move.b, lengths.size());
  }
  return SplitBy(place, move.a, lengths[move.b]);
}

Result<ConstructStep> ReorderStep(const ConstructPlace& place, const Move& move) {
  const int count = LoopCount(place);
  if (move.a + 1 >= count) return NoSuch("loop with one inside", move.a, count - 1);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  const auto from = order.begin() + move.a;
  std::rotate(from, from + 1, move.kind == MoveKind::kInnermost ? order.end() : from + 2);
  const Reorder* last = place.Last<Reorder>();
  if (last == nullptr) return ConstructStep{Reorder{{place.stage}, std::move(order)}, false};
  for (int& position : order) position = last->order[position];
  if (std::is_sorted(order.begin(), order.end())) {
    return Illegal("the loops would stand as they did before");
  }
  return ConstructStep{Reorder{{place.stage}, std::move(order)}, true};
}

Result<ConstructStep> FuseStep(const ConstructPlace& place, int loop) {
  const Fuse* last = place.Last<Fuse>();
  if (last == nullptr || last->loops.front() != loop) {
    return ConstructStep{Fuse{{place.stage}, {loop, loop + 1}}, false};
  }
  Fuse further = *last;
  further.loops.push_back(further.loops.back() + 1);
  return ConstructStep{std::move(further), true};
}

Result<ConstructStep> ComputeAtStep(const ConstructPlace& place, int at) {
  const auto places = ComputePlaces(place);
  if (at >= static_cast<int>(places.size())) return NoSuch("loop around", at, places.size());
  const auto& [target, loop] = places[at];
  return ConstructStep{ComputeAt{{place.stage}, {target}, loop}, false};
}

Result<void> CheckRoom(const ConstructPlace& place) {
  const int most = place.state.task().dag.size() + kMostAddedStages;
  if (place.state.size() < most) return {};
  return Illegal("found " + std::to_string(kMostAddedStages) + " stages added, as many as may be");
}

Result<int> ReadStage(const ConstructPlace& place, int at) {
  if (auto room = CheckRoom(place); !room) return room.error();
  const std::vector<int> reads = ReadStages(place);
  if (at >= static_cast<int>(reads.size())) return NoSuch("stage read", at, reads.size());
  return reads[at];
}

Result<ConstructStep> PackStep(const ConstructPlace& place, const Move& move) {
  const Result<int> source = ReadStage(place, move.a);
  if (!source) return source.error();
  const int dimensions = place.state.stage(*source).op->spatial;
  if (move.b >= dimensions) return NoSuch("dimension", move.b, dimensions);
  Pack pack{{*source}, {{place.stage}}, std::vector<int64_t>(dimensions, 1), {}};
  pack.tile[move.b] = kPackTiles[move.c];
  pack.order = {move.b};
  for (int stored = 0; stored <= dimensions; ++stored) {
    if (stored != move.b && stored != move.b + 1) pack.order.push_back(stored);
  }
  pack.order.push_back(move.b + 1);
  return ConstructStep{std::move(pack), false};
}

Result<ConstructStep> PackOrderStep(const ConstructPlace& place, int stored) {
  const Pack* last = place.Last<Pack>();
  if (last == nullptr) return Illegal("the last step is no pack for this stage");
  const auto count = static_cast<int>(last->order.size());
  if (stored + 1 >= count) return NoSuch("stored dimension with one inside", stored, count - 1);
  Pack pack = *last;
  std::rotate(pack.order.begin() + stored, pack.order.begin() + stored + 1, pack.order.end());
  return ConstructStep{std::move(pack), true};
}

Result<ConstructStep> RfactorStep(const ConstructPlace& place, const Move& move) {
  if (auto room = CheckRoom(place); !room) return room.error();
  const std::vector<int> loops = ReductionLoops(place);
  if (move.a >= static_cast<int>(loops.size())) {
    return NoSuch("reduction loop", move.a, loops.size());
  }
  return ConstructStep{Rfactor{{place.stage}, loops[move.a], move.b}, false};
}

Result<ConstructStep> AutoUnrollStep(const ConstructPlace& place, int64_t steps) {
  if (place.AtHand().auto_unroll_max_step == steps) {
    return Illegal("auto_unroll_max_step is " + std::to_string(steps) + " already");
  }
  return ConstructStep{Pragma{{place.stage}, "auto_unroll_max_step", steps}, false};
}

Result<ConstructStep> UncheckedStep(const ConstructPlace& place, const Move& move) {
  const StageRef stage{place.stage};
  const auto step = [](Primitive primitive) { return ConstructStep{std::move(primitive), false}; };
  switch (move.kind) {
    case MoveKind::kSplit:
    case MoveKind::kSplitOuter: return SplitStep(place, move);
    case MoveKind::kInnermost:
    case MoveKind::kOutward: return ReorderStep(place, move);
    case MoveKind::kFuse: return FuseStep(place, move.a);
    case MoveKind::kParallel: return step(Parallel{stage, move.a});
    case MoveKind::kUnroll: return step(Unroll{stage, move.a});
    case MoveKind::kVectorize: return step(Vectorize{stage, LoopCount(place) - 1});
    case MoveKind::kAutoUnroll: return AutoUnrollStep(place, kAutoUnrollSteps[move.a]);
    case MoveKind::kComputeAt: return ComputeAtStep(place, move.a);
    case MoveKind::kInline: return step(ComputeInline{stage});
    case MoveKind::kRoot: return step(ComputeRoot{stage});
    case MoveKind::kCacheWrite: {
      const Result<void> room = CheckRoom(place);
      return room ? step(CacheWrite{stage}) : Result<ConstructStep>(room.error());
    }
    case MoveKind::kCacheRead: {
      const Result<int> source = ReadStage(place, move.a);
      if (!source) return source.error();
      return step(CacheRead{{*source}, MemoryScope::kGlobal, {stage}});
    }
    case MoveKind::kPack: return PackStep(place, move);
    case MoveKind::kPackOrder: return PackOrderStep(place, move.a);
    case MoveKind::kRfactor: return RfactorStep(place, move);
    case MoveKind::kStop:
    case MoveKind::kNextStage: break;
  }
  return Illegal("the move is no primitive");
}

// "construct stage=ID open".
struct Header {
  int stage = 0;
  bool open = false;
};

std::optional<Header> ReadHeader(std::string_view line) {
  const std::string_view prefix = "construct stage=";
  if (line.substr(0, prefix.size()) != prefix) return std::nullopt;
  const auto [stage, state] = Cut(line.substr(prefix.size()), ' ');
  const std::optional<int64_t> id = ParseInteger(stage);
  if (!id || *id < 0 || *id > INT32_MAX || (state != "open" && state != "closed")) {
    return std::nullopt;
  }
  return Header{static_cast<int>(*id), state == "open"};
}

}  // namespace

int ConstructPlace::Loops() const {
  const Stage& stage = AtHand();
  if (stage.location == Location::kInlined) return 0;
  return std::min(kMenuLoops, static_cast<int>(stage.loops.size()));
}

ConstructPlace FirstPlace(const std::shared_ptr<const Task>& task) {
  ConstructPlace place{ScheduleState::Initial(task), std::nullopt, 0};
  place.stage = place.state.order().back();
  if (place.AtHand().op->kind == StageKind::kInput) place.stage = NextStage(place).value();
  return place;
}

std::optional<int> NextStage(const ConstructPlace& place) {
  const std::vector<int>& order = place.state.order();
  const auto here = std::find(order.begin(), order.end(), place.stage);
  for (auto at = here; at != order.begin();) {
    const Stage& stage = place.state.stage(*--at);
    if (stage.op->kind != StageKind::kInput && stage.location != Location::kInlined) return *at;
  }
  return std::nullopt;
}

std::vector<int64_t> LargestDivisors(int64_t extent) {
  std::vector<int64_t> divisors;
  constexpr int64_t kLongest = kSplitLengths[std::size(kSplitLengths) - 1];
  for (int64_t factor = 2; extent / factor > kLongest; ++factor) {
    if (extent % factor == 0) divisors.push_back(extent / factor);
    if (divisors.size() == kMenuLargest) break;
  }
  return divisors;
}

std::vector<std::pair<int, int>> ComputePlaces(const ConstructPlace& place) {
  const std::vector<int> consumers = place.state.Consumers(place.stage);
  if (consumers.empty()) return {};
  std::vector<std::pair<int, int>> places;
  int stage = consumers.back();
  int loop = static_cast<int>(place.state.stage(stage).loops.size()) - 1;
  for (bool around = true; around;) {
    for (; loop >= 0; --loop) places.emplace_back(stage, loop);
    const Stage& data = place.state.stage(stage);
    around = data.location == Location::kAt;
    if (!around) break;
    stage = data.target;
    loop = place.state.stage(stage).FindLoop(data.target_node);
  }
  std::reverse(places.begin(), places.end());
  return places;
}

std::vector<int> ReadStages(const ConstructPlace& place) {
  std::vector<int> stages;
  for (const ReadAccess& read : place.AtHand().op->reads) {
    const bool is_known = std::find(stages.begin(), stages.end(), read.stage) != stages.end();
    if (!is_known) stages.push_back(read.stage);
  }
  return stages;
}

std::vector<int> ReductionLoops(const ConstructPlace& place) {
  std::vector<int> loops;
  const Stage& stage = place.AtHand();
  for (int loop = 0; loop < static_cast<int>(stage.loops.size()); ++loop) {
    if (stage.nodes[stage.loops[loop].node].reduction) loops.push_back(loop);
  }
  return loops;
}

Result<ConstructStep> StepOf(const ConstructPlace& place, const Move& move) {
  Result<ConstructStep> step = UncheckedStep(place, move);
  if (!step) return step;
  const ScheduleState& from = step->again ? *place.before : place.state;
  if (auto legal = Check(from, step->primitive); !legal) return legal.error();
  return step;
}

Result<ConstructPlace> After(const ConstructPlace& place, const Move& move) {
  if (move.kind == MoveKind::kNextStage) {
    const std::optional<int> next = NextStage(place);
    if (!next) return Illegal("found no further stage with loops");
    return ConstructPlace{place.state, std::nullopt, *next};
  }
  const Result<ConstructStep> step = StepOf(place, move);
  if (!step) return step.error();
  const ScheduleState& from = step->again ? *place.before : place.state;
  Result<ScheduleState> state = Apply(from, step->primitive);
  if (!state) return state.error();
  return ConstructPlace{*std::move(state), from, place.stage};
}

std::string PlaceText(const ConstructPlace& place) {
  return "construct stage=" + std::to_string(place.stage) + (place.before ? " open" : " closed") +
         "\n" + place.state.TraceText();
}

Result<ConstructPlace> ParsePlace(const std::shared_ptr<const Task>& task, std::string_view text) {
  const auto [line, trace] = Cut(text, '\n');
  const std::optional<Header> header = ReadHeader(line);
  if (!header) {
    return Error{ErrorKind::kParse, "found '" + std::string(line) +
                                        "', expected 'construct stage=ID open' or '... closed'"};
  }
  Result<ScheduleState> state = ReplayText(task, trace);
  if (!state) return state.error();
  const bool has_stage = header->stage < state->size();
  if (!has_stage || state->stage(header->stage).op->kind == StageKind::kInput) {
    return Illegal("found stage " + std::to_string(header->stage) + ", expected a computed one");
  }
  std::optional<ScheduleState> before;
  if (header->open) {
    Trace steps = state->trace();
    if (steps.empty()) return Illegal("found no step that may be added to");
    steps.pop_back();
    before = Replay(task, steps).value();
  }
  return ConstructPlace{*std::move(state), std::move(before), header->stage};
}

Result<std::string> DescribeMove(const ConstructPlace& place, const Move& move) {
  if (move.kind == MoveKind::kStop) return std::string("stop");
  if (move.kind == MoveKind::kNextStage) {
    const std::optional<int> next = NextStage(place);
    if (!next) return Illegal("found no further stage with loops");
    return "next stage: " + place.state.stage(*next).op->name;
  }
  const Result<ConstructStep> step = StepOf(place, move);
  if (!step) return step.error();
  return ToText(step->primitive, place.state.Names());
}

}  // namespace schedulegym
