// Network: a weighted list of workloads, such as the layers of a model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/base/registry.h"
#include "env/base/result.h"
#include "env/base/spec.h"

namespace schedulegym {

struct WeightedWorkload {
  int64_t count = 1;  // how often the network runs it
  Spec workload;
  int line = 1;  // of the file
};

// Throws InputError as ParseNetwork does.
using NetworkMaker = std::function<std::vector<WeightedWorkload>(const Spec&)>;
// The networks that come with the program.
Registry<NetworkMaker> BuiltinNetworks();

// `.net` text: lines `param NAME = VALUE`, which name integers from 1, and `COUNT WORKLOAD`, which
// may calculate with them; # comments, no empty lines. Paths of `.dag` files are relative to
// `folder`. `overrides` replace the values of parameters. Throws InputError as
// "FILE:LINE:COLUMN: ...".
std::vector<WeightedWorkload> ParseNetwork(
    std::string_view text, const std::string& file_name, const std::string& folder,
    const std::vector<std::pair<std::string, int64_t>>& overrides = {});

// True if a word names a network: a built-in one or the path of a `.net` file, with or without
// parameters.
bool IsNetwork(std::string_view word);

// Reads the network that a word names, such as "resnet50(n=16)". Throws InputError.
std::vector<WeightedWorkload> ReadNetwork(const std::string& word);

// The integers that a `.net` file names, and the arithmetic on them in its lines.
class NetworkParameters {
 public:
  // Returns false if the name exists already.
  bool Define(std::string name, int64_t value);
  bool Has(std::string_view name) const;
  std::vector<std::string> names() const;

  // Evaluates integers and names with + - * / and brackets. An inexact division is an error.
  Result<int64_t> Evaluate(std::string_view text) const;

  // Returns the options of a workload, "(n=n,m=4*n)", with numbers in place of expressions.
  Result<std::string> Fill(std::string_view options) const;

 private:
  std::vector<std::pair<std::string, int64_t>> values_;
};

}  // namespace schedulegym
