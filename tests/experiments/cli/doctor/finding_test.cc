#include "experiments/cli/doctor/finding.h"

#include <gtest/gtest.h>

#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

TEST(FindingTest, OneLineForPeople) {
  EXPECT_EQ(FindingText({"load", "0.10", {}, ""}), "load                0.10");
  EXPECT_EQ(FindingText({"load", "3.10", {}, "wait"}), "load                3.10 -> wait");
  EXPECT_EQ(FindingText({"a name that is longer than the column", "1", {}, ""}),
            "a name that is longer than the column 1");
}

TEST(FindingTest, AnItemForPrograms) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {.json = true});
  ReportFinding({"load", "3.10", {{"load", 3.1}}, "wait"}, report);
  ReportFinding({"load", "0.10", {{"load", 0.1}}, ""}, report);
  EXPECT_EQ(out.Text(),
            R"({"event":"item","name":"load","value":"3.10","load":3.1,"advice":"wait"})"
            "\n"
            R"({"event":"item","name":"load","value":"0.10","load":0.1,"advice":null})"
            "\n");
}

}  // namespace
}  // namespace schedulegym
