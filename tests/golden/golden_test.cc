// Compares what schedules are lowered to with the files beside this one, which specify it. Run with
// --update-golden, the program rewrites them: read the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/schedule/primitive.h"
#include "tests/golden/golden_file.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(SG_SOURCE_DIR) / "tests/golden/primitives";

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Without their endings, sorted.
std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path PathOf(const std::string& name) { return kFolder / (name + ".txt"); }

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

void UpdateAll() {
  for (const std::string& name : Cases()) {
    const GoldenFile file = ParseGolden(ReadFile(PathOf(name)));
    std::ofstream(PathOf(name)) << WithLowering(file).ToText();
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1 && std::string(argv[1]) == "--update-golden") {
    schedulegym::UpdateAll();
    return 0;
  }
  return RUN_ALL_TESTS();
}
