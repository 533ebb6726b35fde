// Workload: a name and parameters that yield a ComputeDag.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/program/compute_dag.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// A parameter of a built-in workload; required if it has no default.
struct WorkloadParameter {
  const char* name;
  std::optional<int64_t> default_value;
  int64_t least = 1;
};

// One built-in operator. Each has a file of its own under workloads/ and one line in
// builtin_workloads.cc.
struct BuiltinOperator {
  const char* name;
  const char* description;
  std::vector<WorkloadParameter> parameters;  // besides `dtype` (default f32), which each has

  // The computation as `.dag` text over the parameters' names, without `param` lines and types.
  // `values` are in order of `parameters`. Throws InputError if they are incompatible.
  std::string (*text)(const std::vector<int64_t>& values);

  // "b=1, m, n, k, dtype=f32".
  std::string ParametersText() const;
};

// In order of listing.
std::vector<BuiltinOperator> BuiltinOperators();

// Throws InputError as MakeWorkload does.
using WorkloadMaker = std::function<ComputeDag(const Spec&)>;
// The built-in operators and the built-in `.dag` files.
Registry<WorkloadMaker> BuiltinWorkloads();

// Parses a workload as a user types it: a spec, or the path of a `.dag` file (any characters), with
// or without options.
Result<Spec> ParseWorkload(std::string_view text);

// True if a workload may have this name: a built-in name, or a path.
bool IsWorkload(const std::string& name);

// Makes a built-in workload by name, or that of a `.dag` file by path, with its `param`s as keys.
// Throws InputError, in one line: unknown name, unknown or missing key, sizes that make no
// computation, unknown type, a file that cannot be read or does not parse.
ComputeDag MakeWorkload(const Spec& spec);

// Throws InputError if a tensor, or inputs and outputs together, exceed the target's memory, if an
// input or output exceeds one buffer of its device, or for f64 on devices without it.
void CheckFits(const ComputeDag& dag, const Target& target);

// The position after the path that ends in `suffix`: in "a b.dag(n=1)" after ".dag". nullopt if
// there is no such path.
std::optional<size_t> PathEnd(std::string_view text, std::string_view suffix);

// Like ParseSpec, but a name that ends in `suffix` is a path.
Result<Spec> ParsePathSpec(std::string_view text, std::string_view suffix);

}  // namespace schedulegym
