// Compares the reference schedules of every computation of `smoke` with golden/references.txt,
// which names the code generator for which they were written. Ratios of records are relative to
// them, so that a change needs another generator version (backends/llvm/llvm_backend.cc). With
// --update-golden, golden_test rewrites the file, but not for the same version.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "backends/backend.h"
#include "env/program/workloads/suite.h"
#include "spaces/schedulegym/reference.h"
#include "tests/golden/golden_updates.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

const fs::path kFile = fs::path(SG_SOURCE_DIR) / "tests/spaces/golden/references.txt";
constexpr const char* kHint =
    "other reference schedules under the same generator version: raise kGeneratorVersion "
    "(backends/llvm/llvm_backend.cc), then --update-golden";

// "generator 2"; "" in a build without a code generator.
std::string GeneratorName() {
  const std::string name = ToolchainName();
  const size_t begin = name.find("generator ");
  return begin == std::string::npos ? "" : name.substr(begin);
}

struct References {
  std::string generator;
  std::string schedules;
};

References Written() {
  std::ostringstream text;
  text << std::ifstream(kFile).rdbuf();
  const size_t end = std::min(text.str().find('\n'), text.str().size() - 1);
  return {text.str().substr(0, end), text.str().substr(end + 1)};
}

References Present() {
  References present = {"# " + GeneratorName(), ""};
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& one : smoke.cases) {
    const std::string workload = one.workload.ToText();
    const ScheduleState state = ReferenceSchedule(WorkloadTask(workload, Avx2Target()));
    present.schedules += "--- " + workload + "\n" + state.TraceText();
  }
  return present;
}

TEST(GoldenReferencesTest, ChangeWithTheGeneratorsVersionAlone) {
  if (GeneratorName().empty()) GTEST_SKIP() << "this build has no llvm backend";
  const References written = Written();
  const References present = Present();
  EXPECT_EQ(present.generator, written.generator) << "run with --update-golden";
  EXPECT_EQ(present.schedules, written.schedules) << kHint;
}

int UpdateAll() {
  const References written = Written();
  const References present = Present();
  if (present.generator == written.generator && present.schedules != written.schedules) {
    std::cerr << kHint << "\n";
    return 1;
  }
  std::ofstream(kFile) << present.generator << "\n" << present.schedules;
  return 0;
}

[[maybe_unused]] const bool is_update = AddGoldenUpdate(UpdateAll);

}  // namespace
}  // namespace schedulegym
