// RandomReads: reads of tensors, and conditions on axes, drawn within one definition of a `.dag`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

struct NamedExtent {
  std::string name;
  int64_t extent;
};

class RandomReads {
 public:
  // Over these axes; both outlive this.
  RandomReads(Rng& rng, const std::vector<NamedExtent>& axes) : rng_(rng), axes_(axes) {}

  // A read of a tensor, straight, reversed, strided, shifted or wrapped around. What could leave
  // the tensor stands in a select whose other side is `padding`.
  std::string Read(const std::string& tensor, const std::vector<int64_t>& shape,
                   const std::string& padding);
  // There is an axis.
  std::string Condition();
  const NamedExtent& Axis();

 private:
  std::string Index(int64_t extent, std::vector<std::string>& conditions);

  Rng& rng_;
  const std::vector<NamedExtent>& axes_;
};

// "i:4, j:7".
std::string AxisList(const std::vector<NamedExtent>& axes);

// An extent as awkward as small ones can be: odd, prime, 1.
int64_t RandomExtent(Rng& rng);

}  // namespace schedulegym
