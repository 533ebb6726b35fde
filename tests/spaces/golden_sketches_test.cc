// Compares the sketches of every computation of `smoke` with the files under golden/: of each space
// on a CPU, and of `ansor` also on a GPU. With --update-golden, golden_test rewrites them: read the
// difference before committing it.
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

constexpr const char* kGpu = "cuda(card=a100)";

struct GoldenCase {
  std::string space;
  int number = 0;  // in the suite
  SuiteCase workload;
  bool is_gpu = false;

  std::string Name() const {
    return space + (is_gpu ? "_cuda_" : "_") + std::to_string(number) + "_" +
           workload.workload.name;
  }
  fs::path Path() const { return kFolder / (Name() + ".txt"); }
};

void AddCases(const std::string& space, bool is_gpu, std::vector<GoldenCase>& cases) {
  int number = 0;
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& one : smoke.cases) cases.push_back({space, ++number, one, is_gpu});
}

std::vector<GoldenCase> Cases() {
  std::vector<GoldenCase> cases;
  for (const auto& space : BuiltinSpaces()) AddCases(space.name, /*is_gpu=*/false, cases);
  AddCases("ansor", /*is_gpu=*/true, cases);
  return cases;
}

// Every sketch after its origin; for the space schedulegym only the first, because they are
// similar.
std::string SketchesOf(const GoldenCase& one) {
  const std::string workload = one.workload.workload.ToText();
  const std::string where = one.is_gpu ? std::string(" on ") + kGpu : "";
  std::string text = "# " + workload + " in space " + one.space + where + "\n";
  const auto space = MakeSpace(Spec{one.space, {}});
  const Target target = one.is_gpu ? MakeTarget(ParseSpec(kGpu).value()) : Avx2Target();
  int number = 0;
  for (const Sketch& sketch : space->Sketches(WorkloadTask(workload, target))) {
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
