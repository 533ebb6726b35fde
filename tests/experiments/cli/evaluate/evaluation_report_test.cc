#include "experiments/cli/evaluate/evaluation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::HasSubstr;

std::vector<EvaluationRow> Rows() {
  const std::vector<ModelReport> reports = {
      {"boosted(file=a,label=speed)",
       {{"", {{"top-1", 0.5, 0.4, 0.6, {{1, 4}, {1.5, 1}}}, {"mape", 25, 20, 31, {}}}},
        {"net", {{"top-1", 0.75, 0.7, 0.8, {{3, 4}}}}}},
       {{512, 30.25, 4}}},
      {"random", {{"", {{"top-1", 0.25, 0.2, 0.3, {}}}}}, {}}};
  return RowsOf(reports, ModelReport{kCeilingName, {{"", {{"top-1", 0.8, 0.7, 0.9, {}}}}}, {}});
}

TEST(EvaluationReportTest, RowsHaveTheCeiling) {
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].ceiling, 0.8);
  EXPECT_EQ(rows[1].ceiling, std::nullopt);
  EXPECT_EQ(rows[2].network, "net");
  EXPECT_EQ(rows[3].metric, "features-us-512");
  EXPECT_EQ(rows[3].low, std::nullopt);
  EXPECT_EQ(rows.back().model, "ceiling");
  EXPECT_THAT(ToJson(RowFields(rows[0])), HasSubstr("\"of_ceiling\":0.625"));
  EXPECT_THAT(ToJson(RowFields(rows[0])), HasSubstr("\"network\":null"));
}

TEST(EvaluationReportTest, RowsOfAllTasksHaveTheTermsOfEach) {
  const auto rows = Rows();
  EXPECT_THAT(ToJson(RowFields(rows[0])), HasSubstr("\"terms\":[[1.0,4.0],[1.5,1.0]]"));
  EXPECT_THAT(ToJson(RowFields(rows[2])), HasSubstr("\"terms\":null"));
  EXPECT_THAT(ToJson(RowFields(rows[3])), HasSubstr("\"terms\":null"));
}

TEST(EvaluationReportTest, TextHasAColumnForEachModel) {
  EXPECT_EQ(EvaluationText(Rows()),
            "metric           boosted(file=a,label=speed)  random              ceiling\n"
            "top-1            0.500 [0.40, 0.60]           0.250 [0.20, 0.30]  0.800 [0.70, 0.90]\n"
            "mape             25.0 [20, 31]                -                   -\n"
            "features-us-512  30.2                         -                   -\n"
            "predict-us-512   4.000                        -                   -\n"
            "top-1 net        0.750 [0.70, 0.80]           -                   -\n");
}

TEST(EvaluationReportTest, CsvQuotesSpecs) {
  const std::string csv = RowsToCsv(Rows());
  EXPECT_THAT(csv, HasSubstr("model,metric,network,value,low,high,ceiling\n"));
  EXPECT_THAT(csv, HasSubstr("\"boosted(file=a,label=speed)\",top-1,net,0.75,0.7,0.8,\n"));
  EXPECT_THAT(csv, HasSubstr("random,top-1,,0.25,0.2,0.3,0.8\n"));
}

}  // namespace
}  // namespace schedulegym
