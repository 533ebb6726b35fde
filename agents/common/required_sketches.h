// Required sketches: those of a task, for an agent that cannot do without.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/search/search_space.h"

namespace schedulegym {

// Throws InputError, which names `asker` ("agent droplet"), where the space has none.
std::vector<Sketch> RequiredSketches(const SearchSpace& space,
                                     const std::shared_ptr<const Task>& task,
                                     const std::string& asker);

}  // namespace schedulegym
