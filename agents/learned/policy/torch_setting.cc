#include "agents/learned/policy/torch_setting.h"

#include "agents/learned/policy/torch_internal.h"

namespace schedulegym {

void UseOneTorchThreadHere() {
  if (at::get_num_threads() != 1) at::set_num_threads(1);
}

void UseOneTorchThread() {
  UseOneTorchThreadHere();
  if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
}

}  // namespace schedulegym
