// Rng: the only source of chance; it is seeded and passed in, never global.
#pragma once

#include <cstdint>

namespace schedulegym {

// SplitMix64 seeding a xoshiro256** stream (Blackman and Vigna, 2018). Copying forks the stream.
class Rng {
 public:
  explicit Rng(uint64_t seed);

  // 64 uniform bits.
  uint64_t Next();
  // Uniform in [0, bound), bound > 0, without bias.
  int64_t Below(int64_t bound);
  // Uniform in [0, 1).
  double Uniform();
  // True with the given probability.
  bool Chance(double probability) { return Uniform() < probability; }
  // An independent stream; the parent advances by one draw.
  Rng Split() { return Rng(Next()); }

 private:
  uint64_t state_[4];
};

}  // namespace schedulegym
