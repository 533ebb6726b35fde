// NetworkParameters: the integers that a `.net` file names, and what its lines calculate with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/base/result.h"

namespace schedulegym {

class NetworkParameters {
 public:
  // False where the name is taken.
  bool Define(std::string name, int64_t value);
  bool Has(std::string_view name) const;
  std::vector<std::string> names() const;

  // Of integers and names with + - * / and brackets; what is divided must divide.
  Result<int64_t> Evaluate(std::string_view text) const;

  // The options of a workload, "(n=n,m=4*n)", with numbers in place of what is calculated.
  Result<std::string> Fill(std::string_view options) const;

 private:
  std::vector<std::pair<std::string, int64_t>> values_;
};

}  // namespace schedulegym
