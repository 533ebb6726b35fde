#include "experiments/cli/doctor/diagnostic.h"

#include <gtest/gtest.h>

#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

TEST(DiagnosticTest, OneLineForPeople) {
  EXPECT_EQ(DiagnosticText({"load", "0.10", {}, ""}), "load                0.10");
  EXPECT_EQ(DiagnosticText({"load", "3.10", {}, "wait"}), "load                3.10 -> wait");
  EXPECT_EQ(DiagnosticText({"a name that is longer than the column", "1", {}, ""}),
            "a name that is longer than the column 1");
}

TEST(DiagnosticTest, AnItemForPrograms) {
  Captured out, err;
  Report report(out.stream(), err.stream(), {.json = true});
  ReportDiagnostic({"load", "3.10", {{"load", 3.1}}, "wait"}, report);
  ReportDiagnostic({"load", "0.10", {{"load", 0.1}}, ""}, report);
  EXPECT_EQ(out.Text(),
            R"({"event":"item","name":"load","value":"3.10","load":3.1,"advice":"wait"})"
            "\n"
            R"({"event":"item","name":"load","value":"0.10","load":0.1,"advice":null})"
            "\n");
}

}  // namespace
}  // namespace schedulegym
