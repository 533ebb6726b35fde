// FileCommand: `schedulegym-fuzz files` on the command line.
#pragma once

#include <string>

#include "tests/fuzz/files/file_fuzz.h"

namespace CLI {
class App;
}

namespace schedulegym {

class FileCommand {
 public:
  // Returns the subcommand, which shows whether it was given.
  CLI::App* Declare(CLI::App& app);
  // Returns exit code 1 if a fault was found. Throws InputError for an unknown kind.
  int Run() const;

 private:
  FileFuzzOptions options_;
  std::string kind_ = "all";
};

}  // namespace schedulegym
