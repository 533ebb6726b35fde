// The program `hostile_test`: the corpus as a test; `--mixed COUNT` and `--soak SECONDS` run it for
// longer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/hostile/long_runs.h"

int main(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "";
  if (mode == "--mixed") return schedulegym::RunMixed(std::atoi(argv[2]));
  if (mode == "--soak") return schedulegym::RunSoak(std::atof(argv[2]));
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
