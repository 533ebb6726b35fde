// PrimeTile: the levels of a tiled loop as lists of prime factors, which moves carry from one level
// to another.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/search/knob_space.h"

namespace schedulegym {

// Distinct primes that may be moved, the smallest of them: of a loop's extent, of which 2310 is the
// first that has more; of lengths that need not divide it, those that lead from one to another.
inline constexpr int kMostPrimes = 4;

// Where lengths have to divide, level 0 is the outermost, which has what the others leave, and
// level i + 1 is the split's ith length. Elsewhere level i is the ith length.
class PrimeTile {
 public:
  explicit PrimeTile(const KnobTile& tile);

  int levels() const { return static_cast<int>(tile_.values.size()) + first_; }
  bool divides() const { return first_ == 1; }
  const KnobTile& tile() const { return tile_; }
  // Rising.
  const std::vector<int64_t>& primes() const { return primes_; }

  int64_t Length(const KnobPoint& point, int level) const;
  // Carries the factor; false, and nothing changes, where `from` has none to give or `to` may not
  // be as long.
  bool Move(KnobPoint& point, int from, int to, int prime) const;
  bool CanMove(const KnobPoint& point, int from, int to, int prime) const;
  // Sets the levels but the outermost, of lengths that divide; false, and nothing changes, if a
  // length is none of the values or they do not divide the extent.
  bool Set(KnobPoint& point, const std::vector<int64_t>& lengths) const;

 private:
  // Where a value leads when a prime is taken from it or given to it; -1 nowhere.
  struct Steps {
    std::array<int16_t, kMostPrimes> taken, given;
  };
  int Value(const KnobPoint& point, int level) const {
    const int knob = tile_.knobs[level - first_];
    return knob < 0 ? 0 : point[knob];
  }
  bool IsOutermost(int level) const { return level < first_; }
  // What a level's value becomes; none where it may not.
  std::optional<int> Taken(const KnobPoint& point, int level, int prime) const;
  std::optional<int> Given(const KnobPoint& point, int level, int prime) const;

  KnobTile tile_;
  int first_ = 0;  // the level of the first length
  std::vector<int64_t> primes_;
  std::vector<std::vector<Steps>> steps_;  // by length, by value
};

}  // namespace schedulegym
