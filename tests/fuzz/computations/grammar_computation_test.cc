#include "tests/fuzz/computations/grammar_computation.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/lower/lower.h"
#include "tests/fuzz/computations/operation_forms.h"
#include "tests/fuzz/computations/random_schedule.h"

namespace schedulegym {
namespace {

TEST(GrammarComputationTest, OneSeedIsOneComputation) {
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Rng first(seed), second(seed);
    const ComputeDag dag = GrammarComputation(first);
    EXPECT_EQ(dag, GrammarComputation(second));
    texts.insert(dag.ToText());
  }
  EXPECT_EQ(texts.size(), 50u);
}

TEST(GrammarComputationTest, DrawsEveryOperationOfEveryType) {
  std::map<OperationForm, int64_t> counts;
  std::set<Combiner> combiners;
  bool has_several_outputs = false, has_two_axes = false;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Rng rng(seed);
    const auto task = std::make_shared<const Task>(
        Task{GrammarComputation(rng), MakeTarget(ParseSpec("interpreter").value()), "random"});
    has_several_outputs |= task->dag.outputs().size() > 1;
    for (const Tensor& tensor : task->dag.tensors()) {
      combiners.insert(tensor.combiner);
      has_two_axes |= tensor.reduce_axes.size() > 1;
    }
    const ScheduleState naive = ScheduleState::Initial(task);
    for (const ScheduleState& state : {naive, WithVectors(naive)}) {
      for (const OperationForm& form : OperationFormsOf(Lower(state).value())) ++counts[form];
    }
  }
  for (const OperationForm& form : EveryOperationForm()) {
    EXPECT_GE(counts[form], 5) << form.operation << " " << DTypeName(form.type)
                               << (form.vector ? " on vectors" : "");
  }
  EXPECT_EQ(combiners.size(), 5u);
  EXPECT_TRUE(has_several_outputs);
  EXPECT_TRUE(has_two_axes);
}

TEST(GrammarComputationTest, HalvesAreDrawnAsOftenAsAskedFor) {
  const auto has_halves = [](double share) {
    int count = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      Rng rng(seed);
      count +=
          GrammarComputation(rng, {.halves = share}).ToText().find("f16(") != std::string::npos;
    }
    return count;
  };
  EXPECT_EQ(has_halves(0), 0);
  EXPECT_GE(has_halves(1), 10);
}

}  // namespace
}  // namespace schedulegym
