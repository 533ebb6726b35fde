#include "env/gym/tuner_input.h"

#include <nlohmann/json.hpp>

#include "env/base/fault.h"
#include "env/base/json_limits.h"
#include "env/gym/tuner_units.h"

namespace schedulegym {
namespace {

using Json = nlohmann::json;

// "" where it is missing or no text.
std::string TextAt(const Json& object, const char* outer, const char* name) {
  const Json inner = object.value(outer, Json::object());
  const auto found = inner.find(name);
  return found != inner.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string Written(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

TunerInput Read(const Json& input) {
  TunerInput read;
  read.kernel = TextAt(input, "General", "BenchmarkName");
  if (read.kernel.empty()) read.kernel = TextAt(input, "KernelSpecification", "KernelName");
  read.device = TextAt(input.value("KernelSpecification", Json::object()), "Device", "Name");
  for (const Json& one : input.at("ConfigurationSpace").at("TuningParameters")) {
    const auto values = ParseValueList(Written(one.at("Values")));
    read.parameters.push_back(
        {one.at("Name").get<std::string>(), values.value_or(std::vector<std::string>())});
    read.defaults.push_back(
        one.contains("Default") ? std::optional(ValueText(Written(one["Default"]))) : std::nullopt);
  }
  return read;
}

}  // namespace

TunerInput ParseTunerInput(std::string_view text) {
  if (const auto beyond = BeyondLimits(text)) throw InputError("the T1 file beside it: " + *beyond);
  try {
    return Read(Json::parse(text));
  } catch (const Json::exception&) {
    throw InputError(
        "found another file beside the results than T1, which has a ConfigurationSpace of "
        "TuningParameters, each with Name and Values");
  }
}

}  // namespace schedulegym
