// Plugins: agents of shared libraries, known to a catalog by what `schedulegym-agent` says of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "assembly/confinement.h"

namespace schedulegym {

// Adds the agents of all files, each to be made in a process of its own, which ends without harm to
// this one, and confined where that is asked for. The libraries are never opened here. Throws
// InputError, one line, for a file that is no plugin of this build and for a name that exists;
// MachineError without the program. Nothing was added then.
void AddPlugins(const std::vector<std::string>& files, Catalog& catalog,
                const std::shared_ptr<const Confinement>& confinement = nullptr);

}  // namespace schedulegym
