// Plugins: agents of shared libraries, as `schedulegym-agent` lists them, in a catalog.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "assembly/confinement.h"

namespace schedulegym {

// Adds the agents of all files. Each agent gets a process of its own, confined if `confinement` is
// given, so that a crash does not harm this process, which never opens the libraries. Throws
// InputError, one line, for a file that is no plugin of this build and for a name that exists, and
// MachineError if the program is missing. On an error nothing is added.
void AddPlugins(const std::vector<std::string>& files, Catalog& catalog,
                const std::shared_ptr<const Confinement>& confinement = nullptr);

}  // namespace schedulegym
