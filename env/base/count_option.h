// CountOption: an option of a spec that says how many of something there are.
#pragma once

#include <string>

#include "env/base/spec.h"

namespace schedulegym {

struct CountOption {
  std::string key;
  int default_value = 1;
  int most = 1;
};

// 1 to `most`; throws InputError, in which `owner` names whose option it is: "observation loops".
int ReadCount(SpecReader& reader, const std::string& owner, const CountOption& option);

}  // namespace schedulegym
