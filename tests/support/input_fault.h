// InputFault: the error of a call with wrong input.
#pragma once

#include <string>

#include "env/base/fault.h"

namespace schedulegym {

// The text of the InputError that `act` throws; "" if it throws none.
template <typename Act>
std::string InputFaultOf(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace schedulegym
