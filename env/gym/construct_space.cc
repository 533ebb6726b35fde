#include "env/gym/construct_space.h"

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/gym/construct_place.h"

namespace schedulegym {
namespace {

using MenuPtr = std::shared_ptr<const ConstructMenu>;

class ConstructWalk : public Walk {
 public:
  ConstructWalk(MenuPtr menu, ConstructPlace place)
      : menu_(std::move(menu)), place_(std::move(place)), state_(place_.state) {
    stage_at_hand_ = place_.stage;
  }

  std::unique_ptr<Walk> Fork() const override { return std::make_unique<ConstructWalk>(*this); }

  void WriteMask(std::span<int8_t> mask) const override {
    SG_CHECK(static_cast<int>(mask.size()) == menu_->size(), "a byte for each action");
    WriteLegal(*menu_, place_, mask);
  }

  Result<void> Act(int action) override {
    const Move move = menu_->MoveOf(action);
    SG_CHECK(move.kind != MoveKind::kStop, "a walk is not asked to stop");
    Result<ConstructPlace> place = After(place_, move);
    if (!place) return place.error();
    place_ = *std::move(place);
    state_ = place_.state;
    stage_at_hand_ = place_.stage;
    return {};
  }

  const Result<ScheduleState>& state() const override { return state_; }

  Result<std::string> Describe(int action) const override {
    const Move move = menu_->MoveOf(action);
    if (move.kind == MoveKind::kStop) return std::string("stop");
    if (move.kind == MoveKind::kNextStage) {
      const std::optional<int> next = NextStage(place_);
      if (!next) return Illegal("found no further stage with loops");
      return "next stage: " + place_.state.stage(*next).op->name;
    }
    const Result<ConstructStep> step = StepOf(place_, move);
    if (!step) return step.error();
    return schedulegym::ToText(step->primitive, place_.state.Names());
  }

  // The stage at hand, whether the last step may be added to, and the trace.
  std::string ToText() const override {
    return "construct stage=" + std::to_string(place_.stage) +
           (place_.before ? " open" : " closed") + "\n" + place_.state.TraceText();
  }

 private:
  MenuPtr menu_;
  ConstructPlace place_;
  Result<ScheduleState> state_;  // of the place
};

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

class ConstructSpace : public ActionSpace {
 public:
  explicit ConstructSpace(std::string name) : name_(std::move(name)) {}

  std::string Name() const override { return name_; }
  int size() const override { return menu_->size(); }
  std::string Menu() const override { return menu_->ToText(); }

  std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng&) const override {
    return std::make_unique<ConstructWalk>(menu_, FirstPlace(task));
  }

  Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                       std::string_view text) const override {
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
    return std::unique_ptr<Walk>(std::make_unique<ConstructWalk>(
        menu_, ConstructPlace{*std::move(state), std::move(before), header->stage}));
  }

 private:
  std::string name_;
  MenuPtr menu_ = std::make_shared<const ConstructMenu>();
};

}  // namespace

std::unique_ptr<ActionSpace> MakeConstructSpace(const Spec& spec) {
  SpecReader(spec, "action space").Finish();
  return std::make_unique<ConstructSpace>(spec.ToText());
}

}  // namespace schedulegym
