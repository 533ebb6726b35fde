// Suite: a named list of workloads that are measured together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/base/spec.h"

namespace schedulegym {

struct SuiteCase {
  std::string family;  // the operator's short name in the literature, such as "C2D"
  Spec workload;
};

struct Suite {
  std::string name;
  std::string description;
  std::vector<SuiteCase> cases;
};

// ansor_ops, ansor_subgraphs, smoke, expert.
std::vector<Suite> BuiltinSuites();
std::optional<Suite> FindSuite(const std::string& name);

}  // namespace schedulegym
