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
  // The subcommand, which says whether it was asked for.
  CLI::App* Declare(CLI::App& app);
  // Exit code 1 where something was found; throws InputError for an unknown kind.
  int Run() const;

 private:
  FileFuzzOptions options_;
  std::string kind_ = "all";
};

}  // namespace schedulegym
