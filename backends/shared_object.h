// SharedObject: an ELF object file linked by the system's compiler driver.
#pragma once

#include <string>

namespace schedulegym {

// Writes a shared object from one object file; libpthread, libmvec and libm are linked where the
// object needs them. Throws MachineError when there is no compiler driver or it refuses.
void LinkSharedObject(const std::string& object_path, const std::string& shared_path);

}  // namespace schedulegym
