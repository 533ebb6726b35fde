#include "agents/schedulers/gradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

GradientOptions ReadGradient(const std::string& spec, size_t networks = 1) {
  return ReadGradientOptions(ParseSpec(spec).value(), networks);
}

std::string GradientFault(const std::string& options, size_t networks = 1) {
  return InputFaultOf([&] { ReadGradient("gradient(" + options + ")", networks); });
}

TEST(GradientOptionsTest, DefaultsAreThePublishedConstants) {
  const GradientOptions options = ReadGradient("gradient");
  EXPECT_EQ(options.alpha, 0.2);
  EXPECT_EQ(options.beta, 2);
  EXPECT_EQ(options.window, 3);
  EXPECT_EQ(options.objective, ObjectiveKind::kLatency);
  EXPECT_THAT(options.requirements, IsEmpty());
  EXPECT_EQ(options.epsilon, 0);
  EXPECT_EQ(options.task_patience, 0);
  EXPECT_EQ(options.patience, 0);
  EXPECT_TRUE(options.whole_history);
}

TEST(GradientOptionsTest, ThePublishedOneForgetsHowEarlierSearchesWent) {
  EXPECT_FALSE(ReadGradient("gradient(mode=faithful)").whole_history);
  EXPECT_TRUE(ReadGradient("gradient(mode=faithful,history=all)").whole_history);
  EXPECT_TRUE(ReadGradient("gradient(mode=fixed)").whole_history);
  EXPECT_THAT(GradientFault("mode=published"), testing::HasSubstr("fixed, faithful"));
}

TEST(GradientOptionsTest, EachIsRead) {
  const GradientOptions options = ReadGradient(
      "gradient(alpha=1, beta=1.5, window=5, objective=speedup, epsilon=0.05, task_patience=64, "
      "patience=640, history=one)");
  EXPECT_EQ(options.alpha, 1);
  EXPECT_EQ(options.beta, 1.5);
  EXPECT_EQ(options.window, 5);
  EXPECT_EQ(options.objective, ObjectiveKind::kSpeedup);
  EXPECT_EQ(options.epsilon, 0.05);
  EXPECT_EQ(options.task_patience, 64);
  EXPECT_EQ(options.patience, 640);
  EXPECT_FALSE(options.whole_history);
}

TEST(GradientOptionsTest, ARequirementIsForEachNetworkOrForAll) {
  EXPECT_THAT(ReadGradient("gradient(objective=requirement,requirement=0.5)", 2).requirements,
              ElementsAre(0.5, 0.5));
  EXPECT_THAT(ReadGradient("gradient(objective=requirement,requirement=3)").requirements,
              ElementsAre(3));
  EXPECT_THAT(
      ReadGradient("gradient(objective=requirement,requirement=\"1e-3, 2  5\")", 3).requirements,
      ElementsAre(1e-3, 2, 5));
}

TEST(GradientOptionsTest, FaultsAreNamed) {
  EXPECT_EQ(GradientFault("objective=latncy"),
            "scheduler 'gradient': unknown objective 'latncy': expected one of latency, "
            "requirement, speedup (did you mean 'latency'?)");
  EXPECT_EQ(GradientFault("alpha=1.5"),
            "scheduler 'gradient': key 'alpha' is 1.5, expected a number from 0.0 to 1.0");
  EXPECT_EQ(GradientFault("alpha=high"),
            "scheduler 'gradient': key 'alpha' is high, expected a number");
  EXPECT_EQ(GradientFault("beta=0.5"),
            "scheduler 'gradient': key 'beta' is 0.5, expected a number from 1.0 to 1e+09");
  EXPECT_EQ(GradientFault("window=0"),
            "scheduler 'gradient': key 'window' is 0, expected an integer of at least 1");
  EXPECT_EQ(GradientFault("window=9999999999"),
            "scheduler 'gradient': key 'window' is 9999999999, expected an integer of at most "
            "1000000");
  EXPECT_EQ(GradientFault("patience=-1"),
            "scheduler 'gradient': key 'patience' is -1, expected an integer of at least 0");
  EXPECT_EQ(
      GradientFault("gamma=0.5"),
      "scheduler 'gradient': unknown key 'gamma': expected one of mode, alpha, beta, window, "
      "objective, requirement, epsilon, task_patience, patience, history, foresee, turn, model");
}

TEST(GradientOptionsTest, FaultsOfRequirementsAreNamed) {
  EXPECT_EQ(GradientFault("objective=requirement"),
            "scheduler 'gradient': key 'requirement' is missing, expected the seconds that a "
            "network may take");
  EXPECT_EQ(GradientFault("requirement=0.5"),
            "scheduler 'gradient': key 'requirement' is given, expected objective=requirement, "
            "too");
  EXPECT_EQ(GradientFault("objective=requirement,requirement=0"),
            "scheduler 'gradient': key 'requirement' is '0.0', expected seconds above 0");
  EXPECT_EQ(GradientFault("objective=requirement,requirement=\"1 soon\""),
            "scheduler 'gradient': key 'requirement' is 'soon', expected seconds above 0");
  EXPECT_EQ(GradientFault("objective=requirement,requirement=\"1 2\"", 3),
            "scheduler 'gradient': key 'requirement' has 2 numbers, expected one, or one for each "
            "of 3 networks");
}

}  // namespace
}  // namespace schedulegym
