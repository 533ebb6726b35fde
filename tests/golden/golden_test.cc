// Compares lowered schedules with the files beside this one, which specify them. With
// --update-golden, golden_test rewrites them: read the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/program/workloads/workload.h"
#include "env/schedule/primitive.h"
#include "tests/golden/golden_file.h"
#include "tests/golden/golden_updates.h"
#include "tests/support/expert_cases.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(SG_SOURCE_DIR) / "tests/golden/primitives";
const fs::path kDeviceFolder = fs::path(SG_SOURCE_DIR) / "tests/golden/devices";
const fs::path kExpertFolder = fs::path(SG_SOURCE_DIR) / "tests/golden/expert";

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// File names without their endings, sorted.
std::vector<std::string> Cases(const fs::path& folder = kFolder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path PathOf(const std::string& name, const fs::path& folder = kFolder) {
  return folder / (name + ".txt");
}

class GoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, IsLoweredAsWritten) {
  const std::string text = ReadFile(PathOf(GetParam()));
  EXPECT_EQ(WithLowering(ParseGolden(text)).ToText(), text);
}

INSTANTIATE_TEST_SUITE_P(Primitives, GoldenTest, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param; });

TEST(GoldenFilesTest, CoverEveryPrimitive) {
  for (const PrimitiveEntry& primitive : AllPrimitives()) {
    EXPECT_TRUE(fs::exists(PathOf(primitive.name))) << primitive.name;
    EXPECT_NE(ReadFile(PathOf(primitive.name)).find("\n" + primitive.name + "("),
              std::string::npos);
  }
}

// Whole kernels of OpenCL C and CUDA C++.
class DeviceGoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(DeviceGoldenTest, IsPrintedAsWritten) {
  const std::string text = ReadFile(PathOf(GetParam(), kDeviceFolder));
  EXPECT_EQ(WithDeviceTexts(ParseGolden(text)).ToText(), text);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceGoldenTest, testing::ValuesIn(Cases(kDeviceFolder)),
                         [](const auto& info) { return info.param; });

fs::path PathOf(const ExpertCase& expert) {
  return kExpertFolder / expert.folder / (expert.name + ".txt");
}

// The expert's schedule on its small shape.
GoldenFile GoldenOf(const ExpertCase& expert) {
  const ComputeDag dag = MakeWorkload(ParseSpec(expert.small).value());
  return WithLowering({{{"", "# experiments/expert/" + expert.folder + "/" + expert.name +
                                 ".trace on " + expert.small + "\n"},
                        {"dag", dag.ToText()},
                        {"trace", expert.trace}}});
}

class ExpertGoldenTest : public testing::TestWithParam<ExpertCase> {};

TEST_P(ExpertGoldenTest, IsLoweredAsWritten) {
  EXPECT_EQ(GoldenOf(GetParam()).ToText(), ReadFile(PathOf(GetParam())))
      << "after a change of the trace: run this program with --update-golden";
}

INSTANTIATE_TEST_SUITE_P(Every, ExpertGoldenTest, testing::ValuesIn(ExpertCases()),
                         [](const auto& info) {
                           return info.param.folder + "_" + info.param.name;
                         });

int UpdateAll() {
  for (const ExpertCase& expert : ExpertCases()) {
    fs::create_directories(PathOf(expert).parent_path());
    std::ofstream(PathOf(expert)) << GoldenOf(expert).ToText();
  }
  for (const std::string& name : Cases()) {
    const GoldenFile file = ParseGolden(ReadFile(PathOf(name)));
    std::ofstream(PathOf(name)) << WithLowering(file).ToText();
  }
  for (const std::string& name : Cases(kDeviceFolder)) {
    const GoldenFile file = ParseGolden(ReadFile(PathOf(name, kDeviceFolder)));
    std::ofstream(PathOf(name, kDeviceFolder)) << WithDeviceTexts(file).ToText();
  }
  return 0;
}

[[maybe_unused]] const bool is_update = AddGoldenUpdate(UpdateAll);

}  // namespace
}  // namespace schedulegym
