#include "experiments/cli/tune/curve_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "env/base/fault.h"
#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(SearchPictureTest, DrawsWhatASearchLeft) {
  const std::string path = testing::TempDir() + "search_picture_test.svg";
  const std::vector<RecordedCurve> curves = DrawCurves({.trials = 32}, 2, Rng(1));
  std::vector<DoneEvent> done;
  std::vector<TunerTask> tasks;
  for (const RecordedCurve& curve : curves) {
    TaskInfo info;
    info.workload = curve.task;
    done.push_back({.task = std::make_shared<TaskInfo>(info), .elapsed = 9, .curve = curve.whole});
    tasks.push_back({nullptr, 1, curve.facts});
  }
  Captured out, err;
  Report report(out.stream(), err.stream(), {});
  const std::vector<TrajectoryPoint> trajectory = {{0, 2e-3}, {4, 1e-3}};
  SearchPicture(path).Save({.done = done,
                            .tasks = tasks,
                            .turns = {},
                            .agent = "ansor",
                            .scheduler = "gradient(alpha=0.5)"},
                           {trajectory, trajectory}, {}, report);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("2 tasks, agent ansor, scheduler gradient(alpha=0.5)"));
  EXPECT_THAT(text.str(), HasSubstr("gradient(alpha=0.5): 1.000 ms"));
  EXPECT_THAT(text.str(), HasSubstr("dasharray"));
  EXPECT_THAT(err.Text(), HasSubstr("picture in '" + path + "'"));
  std::filesystem::remove(path);
}

TEST(SearchPictureTest, OfAResumedSearchItDrawsWhatIsKnownAndWhatWasFound) {
  const std::string path = testing::TempDir() + "resumed_picture_test.svg";
  const std::vector<RecordedCurve> curves = DrawCurves({.trials = 32}, 1, Rng(1));
  TaskInfo info;
  info.workload = curves[0].task;
  std::vector<DoneEvent> done;
  done.push_back({.task = std::make_shared<TaskInfo>(info), .known = 3, .curve = curves[0].whole});
  done.back().elapsed = 8;
  const std::vector<TunerTask> tasks = {{nullptr, 1, curves[0].facts}};
  Captured out, err;
  Report report(out.stream(), err.stream(), {});
  const std::vector<TrajectoryPoint> known = {{0, 1e-3}}, own = {{4, 2e-3}};
  SearchPicture(path).Save({.done = done, .tasks = tasks, .turns = {}, .scheduler = "gradient"},
                           {known, own}, {}, report);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("best known: 1.000 ms"));
  EXPECT_THAT(text.str(), HasSubstr("best of this run: 2.000 ms"));
  std::filesystem::remove(path);
}

TEST(SearchPictureTest, APlaceThatCannotBeWrittenIsRefusedAtOnce) {
  EXPECT_THROW(SearchPicture("/nowhere/at/all.svg"), InputError);
}

}  // namespace
}  // namespace schedulegym
