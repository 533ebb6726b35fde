#include "experiments/cli/common/session.h"

#include <filesystem>
#include <system_error>

#include "backends/runner/device_target.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/program/targets/target_names.h"
#include "experiments/cli/common/reproduce.h"

namespace schedulegym {

int64_t ParseIntegerOption(const std::string& option, const std::string& text, int64_t low) {
  const std::optional<int64_t> value = ParseInteger(text);
  if (value && *value >= low) return *value;
  throw InputError(option + ": found '" + text + "', expected a whole number of at least " +
                   std::to_string(low));
}

double ParseAmountOption(const std::string& option, const std::string& text) {
  const std::optional<double> value = ParseDouble(text);
  if (value && *value >= 0) return *value;
  throw InputError(option + ": found '" + text + "', expected a number of at least 0");
}

double ParsePositiveOption(const std::string& option, const std::string& text) {
  const std::optional<double> value = ParseDouble(text);
  if (value && *value > 0) return *value;
  throw InputError(option + ": found '" + text + "', expected a number above 0");
}

std::string Session::CommandText() const {
  std::string text = "schedulegym";
  for (const std::string& word : options_.words) {
    if (word != "--json" && word != "--quiet") text += " " + ShellWord(word);
  }
  return text;
}

Target Session::MakeTarget() const {
  Target target = WithDeviceFacts(RequireSpec("--target", options_.target));
  CheckTargetNames(target);
  return target;
}

uint64_t Session::seed() const {
  return static_cast<uint64_t>(ParseIntegerOption("--seed", options_.seed, 0));
}

std::unique_ptr<RecordStore> Session::ReadStore() const {
  return OpenStore(options_.store, StoreMode::kRead);
}

std::unique_ptr<RecordStore> Session::ReadStoreIfAny() const {
  return HasStore() ? ReadStore() : nullptr;
}

Protocol Session::ReadProtocol(const std::string& text) {
  const Spec spec = RequireSpec("--protocol", text);
  for (const std::string& line : OldNamesOfProtocol(spec)) report_.Warn(line);
  return MakeProtocol(spec);
}

std::unique_ptr<RecordStore> Session::WriteStoreIfAny() const {
  return HasStore() ? WriteStore() : nullptr;
}

bool Session::HasStore() const {
  // A path that cannot be examined, such as a loop of links, counts as there: opening it gives the
  // error.
  std::error_code error;
  return std::filesystem::exists(options_.store, error) || error;
}

std::unique_ptr<RecordStore> Session::WriteStore() const {
  StoreOptions options;
  options.note = [this](const std::string& note) { report_.Note(note); };
  return OpenStore(options_.store, StoreMode::kWrite, options);
}

}  // namespace schedulegym
