// Makes the computation of a workload's spec: a built-in operator writes its `.dag` text from the
// spec's integers, with the type of its inputs; a path, or a built-in `.dag` file, is read with the
// integers as parameters. Either text goes through ParseDag. Unknown keys are reported before
// missing ones, since a misspelt key is both. CheckFits refuses a tensor, or inputs and outputs
// together, beyond the target's memory in bytes, and an input or output beyond what its device
// gives one buffer. Errors are InputErrors.
#include "env/program/workloads/workload.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/language/parser.h"
#include "env/program/targets/gpu_features.h"
#include "env/program/workloads/builtin_files.h"

namespace schedulegym {
namespace {

constexpr const char* kTypes[] = {"f32", "f64", "i32", "i8", "f16", "bf16"};

constexpr std::string_view kDagSuffix = ".dag";

bool IsPath(const std::string& name) {
  return name.ends_with(kDagSuffix) || name.find('/') != std::string::npos;
}

ComputeDag FromFile(const Spec& spec) {
  std::vector<std::pair<std::string, int64_t>> overrides;
  for (const auto& [key, value] : spec.options) {
    const auto* integer = std::get_if<int64_t>(&value.value);
    if (integer == nullptr) {
      throw InputError("workload '" + spec.name + "': key '" + key + "' is " + value.ToText() +
                       ", expected an integer");
    }
    overrides.emplace_back(key, *integer);
  }
  auto dag = ParseDag(DagFileText(spec.name), spec.name, overrides);
  if (!dag.ok()) throw InputError(dag.error().message);
  return *dag;
}

// Gives each input its type; `text` has one input a line.
std::string WithTypes(const std::string& text, const std::string& type) {
  std::string typed;
  for (const std::string& line : SplitLines(text)) {
    typed += line;
    if (line.starts_with("input ") || line.starts_with("weight ")) typed += " : " + type;
    typed += '\n';
  }
  return typed;
}

std::vector<int64_t> ReadValues(const Spec& spec, const BuiltinOperator& known,
                                SpecReader* reader) {
  std::vector<int64_t> values;
  for (const WorkloadParameter& parameter : known.parameters) {
    const std::string name = parameter.name;
    const int64_t value = parameter.default_value ? reader->Integer(name, *parameter.default_value)
                                                  : reader->RequiredInteger(name);
    if (value < parameter.least) {
      throw InputError("workload '" + spec.ToText() + "': key '" + name + "' is " +
                       std::to_string(value) + ", expected at least " +
                       std::to_string(parameter.least));
    }
    values.push_back(value);
  }
  return values;
}

ComputeDag FromOperator(const Spec& spec, const BuiltinOperator& known) {
  SpecReader reader(spec, "workload");
  // Unknown keys are named before missing ones: a misspelt key is both.
  for (const WorkloadParameter& parameter : known.parameters) {
    reader.OptionalInteger(parameter.name);
  }
  const std::string type = reader.Choice("dtype", "f32", {std::begin(kTypes), std::end(kTypes)});
  reader.Finish();
  const std::vector<int64_t> values = ReadValues(spec, known, &reader);
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    text +=
        std::string("param ") + known.parameters[i].name + " = " + std::to_string(values[i]) + "\n";
  }
  const std::string what = "workload '" + spec.ToText() + "'";
  try {
    text += WithTypes(known.text(values), type);
  } catch (const InputError& error) {
    throw InputError(what + ": " + error.what());
  }
  auto dag = ParseDag(text, "");
  if (dag.ok()) return *dag;
  // Leaves out the position, which is in a text that the user did not write.
  const std::string& message = dag.error().message;
  throw InputError(what + message.substr(std::min(message.find(": "), message.size())));
}

std::string ReadableBytes(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  std::string number = std::to_string(bytes);
  number.resize(number.find('.') + 2);
  return number + " " + kUnits[unit];
}

void CheckHasNoDouble(const ComputeDag& dag, const Target& target) {
  for (int id = 0; id < dag.size(); ++id) {
    const Tensor& tensor = dag.tensor(id);
    bool has_double = tensor.type == DType::kF64;
    if (tensor.kind == TensorKind::kDefinition) {
      Visit(tensor.body,
            [&](const ExprNode& node) { has_double = has_double || node.type == DType::kF64; });
    }
    if (!has_double) continue;
    throw InputError("tensor '" + tensor.name + "' needs f64, which the device '" +
                     target.gpu.name + "' lacks (no_f64), expected f32 or an integer type");
  }
}

// Of an input or output of the device; none where its driver names no limit.
std::optional<int64_t> MostBufferBytes(const Target& target) {
  for (const std::string& feature : target.features) {
    if (!target.IsGpu() || !feature.starts_with(kBufferFeature)) continue;
    return ParseInteger(std::string_view(feature).substr(sizeof kBufferFeature - 1));
  }
  return std::nullopt;
}

}  // namespace

