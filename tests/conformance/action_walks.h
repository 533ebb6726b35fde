// ActionWalks: every action space on some computations, for tests of their common contracts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"

namespace schedulegym {

struct ActionCase {
  std::string name;  // of letters, digits and underscores
  std::shared_ptr<const ActionSpace> space;
  std::shared_ptr<const Task> task;
  bool has_schedules = true;  // false for other tuners' kernels
  std::string code_as = "";   // the space that limits its code; "" for tables
};

std::vector<ActionCase> ActionCases();

}  // namespace schedulegym
