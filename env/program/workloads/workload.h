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

// A parameter of a built-in workload; without a default it must be given.
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
  std::vector<WorkloadParameter> parameters;  // `dtype`, f32 by default, is understood

  // The computation as `.dag` text over the parameters' names, without `param` lines and types;
  // `values` are in order of `parameters`. Throws InputError where they do not go together.
  std::string (*text)(const std::vector<int64_t>& values);

  // "b=1, m, n, k, dtype=f32".
  std::string ParametersText() const;
};

// In order of listing.
std::vector<BuiltinOperator> BuiltinOperators();

// Throws InputError as MakeWorkload does.
using WorkloadMaker = std::function<ComputeDag(const Spec&)>;
// The built-in operators, and the `.dag` files that come with the program.
Registry<WorkloadMaker> BuiltinWorkloads();

// A workload as it is typed: a spec, or the path of a `.dag` file, of any characters, with options
// or without.
Result<Spec> ParseWorkload(std::string_view text);

// Whether there may be a workload of this name: a built-in, or a path.
bool IsWorkload(const std::string& name);

// A built-in by name, or a `.dag` file by path with its `param`s as keys. Throws InputError, in
// one line: unknown name, unknown or missing key, sizes that make no computation, unknown type, a
// file that cannot be read or does not parse.
ComputeDag MakeWorkload(const Spec& spec);

// Throws InputError where a tensor, or all tensors together, are larger than the target's memory,
// an input or output larger than one buffer of its device, or a value is f64, which it has not.
void CheckFits(const ComputeDag& dag, const Target& target);

// Where the path that ends in `suffix` ends: "a b.dag(n=1)" ends after ".dag". None where there is
// no such path.
std::optional<size_t> PathEnd(std::string_view text, std::string_view suffix);

// As ParseSpec, but a name that ends in `suffix` is a path.
Result<Spec> ParsePathSpec(std::string_view text, std::string_view suffix);

}  // namespace schedulegym
