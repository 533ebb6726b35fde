#include "assembly/find_program.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(FindProgramTest, ProgramsAreFoundInPath) {
  EXPECT_EQ(FindInPath("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(FindInPath("sh", "/nowhere"), std::nullopt);
  EXPECT_EQ(FindInPath("no-such-program", "/bin:/usr/bin"), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
