// The program `golden_test`: compares with golden files; `--update-golden` rewrites them.
#include <gtest/gtest.h>

#include <string>

#include "tests/golden/golden_updates.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1 && std::string(argv[1]) == "--update-golden") {
    return schedulegym::UpdateGoldenFiles();
  }
  return RUN_ALL_TESTS();
}
