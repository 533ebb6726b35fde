#include "experiments/cli/common/screen.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(ScreenTest, AStreamThatIsNoTerminalHasNoScreen) {
  std::FILE* file = std::tmpfile();
  EXPECT_FALSE(ScreenOf(file).has_value());
  std::fclose(file);
}

}  // namespace
}  // namespace schedulegym
