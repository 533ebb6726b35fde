#include "env/gym/actions/construct_space.h"

#include "env/base/check.h"
#include "env/gym/actions/construct_place.h"

namespace schedulegym {
namespace {

using MenuPtr = std::shared_ptr<const ConstructMenu>;

class ConstructEpisode : public EpisodeState {
 public:
  ConstructEpisode(MenuPtr menu, ConstructPlace place)
      : menu_(std::move(menu)), place_(std::move(place)), state_(place_.state) {
    stage_at_hand_ = place_.stage;
  }

  std::unique_ptr<EpisodeState> Fork() const override {
    return std::make_unique<ConstructEpisode>(*this);
  }

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
    return DescribeMove(place_, menu_->MoveOf(action));
  }

  std::string ToText() const override { return PlaceText(place_); }

 private:
  MenuPtr menu_;
  ConstructPlace place_;
  Result<ScheduleState> state_;  // of the place
};

class ConstructSpace : public ActionSpace {
 public:
  explicit ConstructSpace(std::string name) : name_(std::move(name)) { groups_ = menu_->Groups(); }

  std::string Name() const override { return name_; }
  std::string Menu() const override { return menu_->ToText(); }

  std::unique_ptr<EpisodeState> Start(const std::shared_ptr<const Task>& task,
                                      Rng&) const override {
    return std::make_unique<ConstructEpisode>(menu_, FirstPlace(task));
  }

  Result<std::unique_ptr<EpisodeState>> Resume(const std::shared_ptr<const Task>& task,
                                               std::string_view text) const override {
    Result<ConstructPlace> place = ParsePlace(task, text);
    if (!place) return place.error();
    return std::unique_ptr<EpisodeState>(
        std::make_unique<ConstructEpisode>(menu_, *std::move(place)));
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
