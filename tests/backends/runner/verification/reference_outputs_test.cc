#include "backends/runner/verification/reference_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/interpreter/interpreter.h"
#include "env/measure/verification/verify.h"
#include "env/schedule/state.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class ReferenceOutputsTest : public testing::Test {
 protected:
  ReferenceOutputsTest()
      : task_(std::make_shared<const Task>(
            Task{DagOf("input A[6, 8]\ninput B[8, 5]\nC[i:6, j:5] = sum(k:8) A[i, k] * B[k, j]\n"),
                 MakeTarget(ParseSpec("interpreter(cores=1)").value()), "product"})),
        backend_(MakeInterpreter(task_->target)),
        reference_outputs_(task_, {*backend_, reference_}, 5),
        inputs_(MakeBuffers(reference_outputs_.InputBytes())),
        outputs_(MakeBuffers(reference_outputs_.OutputBytes())) {}

  // Writes the values of the definition to the outputs.
  void Multiply() {
    const auto a = inputs_[0].As<float>(), b = inputs_[1].As<float>();
    const auto c = outputs_[0].As<float>();
    for (size_t cell = 0; cell < c.size(); ++cell) {
      double sum = 0;
      for (size_t k = 0; k < 8; ++k) sum += double{a[cell / 5 * 8 + k]} * b[k * 5 + cell % 5];
      c[cell] = static_cast<float>(sum);
    }
  }

  std::optional<std::string> CompareProduct(size_t set) {
    reference_outputs_.Fill(set, PointersTo(inputs_));
    Multiply();
    return reference_outputs_.Compare(set, PointersTo(outputs_));
  }

  ReferenceFunction reference_ = [](std::shared_ptr<const Task> task) {
    return ScheduleState::Initial(std::move(task));
  };
  std::shared_ptr<const Task> task_;
  std::unique_ptr<Backend> backend_;
  ReferenceOutputs reference_outputs_;
  std::vector<AlignedBuffer> inputs_, outputs_;
};

TEST_F(ReferenceOutputsTest, ThereAreIntegersDenseAndSparseAndReals) {
  ASSERT_EQ(reference_outputs_.size(), 3u);
  const auto zeros = [&](size_t set) {
    reference_outputs_.Fill(set, PointersTo(inputs_));
    const auto a = inputs_[0].As<float>();
    return std::count(a.begin(), a.end(), 0.0f);
  };
  const auto are_whole = [&](size_t set) {
    reference_outputs_.Fill(set, PointersTo(inputs_));
    const auto a = inputs_[0].As<float>();
    return std::all_of(a.begin(), a.end(),
                       [](float x) { return x == static_cast<float>(static_cast<int>(x)); });
  };
  EXPECT_LT(zeros(0), zeros(1));
  EXPECT_TRUE(are_whole(0));
  EXPECT_TRUE(are_whole(1));
  EXPECT_FALSE(are_whole(2));
  EXPECT_EQ(reference_outputs_.inexact_reason(), "");
}

// The integers are so wide that types of lower precision round them.
TEST_F(ReferenceOutputsTest, TheSparseIntegersAreWide) {
  reference_outputs_.Fill(0, PointersTo(inputs_));
  const auto a = inputs_[0].As<float>();
  EXPECT_LE(*std::max_element(a.begin(), a.end()), 8);
  reference_outputs_.Fill(1, PointersTo(inputs_));
  EXPECT_GT(*std::max_element(a.begin(), a.end()), 2048);
}

TEST_F(ReferenceOutputsTest, RightAnswersAreRight) {
  for (size_t set = 0; set < reference_outputs_.size(); ++set) {
    EXPECT_EQ(CompareProduct(set), std::nullopt) << set;
  }
}

TEST_F(ReferenceOutputsTest, WrongAnswersAreNamed) {
  for (size_t set = 0; set < reference_outputs_.size(); ++set) {
    ASSERT_EQ(CompareProduct(set), std::nullopt);
    outputs_[0].As<float>()[7] += 1;
    const auto difference = reference_outputs_.Compare(set, PointersTo(outputs_));
    ASSERT_TRUE(difference.has_value());
    EXPECT_THAT(*difference, HasSubstr("C[1, 2]"));
  }
}

