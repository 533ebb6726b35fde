#include "agents/schedulers/scheduler_model_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SchedulerContext FourTasks(uint64_t seed) {
  SchedulerContext context = {.tasks = {}, .batch = 2, .rng = Rng(seed)};
  for (int i = 0; i < 4; ++i) {
    context.tasks.push_back({{1.0 + i}, 1e6 * (i / 2 + 1), i < 3 ? "alike" : "other"});
  }
  return context;
}

// Turns of two trials; tasks gain at different rates, some turns nothing.
std::vector<int> Play(ScheduledSearch& search, int turns) {
  std::vector<int> order;
  while (std::ssize(order) < turns) {
    const std::optional<int> task = search.Next();
    order.push_back(task.value_or(-1));
    if (!task) break;
    const int had = search.curves[*task].own_rounds();
    const double ratio = 1 + had / (2.0 + *task) + 0.3 * (had * (*task + 3) % 5);
    search.Report(*task, std::vector{Success(ratio / 2), Success(ratio)}, 0.5);
  }
  return order;
}

void CopySchedulerView(const ScheduledSearch& from, ScheduledSearch& to) {
  to.curves = from.curves;
  to.now = from.now;
  to.trials_left = from.trials_left;
}

// A scheduler that loads another's state continues like it, with any seed of its own.
void ExpectToGoOn(const std::string& spec, int turns) {
  ScheduledSearch whole(spec, FourTasks(7)), later(spec, FourTasks(8));
  Play(whole, turns);
  const std::string saved = whole.scheduler->memory()->Save().value();
  later.scheduler->memory()->Load(saved);
  EXPECT_EQ(later.scheduler->memory()->Save(), saved) << spec;
  CopySchedulerView(whole, later);
  EXPECT_EQ(Play(later, 40), Play(whole, 40)) << spec << " after " << turns;
}

TEST(SchedulerModelStateTest, EverySchedulerThatLearnsGoesOnFromWhatItSaved) {
  std::vector<std::string> learners;
  for (const auto& entry : BuiltinTaskSchedulers()) {
    if (ScheduledSearch(entry.name, FourTasks(1)).scheduler->memory() == nullptr) continue;
    learners.push_back(entry.name);
    for (const int turns : {5, 12, 31}) ExpectToGoOn(entry.name, turns);
  }
  EXPECT_THAT(learners, ElementsAre("gradient", "swucb"));
  ExpectToGoOn("gradient(epsilon=0.5)", 20);
  ExpectToGoOn("gradient(patience=60)", 20);
  ExpectToGoOn("swucb(window=4)", 20);
}

// Their choices depend on the curves, which the store keeps, so they have nothing to save.
TEST(SchedulerModelStateTest, OthersChooseByTheCurvesOrByChanceAlone) {
  for (const char* spec :
       {"linear", "round_robin", "dynatune(fit=least_squares,slot=trials(n=4))"}) {
    ScheduledSearch whole(spec, FourTasks(7)), later(spec, FourTasks(7));
    Play(whole, 13);
    EXPECT_EQ(whole.scheduler->memory(), nullptr) << spec;
    CopySchedulerView(whole, later);
    EXPECT_EQ(Play(later, 20), Play(whole, 20)) << spec;
  }
}

TEST(SchedulerModelStateTest, ThereIsNothingToSaveBeforeTheFirstTurnOrOfOneTask) {
  for (const char* spec : {"gradient", "swucb"}) {
    EXPECT_EQ(ScheduledSearch(spec, FourTasks(1)).scheduler->memory()->Save(), std::nullopt);
    SchedulerContext one = {.tasks = std::vector<ScheduledTask>(1)};
    EXPECT_EQ(ScheduledSearch(spec, one).scheduler->memory(), nullptr);
  }
}

std::string Refusal(TaskScheduler& scheduler, const std::string& text) {
  return InputFaultOf([&] { scheduler.memory()->Load(text); });
}

TEST(SchedulerModelStateTest, WhatNoSchedulerOfTheseTasksSavedIsRefused) {
  for (const char* spec : {"gradient", "swucb"}) {
    ScheduledSearch search(spec, FourTasks(1));
    Play(search, 9);
    const std::string saved = search.scheduler->memory()->Save().value();
    SchedulerContext fewer = FourTasks(1);
    fewer.tasks.pop_back();
    EXPECT_THAT(Refusal(*ScheduledSearch(spec, fewer).scheduler, saved),
                HasSubstr("it is of other tasks: found 4, expected the same 3"));
    for (const std::string& torn :
         {saved.substr(0, saved.size() / 2), std::string(), std::string("{}"),
          saved.substr(0, saved.find("\"state\"")) + "\"state\":[]}"}) {
      EXPECT_THAT(Refusal(*search.scheduler, torn), HasSubstr("memory of scheduler '")) << torn;
    }
    EXPECT_EQ(search.scheduler->memory()->Save(), saved) << "it keeps what it had";
  }
}

TEST(SchedulerModelStateTest, NumbersThatCannotBeAreRefused) {
  ScheduledSearch bandit("swucb", FourTasks(1)), gradient("gradient", FourTasks(1));
  Play(bandit, 9);
  Play(gradient, 9);
  const auto with = [](TaskScheduler& scheduler, const std::string& key, const std::string& value) {
    std::string text = scheduler.memory()->Save().value();
    const size_t begin = text.find("\"" + key + "\":") + key.size() + 3;
    const size_t end =
        text[begin] == '[' ? text.find(']', begin) + 1 : text.find_first_of(",}", begin);
    return Refusal(scheduler, text.replace(begin, end - begin, value));
  };
  EXPECT_THAT(with(*bandit.scheduler, "chosen", "4"), HasSubstr("found task 4, expected 0 to 3"));
  EXPECT_THAT(with(*bandit.scheduler, "turns", "[1]"), HasSubstr("found the turns of 1 tasks"));
  EXPECT_THAT(with(*gradient.scheduler, "stale", "-1"), HasSubstr("found chance or trials"));
  EXPECT_THAT(with(*gradient.scheduler, "chance", "[0,0,0,0]"), HasSubstr("found chance"));
}

TEST(SchedulerModelStateTest, AFileIsReadByItsPart) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("learned");
  ScheduledSearch teacher("swucb", FourTasks(1));
  Play(teacher, 9);
  ModelState& memory = *teacher.scheduler->memory();
  std::ofstream(path) << ToBytes(
      {"search 1", JoinModelStates({{"boosted 1", "{}"}, {memory.Kind(), *memory.Save()}})});
  ScheduledSearch pupil("swucb(model=\"" + path + "\")", FourTasks(2));
  EXPECT_EQ(pupil.scheduler->memory()->Save(), memory.Save());
  EXPECT_THROW(ScheduledSearch("gradient(model=\"" + path + "\")", FourTasks(2)), InputError);
  EXPECT_THROW(ScheduledSearch("swucb(model=nowhere)", FourTasks(2)), InputError);
}

}  // namespace
}  // namespace schedulegym
