#include "backends/interpreter/interpreter.h"

#include "env/base/fault.h"

namespace schedulegym {

std::unique_ptr<Backend> MakeInterpreter(const Target&) {
  throw MachineError("this build has no interpreter yet");
}

}  // namespace schedulegym
