#include "env/gym/evaluators/background_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/env/gym/gated_judge.h"

namespace schedulegym {
namespace {

constexpr double kLong = 600;  // seconds that no test waits

class BackgroundJudgeTest : public testing::Test {
 protected:
  BackgroundJudgeTest() {
    for (int i = 0; i < 5; ++i) {
      places_.emplace_back(SmallParts(), i);
      places_.back().Reset(0);
      for (int step = 0; step < i; ++step) places_.back().Step(1);
    }
  }

  std::vector<PlaceQuestion> Questions(int first, int last) const {
    std::vector<PlaceQuestion> questions;
    for (int i = first; i < last; ++i) questions.push_back({i, &places_[i].walk()});
    return questions;
  }
  // Of so many places, in the order in which they came.
  static std::vector<int> Await(BackgroundJudge& judge, size_t count) {
    std::vector<int> ids;
    while (ids.size() < count && judge.Wait(kLong)) {
      for (const PlaceAnswer& answer : judge.Take()) ids.push_back(answer.id);
    }
    return ids;
  }

  std::vector<Environment> places_;
  std::shared_ptr<GatedJudge> gate_ = std::make_shared<GatedJudge>(2);
};

TEST_F(BackgroundJudgeTest, AsksAsManyAtOnceAsTheJudgeWorksOnAndLetsItExpectAll) {
  BackgroundJudge judge(gate_);
  judge.Ask(Questions(0, 5));
  gate_->Open(3);
  EXPECT_THAT(Await(judge, 5), testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(gate_->asked(), testing::ElementsAre(2, 2, 1));
  EXPECT_THAT(gate_->expected(), testing::ElementsAre(5, 3, 1));
}

TEST_F(BackgroundJudgeTest, AnswersAreTheJudges) {
  BackgroundJudge judge(gate_);
  gate_->Open(2);
  judge.Ask(Questions(0, 3));
  std::map<int, Judgement> answers;
  while (answers.size() < 3 && judge.Wait(kLong)) {
    for (const PlaceAnswer& answer : judge.Take()) answers[answer.id] = answer.judgement;
  }
  for (int i = 0; i < 3; ++i) {
    const Walk* place = &places_[i].walk();
    EXPECT_EQ(answers[i], StepsJudge().Ask(std::span(&place, 1)).at(0));
  }
}

TEST_F(BackgroundJudgeTest, WaitsNoLongerThanItMay) {
  BackgroundJudge judge(gate_);
  EXPECT_FALSE(judge.Wait(0));
  judge.Ask(Questions(0, 1));
  gate_->AwaitQuestions(1);
  EXPECT_FALSE(judge.Wait(0));
  EXPECT_THAT(judge.Take(), testing::IsEmpty());
  gate_->Open(1);
  EXPECT_TRUE(judge.Wait(kLong));
}

TEST_F(BackgroundJudgeTest, AFaultDropsTheQuestionsAndIsThrownOnce) {
  BackgroundJudge judge(gate_);
  gate_->Break();
  judge.Ask(Questions(0, 5));
  EXPECT_TRUE(judge.Wait(kLong));
  EXPECT_THAT(judge.Take(), testing::IsEmpty());
  EXPECT_THROW(judge.ThrowFault(), std::runtime_error);
  judge.ThrowFault();
  gate_->Open(1);
  judge.Ask(Questions(3, 4));
  EXPECT_THAT(Await(judge, 1), testing::ElementsAre(3));
  EXPECT_THAT(gate_->asked(), testing::ElementsAre(2, 1));
}

TEST_F(BackgroundJudgeTest, EndsWithQuestionsLeft) {
  {
    BackgroundJudge judge(gate_);
    judge.Ask(Questions(0, 5));
    gate_->AwaitQuestions(1);
    gate_->Open(1);
    gate_->Break();  // where it is fast enough to ask another
  }
  EXPECT_LE(gate_->asked().size(), 2u);
}

TEST_F(BackgroundJudgeTest, AnotherProcessLetsGoOfIt) {
  auto judge = std::make_unique<BackgroundJudge>(gate_);
  judge->Ask(Questions(0, 1));
  gate_->AwaitQuestions(1);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_here = judge->is_here();
    judge.reset();  // would wait for ever
    _exit(is_here ? 1 : 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(judge->is_here());
  gate_->Open(1);
  EXPECT_THAT(Await(*judge, 1), testing::ElementsAre(0));
}

}  // namespace
}  // namespace schedulegym
