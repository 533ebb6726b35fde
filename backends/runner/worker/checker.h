// Checker: the process that never runs a candidate's code; it knows the right answers, drives one
// candidate's process at a time and believes only what it has checked.
#pragma once

#include <string>

#include "env/ipc/descriptor.h"

namespace schedulegym {

// Serves until the other side is gone. `program` is the worker's own.
void RunChecker(Descriptor socket, const std::string& program);

}  // namespace schedulegym
