#include "assembly/processes/command_arguments.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace schedulegym {
namespace {

TEST(FindProgramTest, ProgramsAreFoundInPath) {
  EXPECT_EQ(FindInPath("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(FindInPath("sh", "/nowhere"), std::nullopt);
  EXPECT_EQ(FindInPath("no-such-program", "/bin:/usr/bin"), std::nullopt);
}

TEST(FindProgramTest, PythonIsFoundFromAnyFolder) {
  const char* before = std::getenv("SCHEDULEGYM_PYTHON");
  const std::string kept = before == nullptr ? "" : before;
  const auto found = [](const char* given) {
    setenv("SCHEDULEGYM_PYTHON", given, 1);
    return FindPython();
  };
  EXPECT_EQ(found("venv/bin/python"),
            (std::filesystem::current_path() / "venv/bin/python").string());
  EXPECT_EQ(found("/usr/bin/python3"), "/usr/bin/python3");
  EXPECT_EQ(found("python3"), "python3") << "looked for in PATH by the system";
  if (before == nullptr) {
    unsetenv("SCHEDULEGYM_PYTHON");
  } else {
    setenv("SCHEDULEGYM_PYTHON", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace schedulegym
