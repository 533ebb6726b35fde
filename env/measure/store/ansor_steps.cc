// Each step is a tag and its arguments in the order of TVM's log (transform_step.cc, v0.16), which
// are the fields of our primitives in their order, but for SP (an extent more), PR and AN. Stages:
// our ids stay as they are, positions move. StageOrder follows both: cache_read adds a stage after
// its own, cache_write and rfactor one before. A reader does not know where the ids of added stages
// begin: it lets them begin at kMostStages and moves them down in the end.
// Cost: O(steps * stages).
#include "env/measure/store/ansor_steps.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "env/base/text.h"
#include "env/measure/store/json_fields_internal.h"

namespace schedulegym {
namespace {

// Limit of stages of a computation, and of stages added to it.
constexpr int kMostStages = 256;
// Limits of traces, as in env/schedule.
constexpr size_t kMostSteps = 4096, kMostValues = 256;

// Annotations by their number in an annotation step.
constexpr std::array kAnnotations = {
    Annotation::kNone,    Annotation::kUnroll, Annotation::kVectorize, Annotation::kParallel,
    Annotation::kVthread, Annotation::kBlockX, Annotation::kThreadX,   Annotation::kBlockY,
    Annotation::kThreadY, Annotation::kBlockZ, Annotation::kThreadZ};

// Four primitives share AN and differ in its number. `pack` has no step.
struct TaggedStep {
  std::string tag;
  Primitive blank;
};
std::vector<TaggedStep> TaggedSteps() {
  return {{"SP", Split{}},       {"FSP", FollowSplit{}},  {"FFSP", FollowFusedSplit{}},
          {"FU", Fuse{}},        {"RE", Reorder{}},       {"AN", Parallel{}},
          {"AN", Vectorize{}},   {"AN", Unroll{}},        {"AN", Bind{}},
          {"PR", Pragma{}},      {"SA", StorageAlign{}},  {"CA", ComputeAt{}},
          {"CR", ComputeRoot{}}, {"CI", ComputeInline{}}, {"CHR", CacheRead{}},
          {"CHW", CacheWrite{}}, {"RF", Rfactor{}}};
}

class StageOrder {
 public:
  explicit StageOrder(std::vector<int> ids) : ids_(std::move(ids)), next_(std::ssize(ids_)) {}

  int64_t PositionOf(StageRef stage) const {
    return std::ranges::find(ids_, stage.id) - ids_.begin();
  }
  StageRef At(int64_t position) const {
    if (position < std::ssize(ids_)) return {ids_[static_cast<size_t>(position)]};
    throw FieldError("found stage " + std::to_string(position) + ", expected less than " +
                     std::to_string(kMostStages));
  }
  // Updates the order after a primitive was applied.
  void Follow(const Primitive& primitive) {
    if (const auto* read = std::get_if<CacheRead>(&primitive)) Add(PositionOf(read->stage) + 1);
    if (const auto* write = std::get_if<CacheWrite>(&primitive)) Add(PositionOf(write->stage));
    if (const auto* factor = std::get_if<Rfactor>(&primitive)) Add(PositionOf(factor->stage));
  }

 private:
  void Add(int64_t position) { ids_.insert(ids_.begin() + position, static_cast<int>(next_++)); }

  std::vector<int> ids_;
  int64_t next_;
};

// The step of a primitive that is applied to `state`; Add has one overload a field type.
class StepWriter {
 public:
  StepWriter(const ScheduleState& state, const StageOrder& order) : state_(state), order_(order) {}

  Json Write(const Primitive& primitive) {
    for (const TaggedStep& one : TaggedSteps()) {
      if (one.blank.index() != primitive.index() || HasOtherLoops(primitive)) continue;
      step_ = Json::Array(one.tag);
      std::visit([&](const auto& own) { AddStep(own); }, primitive);
      return std::move(step_);
    }
    throw FieldError(std::string(NameOf(primitive)) + " has no step of Ansor's");
  }

 private:
  // Ansor aligns at a loop: dimensions are loops as long as no primitive has changed these.
  bool HasOtherLoops(const Primitive& primitive) const {
    const auto* align = std::get_if<StorageAlign>(&primitive);
    return align != nullptr && !state_.stage(align->stage.id).is_fresh();
  }

