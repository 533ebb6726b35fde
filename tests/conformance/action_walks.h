// ActionWalks: every action space on some computations, for tests that hold for all of them.
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
  bool has_schedules = true;  // not of other tuners' kernels
  std::string code_as = "";   // the space that bounds its code; "" of tables
};

std::vector<ActionCase> ActionCases();

}  // namespace schedulegym
