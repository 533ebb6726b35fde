// DagOf: a computation from text that must be valid.
#pragma once

#include <string>

#include "env/base/check.h"
#include "env/program/language/parser.h"

namespace schedulegym {

inline ComputeDag DagOf(const std::string& text) {
  Result<ComputeDag> dag = ParseDag(text, "test.dag");
  SG_CHECK(dag.ok(), dag.error().message);
  return *dag;
}

}  // namespace schedulegym
