// Compares the sketches of every computation of `smoke` with the files under golden/. Run with
// --update-golden, golden_test rewrites them: read the difference before committing it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/base/text.h"
#include "env/program/workloads/suite.h"
#include "spaces/builtin_spaces.h"
#include "tests/golden/golden_updates.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(SG_SOURCE_DIR) / "tests/spaces/golden";

struct GoldenCase {
  std::string space;
  int number = 0;  // in the suite
  SuiteCase workload;

  std::string Name() const {
    return space + "_" + std::to_string(number) + "_" + workload.workload.name;
  }
  fs::path Path() const { return kFolder / (Name() + ".txt"); }
};

std::vector<GoldenCase> Cases() {
  std::vector<GoldenCase> cases;
  for (const auto& space : BuiltinSpaces()) {
    int number = 0;
    const Suite smoke = FindSuite("smoke").value();
    for (const SuiteCase& one : smoke.cases) cases.push_back({space.name, ++number, one});
  }
  return cases;
}

// Every sketch after what made it; of the space schedulegym's, which are much alike, the first
// alone.
std::string SketchesOf(const GoldenCase& one) {
  const std::string workload = one.workload.workload.ToText();
  std::string text = "# " + workload + " in space " + one.space + "\n";
  const auto space = MakeSpace(Spec{one.space, {}});
  int number = 0;
  for (const Sketch& sketch : space->Sketches(WorkloadTask(workload, Avx2Target()))) {
    text += "--- " + std::to_string(++number) + ": " + Join(sketch.rules, ", ") + "\n";
    if (number == 1) {
      text += ToText(sketch);
    } else if (one.space != "schedulegym") {
      text += sketch.state.TraceText();
    }
  }
  return text;
}

class GoldenSketchesTest : public testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenSketchesTest, AreAsWritten) {
  std::ostringstream text;
  text << std::ifstream(GetParam().Path()).rdbuf();
  EXPECT_EQ(SketchesOf(GetParam()), text.str());
}

INSTANTIATE_TEST_SUITE_P(Smoke, GoldenSketchesTest, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.Name(); });

int UpdateAll() {
  fs::create_directories(kFolder);
  for (const GoldenCase& one : Cases()) std::ofstream(one.Path()) << SketchesOf(one);
  return 0;
}

[[maybe_unused]] const bool is_update = AddGoldenUpdate(UpdateAll);

}  // namespace
}  // namespace schedulegym
