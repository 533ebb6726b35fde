// FakeRoot: a folder that replaces "/" when a test reads the machine's facts.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {

class FakeRoot {
 public:
  std::string path() const { return folder_.Path("root"); }

  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path()) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace schedulegym