  template <typename P>
  void AddStep(const P& primitive) {
    ForEachField<P>([&](const auto& field) {
      if constexpr (std::is_same_v<P, Split>) {
        if (field.name == "lengths") step_.Add(ExtentOf(primitive));
      }
      Add(primitive.*field.member);
    });
    if constexpr (std::is_same_v<P, Parallel>) Add(Annotation::kParallel);
    if constexpr (std::is_same_v<P, Vectorize>) Add(Annotation::kVectorize);
    if constexpr (std::is_same_v<P, Unroll>) Add(Annotation::kUnroll);
  }
  // Adds the step at the stage's first loop, as Ansor does.
  void AddStep(const Pragma& pragma) {
    Add(pragma.stage);
    step_.Add(0);
    step_.Add(pragma.name + "$" + std::to_string(pragma.value));
  }

  void Add(StageRef stage) { step_.Add(order_.PositionOf(stage)); }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void Add(T value) { step_.Add(static_cast<int64_t>(value)); }
  void Add(MemoryScope scope) { step_.Add(MemoryScopeName(scope)); }
  void Add(Annotation annotation) {
    step_.Add(std::ranges::find(kAnnotations, annotation) - kAnnotations.begin());
  }
  void Add(const std::vector<StageRef>& stages) {
    std::vector<int64_t> positions;
    for (const StageRef stage : stages) positions.push_back(order_.PositionOf(stage));
    step_.Add(positions);
  }
  template <typename T>
  void Add(const std::vector<T>& values) {
    step_.Add(values);
  }
  int64_t ExtentOf(const Split& split) const {
    const Stage& stage = state_.stage(split.stage.id);
    return stage.nodes[stage.loops[split.loop].node].extent;
  }

  const ScheduleState& state_;
  const StageOrder& order_;
  Json step_;
};

// The primitive of a step; Take has one overload a field type.
class StepReader {
 public:
  StepReader(const Json& step, const StageOrder& order) : step_(step), order_(order) {}

  Primitive Read() {
    const Json& first = Next();
    tag_ = first.is_string() ? first.Text() : first.ToText();
    std::vector<std::string> known;
    for (TaggedStep& one : TaggedSteps()) {
      known.push_back(one.tag);
      if (one.tag != tag_) continue;
      Primitive primitive = tag_ == "AN" ? ReadAnnotation() : std::move(one.blank);
      if (tag_ != "AN") std::visit([&](auto& own) { TakeStep(own); }, primitive);
      if (at_ == step_.size()) return primitive;
      throw FieldError(tag_ + ": found " + std::to_string(step_.size() - 1) +
                       " arguments, expected " + std::to_string(at_ - 1));
    }
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw FieldError(UnknownName("step", tag_, known));
  }

 private:
  template <typename P>
  void TakeStep(P& primitive) {
    ForEachField<P>([&](const auto& field) {
      if (std::is_same_v<P, Split> && field.name == "lengths") Integer(Next());
      Take(primitive.*field.member);
    });
  }
  void TakeStep(Pragma& pragma) {
    Take(pragma.stage);
    Integer(Next());
    std::string text;
    Take(text);
    const size_t end = text.find('$');
    const auto number = ParseInteger(end == std::string::npos ? "" : text.substr(end + 1));
    const std::string name = text.substr(0, end);
    if (!number || name.empty() || name.find_first_not_of(kLetters) != std::string::npos) {
      throw FieldError("PR: found '" + text + "', expected such as auto_unroll_max_step$16");
    }
    pragma.name = name;
    pragma.value = *number;
  }
  Primitive ReadAnnotation() {
    StageRef stage;
    int loop = 0;
    Take(stage);
    Take(loop);
    const auto number = static_cast<size_t>(Integer(Next()));
    const Annotation kind = number < kAnnotations.size() ? kAnnotations[number] : Annotation::kNone;
    switch (kind) {
      case Annotation::kNone: break;
      case Annotation::kUnroll: return Unroll{stage, loop};
      case Annotation::kVectorize: return Vectorize{stage, loop};
      case Annotation::kParallel: return Parallel{stage, loop};
      default: return Bind{stage, loop, kind};
    }
    throw FieldError("AN: found annotation " + std::to_string(number) + ", expected 1 to " +
                     std::to_string(kAnnotations.size() - 1));
  }

