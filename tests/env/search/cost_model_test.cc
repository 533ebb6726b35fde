#include "env/search/cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(CostModelTest, ScoresOfPredictionsKeepTheirPlaces) {
  const std::vector<std::optional<Prediction>> predictions = {Prediction{2, 0.5}, std::nullopt,
                                                              Prediction{-1}};
  EXPECT_THAT(ScoresOf(predictions),
              testing::ElementsAre(std::optional(2.0), std::nullopt, std::optional(-1.0)));
}

}  // namespace
}  // namespace schedulegym
