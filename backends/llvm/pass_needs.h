// PassNeeds: what emitted code may gain from passes that most code does without.
#pragma once

namespace schedulegym {

struct PassNeeds {
  bool functions = false;              // polynomials in line, which may stand there twice
  bool accumulates_in_memory = false;  // a loop stores to cells that its variable does not choose
};

}  // namespace schedulegym
