#include "env/gym/evaluators/background_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/env/gym/gated_measurer.h"

namespace schedulegym {
namespace {

constexpr double kLong = 600;  // seconds; no test waits that long

class BackgroundEvaluatorTest : public testing::Test {
 protected:
  BackgroundEvaluatorTest() {
    for (int i = 0; i < 5; ++i) {
      places_.emplace_back(SmallParts(), i);
      places_.back().Reset(0);
      for (int step = 0; step < i; ++step) places_.back().Step(1);
    }
  }

  std::vector<PlaceQuestion> Questions(int first, int last) const {
    std::vector<PlaceQuestion> questions;
    for (int i = first; i < last; ++i) questions.push_back({i, &places_[i].episode()});
    return questions;
  }
  // Returns the ids of `count` answers, in order of arrival.
  static std::vector<int> Await(BackgroundEvaluator& evaluator, size_t count) {
    std::vector<int> ids;
    while (ids.size() < count && evaluator.Wait(kLong)) {
      for (const PlaceAnswer& answer : evaluator.Take()) ids.push_back(answer.id);
    }
    return ids;
  }

  std::vector<Environment> places_;
  std::shared_ptr<GatedMeasurer> gate_ = std::make_shared<GatedMeasurer>(2);
};

TEST_F(BackgroundEvaluatorTest, AsksAsManyAtOnceAsTheMeasurerWorksOnAndAnnouncesAll) {
  BackgroundEvaluator evaluator(gate_);
  evaluator.Ask(Questions(0, 5));
  gate_->Open(3);
  EXPECT_THAT(Await(evaluator, 5), testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(gate_->asked(), testing::ElementsAre(2, 2, 1));
  EXPECT_THAT(gate_->expected(), testing::ElementsAre(5, 3, 1));
}

TEST_F(BackgroundEvaluatorTest, AnswersAreTheMeasurers) {
  BackgroundEvaluator evaluator(gate_);
  gate_->Open(2);
  evaluator.Ask(Questions(0, 3));
  std::map<int, EvaluationResult> answers;
  while (answers.size() < 3 && evaluator.Wait(kLong)) {
    for (const PlaceAnswer& answer : evaluator.Take()) answers[answer.id] = answer.evaluation;
  }
  for (int i = 0; i < 3; ++i) {
    StepsMeasurer steps;
    EXPECT_EQ(answers[i], Evaluate(places_[i].episode(), steps));
  }
}

TEST_F(BackgroundEvaluatorTest, WaitsNoLongerThanItMay) {
  BackgroundEvaluator evaluator(gate_);
  EXPECT_FALSE(evaluator.Wait(0));
  evaluator.Ask(Questions(0, 1));
  gate_->AwaitQuestions(1);
  EXPECT_FALSE(evaluator.Wait(0));
  EXPECT_THAT(evaluator.Take(), testing::IsEmpty());
  gate_->Open(1);
  EXPECT_TRUE(evaluator.Wait(kLong));
}

TEST_F(BackgroundEvaluatorTest, AFaultDropsTheQuestionsAndIsThrownOnce) {
  BackgroundEvaluator evaluator(gate_);
  gate_->Break();
  evaluator.Ask(Questions(0, 5));
  EXPECT_TRUE(evaluator.Wait(kLong));
  EXPECT_THAT(evaluator.Take(), testing::IsEmpty());
  EXPECT_THROW(evaluator.ThrowFault(), std::runtime_error);
  evaluator.ThrowFault();
  gate_->Open(1);
  evaluator.Ask(Questions(3, 4));
  EXPECT_THAT(Await(evaluator, 1), testing::ElementsAre(3));
  EXPECT_THAT(gate_->asked(), testing::ElementsAre(2, 1));
}

TEST_F(BackgroundEvaluatorTest, EndsWithQuestionsLeft) {
  {
    BackgroundEvaluator evaluator(gate_);
    evaluator.Ask(Questions(0, 5));
    gate_->AwaitQuestions(1);
    gate_->Open(1);
    gate_->Break();  // for the case that it is fast enough to measure again
  }
  EXPECT_LE(gate_->asked().size(), 2u);
}

TEST_F(BackgroundEvaluatorTest, AnotherProcessLetsGoOfIt) {
  auto evaluator = std::make_unique<BackgroundEvaluator>(gate_);
  evaluator->Ask(Questions(0, 1));
  gate_->AwaitQuestions(1);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_here = evaluator->is_here();
    evaluator.reset();  // the parent's thread would never end
    _exit(is_here ? 1 : 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(evaluator->is_here());
  gate_->Open(1);
  EXPECT_THAT(Await(*evaluator, 1), testing::ElementsAre(0));
}

}  // namespace
}  // namespace schedulegym
