// RandomReads: random reads of tensors, and conditions on axes, within one `.dag` definition.
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
  // Draws over these axes. Both references must outlive this object.
  RandomReads(Rng& rng, const std::vector<NamedExtent>& axes) : rng_(rng), axes_(axes) {}

  // A read of a tensor: straight, reversed, strided, shifted or wrapped around. A select guards a
  // read that could leave the tensor; its other side is `padding`.
  std::string Read(const std::string& tensor, const std::vector<int64_t>& shape,
                   const std::string& padding);
  // Requires at least one axis.
  std::string Condition();
  const NamedExtent& Axis();

 private:
  std::string Index(int64_t extent, std::vector<std::string>& conditions);

  Rng& rng_;
  const std::vector<NamedExtent>& axes_;
};

// "i:4, j:7".
std::string AxisList(const std::vector<NamedExtent>& axes);

// A small awkward extent: odd, prime, 1.
int64_t RandomExtent(Rng& rng);

}  // namespace schedulegym
