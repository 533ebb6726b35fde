#include "env/base/count_option.h"

#include "env/base/fault.h"

namespace schedulegym {

int ReadCount(SpecReader& reader, const std::string& owner, const CountOption& option) {
  const int64_t count = reader.Integer(option.key, option.default_value);
  if (count >= 1 && count <= option.most) return static_cast<int>(count);
  throw InputError(owner + ": " + option.key + "=" + std::to_string(count) + ", expected 1 to " +
                   std::to_string(option.most));
}

}  // namespace schedulegym
