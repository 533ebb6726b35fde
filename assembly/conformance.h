// Conformance: whether an agent keeps what every agent owes to the run that asks it.
#pragma once

#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "env/base/spec.h"

namespace schedulegym {

struct RuleCheck {
  std::string rule;
  std::string fault;  // what broke it and where, one line; "" where it held
};

// Of one answer: an agent that is silent for longer breaks the rule in whose midst it is.
inline constexpr double kLongestAnswerSeconds = 60;

// Makes the agent anew for each rule, in searches of small tasks in space `ansor` whose times are
// the analytical estimate; nothing is compiled. Whatever it throws breaks the rule. Throws
// InputError for a name that the catalog does not have.
std::vector<RuleCheck> CheckConformance(const Spec& agent, const Catalog& catalog,
                                        double answer_seconds = kLongestAnswerSeconds);

}  // namespace schedulegym
