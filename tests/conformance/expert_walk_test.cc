// Every hand-written schedule can be constructed stage by stage, from the offered actions.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "env/gym/actions/construct_space.h"
#include "env/lower/loop_program.h"
#include "env/lower/lower.h"
#include "env/program/workloads/workload.h"
#include "tests/support/expert_cases.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

class ExpertWalk {
 public:
  explicit ExpertWalk(std::shared_ptr<const Task> task)
      : space_(MakeConstructSpace(ParseSpec("construct").value())) {
    Rng rng(0);
    episode_ = space_->Start(task, rng);
  }

  const ScheduleState& state() const { return episode_->state().value(); }

  // Takes the trace's steps for the current stage, in their order, then those of the next stage.
  void Follow(const ScheduleState& expert) {
    for (bool more = true; more && !testing::Test::HasFatalFailure();) {
      FollowStage(expert);
      more = Find("next stage: ", true).has_value();
      if (more) {
        ASSERT_TRUE(episode_->Act(1).ok());
      }
    }
  }

 private:
  std::string AtHand() const { return state().stage(*episode_->stage_at_hand()).op->name; }

  void FollowStage(const ScheduleState& expert) {
    const StageNames names = expert.Names();
    for (const Primitive& step : expert.trace()) {
      std::visit([&](const auto& primitive) { Take(primitive, names); }, step);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  bool IsAtHand(StageRef stage, const StageNames& names) const {
    return names[stage.id] == AtHand();
  }
  StageRef Here(StageRef stage, const StageNames& names) const {
    return {state().Find(names[stage.id])};
  }

  void Take(const Split& split, const StageNames& names) {
    if (!IsAtHand(split.stage, names)) return;
    Split further{Here(split.stage, names), split.loop, {}};
    for (size_t i = split.lengths.size(); i-- > 0;) {
      further.lengths.insert(further.lengths.begin(), split.lengths[i]);
      Do(further);
    }
  }
  // Moves the loops, except those that may stay, to the innermost place, one by one.
  void Take(const Reorder& reorder, const StageNames& names) {
    if (!IsAtHand(reorder.stage, names)) return;
    const std::vector<int>& order = reorder.order;
    const auto kept = std::is_sorted_until(order.begin(), order.end());
    std::vector<int> now(order.size());
    std::iota(now.begin(), now.end(), 0);
    for (auto at = kept; at != order.end(); ++at) {
      const auto place = std::find(now.begin(), now.end(), *at);
      std::rotate(place, place + 1, now.end());
      Do(Reorder{Here(reorder.stage, names), now});
    }
  }
  void Take(const Fuse& fuse, const StageNames& names) {
    if (!IsAtHand(fuse.stage, names)) return;
    Fuse further{Here(fuse.stage, names), {fuse.loops[0]}};
    for (size_t i = 1; i < fuse.loops.size(); ++i) {
      further.loops.push_back(fuse.loops[i]);
      Do(further);
    }
  }
  void Take(const Pack& pack, const StageNames& names) {
    if (!IsAtHand(pack.readers.at(0), names)) return;
    Pack here = pack;
    here.stage = Here(pack.stage, names);
    here.readers = {Here(pack.readers[0], names)};
    const auto tiled =
        std::find_if(pack.tile.begin(), pack.tile.end(), [](int64_t tile) { return tile > 1; });
    const auto dimension = static_cast<int>(tiled - pack.tile.begin());
    std::vector<int> order = {dimension};
    for (int stored = 0; stored <= static_cast<int>(pack.tile.size()); ++stored) {
      if (stored != dimension && stored != dimension + 1) order.push_back(stored);
    }
    order.push_back(dimension + 1);
    here.order = order;
    Do(here);
    for (size_t i = 0; i < order.size(); ++i) {
      if (here.order == pack.order) return;
      // The longest correct prefix may stay.
      const auto [found, wanted] =
          std::mismatch(here.order.begin(), here.order.end(), pack.order.begin());
      (void)wanted;
      std::rotate(found, found + 1, here.order.end());
      Do(here);
    }
  }
  void Take(const ComputeAt& at, const StageNames& names) {
    if (!IsAtHand(at.stage, names)) return;
    Do(ComputeAt{Here(at.stage, names), Here(at.target, names), at.loop});
  }
  template <typename P>
  void Take(const P& step, const StageNames& names) {
    if (!IsAtHand(step.stage, names)) return;
    P here = step;
    here.stage = Here(step.stage, names);
    Do(here);
  }

  std::optional<int> Find(const std::string& text, bool is_prefix) const {
    for (int action : LegalActions(*space_, *episode_)) {
      const std::string described = *episode_->Describe(action);
      if (described == text || (is_prefix && described.substr(0, text.size()) == text)) {
        return action;
      }
    }
    return std::nullopt;
  }

  void Do(const Primitive& step) {
    const std::string text = ToText(step, state().Names());
    const std::optional<int> action = Find(text, false);
    ASSERT_TRUE(action.has_value()) << "no action is " << text << " after\n" << state().TraceText();
    ASSERT_TRUE(episode_->Act(*action).ok());
  }

  std::unique_ptr<ActionSpace> space_;
  std::unique_ptr<EpisodeState> episode_;
};

class ExpertWalkTest : public testing::TestWithParam<ExpertCase> {};

TEST_P(ExpertWalkTest, IsReachable) {
  const auto task = TaskOf(MakeWorkload(ParseSpec(GetParam().workload).value()));
  const auto expert = ReplayText(task, GetParam().trace);
  ASSERT_TRUE(expert.ok()) << expert.error().message;
  ExpertWalk episode(task);
  episode.Follow(*expert);
  ASSERT_FALSE(HasFatalFailure());
  const auto wanted = Lower(*expert);
  const auto found = Lower(episode.state());
  ASSERT_TRUE(wanted.ok() && found.ok());
  EXPECT_EQ(found->ToText(), wanted->ToText()) << episode.state().TraceText();
}

INSTANTIATE_TEST_SUITE_P(Every, ExpertWalkTest, testing::ValuesIn(ExpertCases()),
                         [](const auto& info) {
                           return info.param.folder + "_" + info.param.name;
                         });

}  // namespace
}  // namespace schedulegym