TEST_F(ReferenceOutputsTest, WhatKernelsAreTimedOnIsComparedToo) {
  const ReferenceBackend means = {*backend_, reference_};
  reference_outputs_.ExpectTimed(means);
  const size_t timed = reference_outputs_.size();
  reference_outputs_.FillForTiming(PointersTo(inputs_));
  Multiply();
  EXPECT_EQ(reference_outputs_.Compare(timed, PointersTo(outputs_)), std::nullopt);
  outputs_[0].As<float>()[7] *= 1.001F;
  const auto difference = reference_outputs_.Compare(timed, PointersTo(outputs_));
  EXPECT_THAT(difference.value_or(""), HasSubstr("C[1, 2]"));
  // Values that are right on the last set are wrong here.
  EXPECT_EQ(CompareProduct(timed - 1), std::nullopt);
  EXPECT_NE(reference_outputs_.Compare(timed, PointersTo(outputs_)), std::nullopt);
}

TEST_F(ReferenceOutputsTest, OtherMeansAreHeldAgainstEachOther) {
  EXPECT_EQ(reference_outputs_.DifferenceFrom(ReferenceOutputs(task_, {*backend_, reference_}, 5)),
            std::nullopt);
  EXPECT_NE(reference_outputs_.DifferenceFrom(ReferenceOutputs(task_, {*backend_, reference_}, 6)),
            std::nullopt);
}

TEST_F(ReferenceOutputsTest, InputsForTimingAreHeldAgainstEachOtherWhereBothExpectSomething) {
  const ReferenceBackend means = {*backend_, reference_};
  ReferenceOutputs other(task_, means, 5);
  other.ExpectTimed(means);
  EXPECT_EQ(reference_outputs_.DifferenceFrom(other), std::nullopt);
  reference_outputs_.ExpectTimed(means);
  EXPECT_EQ(reference_outputs_.DifferenceFrom(other), std::nullopt);
}

TEST_F(ReferenceOutputsTest, InputsAreTheSameEachTime) {
  reference_outputs_.Fill(2, PointersTo(inputs_));
  const std::vector<float> first(inputs_[0].As<float>().begin(), inputs_[0].As<float>().end());
  reference_outputs_.FillForTiming(PointersTo(inputs_));
  const std::vector<float> timing(inputs_[0].As<float>().begin(), inputs_[0].As<float>().end());
  reference_outputs_.Fill(2, PointersTo(inputs_));
  const std::vector<float> again(inputs_[0].As<float>().begin(), inputs_[0].As<float>().end());
  EXPECT_EQ(first, again);
  EXPECT_NE(first, timing);
}

TEST_F(ReferenceOutputsTest, SizesAreThoseOfTheTensors) {
  EXPECT_EQ(reference_outputs_.InputBytes(),
            (std::vector<int64_t>{int64_t{6} * 8 * 4, int64_t{8} * 5 * 4}));
  EXPECT_EQ(reference_outputs_.OutputBytes(), (std::vector<int64_t>{int64_t{6} * 5 * 4}));
  EXPECT_EQ(reference_outputs_.Output(0).name, "C");
}

// The outputs of a computation in the interpreter.
class MistrustTest : public testing::Test {
 protected:
  void Make(const std::string& dag) {
    const auto task = std::make_shared<const Task>(
        Task{DagOf(dag), MakeTarget(ParseSpec("interpreter(cores=1)").value()), "test"});
    const std::unique_ptr<Backend> backend = MakeInterpreter(task->target);
    const ReferenceFunction reference = [](std::shared_ptr<const Task> any) {
      return ScheduleState::Initial(std::move(any));
    };
    reference_outputs_ =
        std::make_unique<ReferenceOutputs>(task, ReferenceBackend{*backend, reference}, 5);
  }

  std::vector<float> FirstInput(size_t set) const {
    std::vector<AlignedBuffer> inputs = MakeBuffers(reference_outputs_->InputBytes());
    reference_outputs_->Fill(set, PointersTo(inputs));
    return {inputs[0].As<float>().begin(), inputs[0].As<float>().end()};
  }

  static bool ArePositive(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return value > 0; });
  }

  std::unique_ptr<ReferenceOutputs> reference_outputs_;
};

TEST_F(MistrustTest, AReluGetsPositiveInputsBesideSignedOnes) {
  Make("input A[400]\nC[i:400] = max(A[i] * 0.5, 0)\n");
  EXPECT_EQ(reference_outputs_->mistrust(), "");
  ASSERT_EQ(reference_outputs_->size(), 2u);
  EXPECT_TRUE(ArePositive(FirstInput(0)));
  EXPECT_FALSE(ArePositive(FirstInput(1)));
}

