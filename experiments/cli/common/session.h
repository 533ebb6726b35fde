// Session: the common options of all commands, and the objects made from them on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "env/base/clock.h"
#include "env/base/spec.h"
#include "env/measure/protocol.h"
#include "env/measure/store/record_store.h"
#include "env/program/targets/target.h"
#include "experiments/cli/common/report.h"

namespace schedulegym {

// As typed; --json and --quiet belong to the report.
struct CommonOptions {
  std::vector<std::string> words;  // the whole command line
  std::string target = "llvm";
  std::string seed = "0";
  std::string store = "schedulegym.db";
  bool has_target = false;  // true if typed
  bool has_store = false;
};

// Parses a whole number of at least `low`; InputError names the option.
int64_t ParseIntegerOption(const std::string& option, const std::string& text, int64_t low);

// Parses a number of at least zero, or one above zero; InputError names the option.
double ParseAmountOption(const std::string& option, const std::string& text);
double ParsePositiveOption(const std::string& option, const std::string& text);

class Session {
 public:
  Session(const CommonOptions& options, Report& report) : options_(options), report_(report) {}

  Report& report() { return report_; }
  const Clock& clock() const { return clock_; }
  // The whole command line, without the program.
  const std::vector<std::string>& words() const { return options_.words; }
  const std::string& store_path() const { return options_.store; }
  // True if the option was typed.
  bool has_store() const { return options_.has_store; }
  bool has_target() const { return options_.has_target; }
  // The command line quoted for a shell, without --json and --quiet.
  std::string CommandText() const;

  Target MakeTarget() const;
  uint64_t seed() const;
  // Parses the value of --protocol; warns about old names in it.
  Protocol ReadProtocol(const std::string& text);
  // Throws if the file does not exist.
  std::unique_ptr<RecordStore> ReadStore() const;
  // Returns null if there is no such file.
  std::unique_ptr<RecordStore> ReadStoreIfAny() const;
  std::unique_ptr<RecordStore> WriteStore() const;
  // Returns null if there is no such file.
  std::unique_ptr<RecordStore> WriteStoreIfAny() const;

 private:
  bool HasStore() const;

  CommonOptions options_;
  Report& report_;
  SteadyClock clock_;
};

}  // namespace schedulegym