std::string BuiltinOperator::ParametersText() const {
  std::vector<std::string> parts;
  for (const WorkloadParameter& parameter : parameters) {
    std::string part = parameter.name;
    if (parameter.default_value) part += "=" + std::to_string(*parameter.default_value);
    parts.push_back(std::move(part));
  }
  parts.push_back("dtype=f32");
  return Join(parts, ", ");
}

Result<Spec> ParseWorkload(std::string_view text) { return ParsePathSpec(text, kDagSuffix); }

Registry<WorkloadMaker> BuiltinWorkloads() {
  Registry<WorkloadMaker> workloads("workload", {}, ", or a path that ends in .dag");
  for (const BuiltinOperator& one : BuiltinOperators()) {
    workloads.Add({one.name, one.ParametersText(), one.description,
                   [one](const Spec& spec) { return FromOperator(spec, one); }});
  }
  for (const BuiltinFile& file : BuiltinDagFiles()) {
    workloads.Add({std::string(file.name), ParametersOf(file), DescriptionOf(file), FromFile});
  }
  return workloads;
}

bool IsWorkload(const std::string& name) { return IsPath(name) || BuiltinWorkloads().Has(name); }

ComputeDag MakeWorkload(const Spec& spec) {
  return IsPath(spec.name) ? FromFile(spec) : BuiltinWorkloads().Find(spec)(spec);
}

void CheckFits(const ComputeDag& dag, const Target& target) {
  const std::optional<int64_t> most_buffer = MostBufferBytes(target);
  if (target.IsGpu() && target.HasFeature(kNoDoublesFeature)) CheckHasNoDouble(dag, target);
  double total = 0;
  for (int id = 0; id < dag.size(); ++id) {
    const Tensor& tensor = dag.tensor(id);
    const double bytes =
        static_cast<double>(tensor.NumElements()) * static_cast<double>(SizeInBytes(tensor.type));
    const std::string machine = std::string(", more than the ") +
                                (target.IsGpu() ? "device's " : "machine's ") +
                                ReadableBytes(static_cast<double>(target.memory_bytes));
    if (bytes > static_cast<double>(target.memory_bytes)) {
      throw InputError("tensor '" + tensor.name + "' needs " + ReadableBytes(bytes) + machine);
    }
    const bool is_argument = tensor.kind != TensorKind::kDefinition || dag.is_output(id);
    if (is_argument && most_buffer && bytes > static_cast<double>(*most_buffer)) {
      throw InputError("tensor '" + tensor.name + "' needs " + ReadableBytes(bytes) +
                       ", more than the " + ReadableBytes(static_cast<double>(*most_buffer)) +
                       " of a buffer of the device '" + target.gpu.name + "'");
    }
    if (is_argument) total += bytes;
    if (total > static_cast<double>(target.memory_bytes)) {
      throw InputError("inputs and outputs need at least " + ReadableBytes(total) + machine);
    }
  }
}

std::optional<size_t> PathEnd(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) return text.size();
  const size_t at = text.find(std::string(suffix) + "(");
  if (at == std::string_view::npos) return std::nullopt;
  return at + suffix.size();
}

Result<Spec> ParsePathSpec(std::string_view text, std::string_view suffix) {
  const std::optional<size_t> end = PathEnd(text, suffix);
  if (!end) return ParseSpec(text);
  Result<Spec> spec = ParseSpec("file" + std::string(text.substr(*end)));
  if (spec) spec->name = text.substr(0, *end);
  return spec;
}

}  // namespace schedulegym
