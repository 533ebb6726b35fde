#include "assembly/processes/command_arguments.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace schedulegym {
namespace {

// Restores a variable of this process.
class KeptVariable {
 public:
  explicit KeptVariable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) kept_ = value;
  }
  ~KeptVariable() { kept_ ? setenv(name_, kept_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> kept_;
};

TEST(FindProgramTest, ProgramsAreFoundInPath) {
  const KeptVariable kept("PATH");
  const auto found = [](const std::string& path, const std::string& program) {
    setenv("PATH", path.c_str(), 1);
    return FindInPath(program);
  };
  EXPECT_EQ(found("/nowhere:/bin", "sh"), "/bin/sh");
  EXPECT_EQ(found("/nowhere", "sh"), std::nullopt);
  EXPECT_EQ(found("/bin:/usr/bin", "no-such-program"), std::nullopt);
  EXPECT_EQ(found("/usr", "bin"), std::nullopt) << "a folder";
}

TEST(FindProgramTest, PythonIsFoundFromAnyFolder) {
  const KeptVariable kept("SCHEDULEGYM_PYTHON");
  const auto found = [](const char* given) {
    setenv("SCHEDULEGYM_PYTHON", given, 1);
    return FindPython();
  };
  EXPECT_EQ(found("venv/bin/python"),
            (std::filesystem::current_path() / "venv/bin/python").string());
  EXPECT_EQ(found("/usr/bin/python3"), "/usr/bin/python3");
  EXPECT_EQ(found("python3"), "python3") << "looked for in PATH by the system";
}

}  // namespace
}  // namespace schedulegym
