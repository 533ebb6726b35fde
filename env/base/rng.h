// Rng: the only source of randomness; it is seeded and passed in, never global.
#pragma once

#include <array>
#include <cstdint>

namespace schedulegym {

// SplitMix64 seeding a xoshiro256** stream (Blackman and Vigna, 2018). Copying forks the stream.
class Rng {
 public:
  explicit Rng(uint64_t seed);

  // The complete state of a stream: an Rng made from it continues the stream. Not all zeros.
  using State = std::array<uint64_t, 4>;
  explicit Rng(const State& state) : state_(state) {}
  const State& state() const { return state_; }

  // 64 uniform bits.
  uint64_t Next();
  // Uniform in [0, bound), bound > 0, without bias.
  int64_t Below(int64_t bound);
  // Uniform in [0, 1).
  double Uniform();
  // True with the given probability.
  bool Chance(double probability) { return Uniform() < probability; }
  // Returns an independent stream; the parent advances by one draw.
  Rng Split() { return Rng(Next()); }

 private:
  State state_;
};

}  // namespace schedulegym