  void Take(StageRef& stage) { stage = order_.At(Integer(Next())); }
  void Take(int& value) { value = Integer(Next()); }
  void Take(int64_t& value) { value = Integer(Next()); }
  void Take(Annotation&) {}  // ReadAnnotation does
  void Take(bool& flag) { flag = Integer(Next()) != 0; }
  void Take(std::string& text) {
    const Json& value = Next();
    if (!value.is_string()) throw FieldError(tag_ + ": found a number, expected a text");
    text = value.Text();
  }
  void Take(MemoryScope& scope) {
    std::string text;
    Take(text);
    for (const auto one : {MemoryScope::kGlobal, MemoryScope::kShared, MemoryScope::kLocal}) {
      scope = one;
      if (text == MemoryScopeName(one)) return;
    }
    throw FieldError(tag_ + ": " + UnknownName("scope", text, {"global", "shared", "local"}));
  }
  template <typename T>
  void Take(std::vector<T>& values) {
    const Json& list = Next();
    if (!list.is_array() || list.size() > kMostValues) {
      throw FieldError(tag_ + ": expected a list of at most " + std::to_string(kMostValues) +
                       " values");
    }
    for (const Json& one : list.elements()) {
      if constexpr (std::is_same_v<T, StageRef>) values.push_back(order_.At(Integer(one)));
      if constexpr (!std::is_same_v<T, StageRef>) values.push_back(Integer(one));
    }
  }

  const Json& Next() {
    if (!step_.is_array()) throw FieldError("found no list, expected a step");
    if (at_ < step_.size()) return step_[at_++];
    throw FieldError((tag_.empty() ? "a step" : tag_) + ": found too few arguments");
  }
  int Integer(const Json& value) const {
    const int64_t number = value.is_integer() ? value.As<int64_t>() : -1;
    if (number >= 0 && number <= std::numeric_limits<int>::max()) return static_cast<int>(number);
    throw FieldError(tag_ + ": found another argument, expected an integer from 0 to 2147483647");
  }

  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_0123456789";
  const Json& step_;
  const StageOrder& order_;
  std::string tag_;
  size_t at_ = 0;
};

// Calls `use` with each stage that primitives name.
template <typename Use>
void ForEachStage(Trace& trace, const Use& use) {
  const auto visit = [&](auto& one) {
    ForEachField<std::decay_t<decltype(one)>>([&](const auto& field) {
      auto& value = one.*field.member;
      using T = std::decay_t<decltype(value)>;
      if constexpr (std::is_same_v<T, StageRef>) use(value);
      if constexpr (std::is_same_v<T, std::vector<StageRef>>) std::ranges::for_each(value, use);
    });
  };
  for (Primitive& primitive : trace) std::visit(visit, primitive);
}

// Moves the ids of added stages down to follow those of the computation's tensors.
void MoveAddedStages(std::optional<int> tensors, Trace& trace) {
  int last = -1;
  ForEachStage(trace, [&](StageRef& stage) {
    if (stage.id < kMostStages) last = std::max(last, stage.id);
  });
  if (tensors && last >= *tensors) {
    throw FieldError("found tensor " + std::to_string(last) + ", expected less than " +
                     std::to_string(*tensors));
  }
  const int begin = tensors.value_or(last + 1);
  ForEachStage(trace, [&](StageRef& stage) {
    if (stage.id >= kMostStages) stage.id += begin - kMostStages;
  });
}

}  // namespace

Result<Json> AnsorStepsOf(const ScheduleState& state) {
  ScheduleState now = ScheduleState::Initial(state.shared_task());
  StageOrder order(now.order());
  Json steps = Json::Array();
  for (const Primitive& primitive : state.trace()) {
    try {
      steps.Add(StepWriter(now, order).Write(primitive));
    } catch (const FieldError& fault) {
      return Error{ErrorKind::kUnsupported, fault.what()};
    }
    order.Follow(primitive);
    Result<ScheduleState> next = Apply(std::move(now), primitive);
    if (!next) return next.error();
    now = *std::move(next);
  }
  return steps;
}

Result<Trace> TraceOfAnsorSteps(const Json& steps, std::optional<int> tensors) {
  std::vector<int> ids(kMostStages);
  std::iota(ids.begin(), ids.end(), 0);
  StageOrder order(std::move(ids));
  Trace trace;
  try {
    if (!steps.is_array() || steps.size() > kMostSteps) {
      throw FieldError("expected a list of at most " + std::to_string(kMostSteps) + " steps");
    }
    for (const Json& step : steps.elements()) {
      trace.push_back(StepReader(step, order).Read());
      order.Follow(trace.back());
    }
    MoveAddedStages(tensors, trace);
  } catch (const FieldError& fault) {
    return Error{ErrorKind::kParse, fault.what()};
  }
  return trace;
}

}  // namespace schedulegym
