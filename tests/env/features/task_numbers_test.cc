#include "env/features/task_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Places = std::vector<int>;

// Places of the words in the computation.
Places WordsOf(std::string_view dag) {
  const std::vector<float> words = WordNumbers(TaskOf(dag)->dag);
  EXPECT_EQ(words.size(), WordPlaces::kWidth);
  Places places;
  for (int i = 0; i < WordPlaces::kWidth; ++i) {
    if (words[static_cast<size_t>(i)] != 0) places.push_back(i);
  }
  return places;
}

TEST(WordNumbersTest, ProductsAreToldApart) {
  EXPECT_EQ(WordsOf("input A[8, 4]\ninput B[4, 6]\nC[i:8, j:6] = sum(k:4) A[i, k] * B[k, j]\n"),
            Places{WordPlaces::kDense});
  EXPECT_EQ(WordsOf("input A[2, 8, 4]\ninput B[2, 4, 6]\n"
                    "C[b:2, i:8, j:6] = sum(k:4) A[b, i, k] * B[b, k, j]\n"),
            Places{WordPlaces::kBatched});
  EXPECT_EQ(WordsOf("input X[10, 4]\ninput W[3, 4, 6]\n"
                    "Y[h:8, o:6] = sum(r:3, c:4) X[h + r, c] * W[r, c, o]\n"),
            Places{WordPlaces::kConvolution});
  EXPECT_EQ(WordsOf("input X[10, 4]\ninput W[3, 4]\n"
                    "Y[h:8, c:4] = sum(r:3) X[h + r, c] * W[r, c]\n"),
            Places{WordPlaces::kDepthwise});
}

TEST(WordNumbersTest, OperatorsOnValuesCountAndIndicesDoNot) {
  EXPECT_EQ(WordsOf("input X[8]\nY[i:8] = max(X[i] + 1, 0)\n"),
            (Places{WordPlaces::kMax, WordPlaces::kAdd}));
  EXPECT_EQ(WordsOf("input X[9]\nY[i:8] = X[i + 1] * 2\n"), Places{});
  EXPECT_EQ(WordsOf("input X[8]\nM[i:1] = min(k:8) X[k + i]\n"), Places{WordPlaces::kMin});
  EXPECT_EQ(WordsOf("input X[8]\nE[i:8] = exp(X[i])\nS[j:1] = sum(k:8) E[k + j]\n"
                    "Y[i:8] = E[i] / S[0]\n"),
            Places{WordPlaces::kSoftmax});
}

TEST(TaskNumbersTest, AreOfOneSizeAndWithinOne) {
  const auto task = TaskOf("input X[8]\nY[i:8] = X[i] + 1\n");
  const std::vector<float> target = TargetNumbers(task->target);
  EXPECT_EQ(target.size(), TaskNumbersLayout::kTarget);
  for (const int definitions : {1, 4}) {
    const std::vector<float> dag = DagNumbers(task->dag, definitions);
    EXPECT_EQ(target.size() + dag.size(), TaskNumbersLayout::Size(definitions));
    EXPECT_EQ(dag[TaskNumbersLayout::kDag], 1) << "the mask of the first definition";
    EXPECT_THAT(dag, testing::Each(testing::AllOf(testing::Ge(0), testing::Le(1))));
  }
}

}  // namespace
}  // namespace schedulegym
