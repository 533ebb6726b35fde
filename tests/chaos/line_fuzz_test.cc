// Broken JSON lines. SCHEDULEGYM_FUZZ_FILES sets the number of files (default 2,000).
#include "tests/fuzz/files/line_fuzz.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace schedulegym {
namespace {

int Files() {
  const char* text = std::getenv("SCHEDULEGYM_FUZZ_FILES");
  return text == nullptr ? 2000 : std::atoi(text);
}

TEST(LineFuzzTest, EveryIntactLineIsRecovered) {
  const LineFuzz fuzz;
  LineFuzzCounts counts;
  const int files = Files();
  for (int seed = 0; seed < files; ++seed) {
    EXPECT_EQ(fuzz.Try(static_cast<uint64_t>(seed), counts), "") << "seed " << seed;
  }
  EXPECT_EQ(counts.files, files);
  EXPECT_GT(counts.intact, files) << "there is something to recover";
  EXPECT_GT(counts.put_aside, files / 2) << "and something broken";
}

TEST(LineFuzzTest, OneSeedIsOneFile) {
  const LineFuzz fuzz;
  std::set<std::string> files;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    files.insert(fuzz.BrokenFile(seed));
    EXPECT_EQ(files.count(fuzz.BrokenFile(seed)), 1u);
  }
  EXPECT_EQ(files.size(), 50u);
}

}  // namespace
}  // namespace schedulegym