TEST_F(MistrustTest, BothKindsOfRealsAreCompared) {
  Make("input A[400]\nC[i:400] = max(A[i] * 0.5, 0)\n");
  std::vector<AlignedBuffer> outputs = MakeBuffers(reference_outputs_->OutputBytes());
  for (size_t set = 0; set < 2; ++set) {
    const std::vector<float> a = FirstInput(set);
    const auto c = outputs[0].As<float>();
    for (size_t i = 0; i < a.size(); ++i) c[i] = std::max(a[i] * 0.5f, 0.0f);
    EXPECT_EQ(reference_outputs_->Compare(set, PointersTo(outputs)), std::nullopt);
    c[7] = -1;
    EXPECT_NE(reference_outputs_->Compare(set, PointersTo(outputs)), std::nullopt);
    for (size_t i = 0; i < a.size(); ++i) c[i] = a[i] * 0.5f;  // the ReLU is lost
    EXPECT_EQ(reference_outputs_->Compare(set, PointersTo(outputs)).has_value(), set == 1);
  }
}

TEST_F(MistrustTest, ZerosThatStayAreSaid) {
  Make("input A[100]\nC[i:300] = select(i < 100, A[i % 100] * 0.5, 0)\n");
  EXPECT_THAT(reference_outputs_->mistrust(), HasSubstr("67 % of C are 0"));
  EXPECT_EQ(reference_outputs_->size(), 1u);
  Make("input A[100]\nC[i:120] = select(i < 100, A[i % 100] * 0.5, 0)\n");
  EXPECT_EQ(reference_outputs_->mistrust(), "");
}

TEST_F(MistrustTest, TheWorstOutputCounts) {
  Make("input A[90]\nC[i:90] = A[i] * 0.5\nD[i:90] = select(A[i] < 5, 0.0, A[i])\n");
  EXPECT_THAT(reference_outputs_->mistrust(), HasSubstr("100 % of D are 0"));
}

// Rounding may turn these divisors into 0, whatever the inputs are.
TEST_F(MistrustTest, CellsWithoutABoundAreCounted) {
  Make(
      "input A[100]\n"
      "C[i:100] = 1.0 / select(i < 60, (A[i] + 1e-12) - A[i], A[i] * A[i] + 1.0)\n");
  EXPECT_THAT(reference_outputs_->mistrust(),
              HasSubstr("most cells of C (60 of 100) have no bound on random inputs"));
  Make(
      "input A[100]\n"
      "C[i:100] = 1.0 / select(i < 2, (A[i] + 1e-12) - A[i], A[i] * A[i] + 1.0)\n");
  EXPECT_THAT(reference_outputs_->mistrust(), HasSubstr("some cells of C (2 of 100)"));
}

TEST_F(MistrustTest, BoundsThatPositiveInputsHaveAreTakenFromThere) {
  Make(
      "input A[400]\n"
      "C[i:400] = 1.0 / select(A[i] < 0, (A[i] + 1e-12) - A[i], A[i] * A[i] + 1.0)\n");
  EXPECT_EQ(reference_outputs_->mistrust(), "");
  EXPECT_EQ(reference_outputs_->size(), 2u);
  EXPECT_TRUE(ArePositive(FirstInput(0)));
}

// Squares of numbers below 1 become 0.
TEST_F(MistrustTest, IntegersThatInexactValuesDecideAreCompared) {
  Make("input X[4]\nY[i:4] = i32(X[i] * X[i])\n");
  std::vector<AlignedBuffer> outputs = MakeBuffers(reference_outputs_->OutputBytes());
  const size_t reals = reference_outputs_->size() - 1;
  Poison(reference_outputs_->Output(0), outputs[0].data());
  EXPECT_THAT(reference_outputs_->Compare(reals, PointersTo(outputs)).value_or(""),
              HasSubstr("Y[0] was not written"));
  for (int32_t& cell : outputs[0].As<int32_t>()) cell = 0;
  EXPECT_EQ(reference_outputs_->Compare(reals, PointersTo(outputs)), std::nullopt);
  outputs[0].As<int32_t>()[2] = 7;
  EXPECT_THAT(reference_outputs_->Compare(reals, PointersTo(outputs)).value_or(""),
              HasSubstr("Y[2] is 7"));
}

TEST_F(MistrustTest, LogarithmsGetPositiveInputsOnly) {
  Make("input A[50]\nC[i:50] = log(A[i])\n");
  EXPECT_EQ(reference_outputs_->mistrust(), "");
  ASSERT_EQ(reference_outputs_->size(), 1u);
  EXPECT_TRUE(ArePositive(FirstInput(0)));
}

}  // namespace
}  // namespace schedulegym
