#include "agents/common/required_sketches.h"

#include "env/base/fault.h"

namespace schedulegym {

std::vector<Sketch> RequiredSketches(const SearchSpace& space,
                                     const std::shared_ptr<const Task>& task,
                                     const std::string& asker) {
  std::vector<Sketch> sketches = space.Sketches(task);
  if (!sketches.empty()) return sketches;
  throw InputError(asker + ": space " + space.Name() +
                   " has no sketches; expected one that has, such as ansor");
}

}  // namespace schedulegym
