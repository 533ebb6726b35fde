#include "env/gym/tables/tuner_input.h"

#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/gym/tables/tuner_units.h"

namespace schedulegym {
namespace {

// "" where it is missing or no text; JsonError for what is no object.
std::string TextAt(const Json& object, const char* outer, const char* name) {
  (void)object.members();
  const Json* inner = object.Find(outer);
  const Json* found = inner != nullptr ? inner->Find(name) : nullptr;
  return found != nullptr && found->is_string() ? found->Text() : "";
}

std::string Written(const Json& value) {
  return value.is_string() ? value.Text() : value.ToText({.sort_keys = true});
}

TunerInput Read(const Json& input) {
  TunerInput read;
  read.kernel = TextAt(input, "General", "BenchmarkName");
  if (read.kernel.empty()) read.kernel = TextAt(input, "KernelSpecification", "KernelName");
  const Json* kernel = input.Find("KernelSpecification");
  if (kernel != nullptr) read.device = TextAt(*kernel, "Device", "Name");
  for (const Json& one : input["ConfigurationSpace"]["TuningParameters"].elements()) {
    const auto values = ParseValueList(Written(one["Values"]));
    read.parameters.push_back({one["Name"].Text(), values.value_or(std::vector<std::string>())});
    read.defaults.push_back(one.Has("Default") ? std::optional(ValueText(Written(one["Default"])))
                                               : std::nullopt);
  }
  return read;
}

}  // namespace

TunerInput ParseTunerInput(std::string_view text) {
  if (const auto beyond = BeyondLimits(text)) throw InputError("the T1 file beside it: " + *beyond);
  const Result<Json> input = ParseJson(text);
  const char* const expected =
      "found another file beside the results than T1, which has a ConfigurationSpace of "
      "TuningParameters, each with Name and Values";
  if (!input) throw InputError(expected);
  try {
    return Read(*input);
  } catch (const JsonError&) {
    throw InputError(expected);
  }
}

}  // namespace schedulegym
