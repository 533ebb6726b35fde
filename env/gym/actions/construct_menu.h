// ConstructMenu: the finite list of moves that construct a schedule stage by stage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"

namespace schedulegym {

// The effect of a move on the current stage; `a`, `b` and `c` are the numbers of Move.
enum class MoveKind : uint8_t {
  kStop,
  kNextStage,   // goes on to the next stage towards the inputs
  kSplit,       // of loop a, inner length kSplitLengths[b]
  kSplitOuter,  // of loop a, inner length its bth largest divisor that kSplitLengths lacks
  kInnermost,   // loop a becomes the innermost
  kOutward,     // loop a + 1 changes places with loop a
  kFuse,        // loops a and a + 1
  kParallel,    // loop a
  kUnroll,      // loop a
  kVectorize,   // the innermost loop
  kAutoUnroll,  // pragma with kAutoUnrollSteps[a]
  kComputeAt,   // at the ath loop on the way from the root to a consumer's innermost
  kInline,
  kRoot,
  kCacheWrite,  // in local memory
  kCacheRead,   // of the ath stage that it reads, in global memory
  kPack,        // the ath stage that it reads, its dimension b in tiles of kPackTiles[c], inside
  kPackOrder,   // of the copy just packed, stored dimension a becomes the innermost
  kRfactor,     // the ath reduction loop becomes axis b
};

struct Move {
  MoveKind kind = MoveKind::kStop;
  int a = 0, b = 0, c = 0;

  bool operator==(const Move&) const = default;
};

// Bounds of the menu. Stages with more loops can be scheduled, but moves do not reach the rest.
inline constexpr int kMenuLoops = 14;
inline constexpr int kMenuPlaces = 16;
inline constexpr int kMenuReads = 3;
inline constexpr int kMenuDimensions = 6;
inline constexpr int kMenuPackOrder = 8;
inline constexpr int kMenuReductions = 6;
inline constexpr int kMenuAxes = 5;
inline constexpr int kMenuLargest = 4;

// Sizes of register tiles and vectors. They need not divide the loop: lowering peels tails. A loop
// of one step holds a place: stages computed there stay there when other lengths are chosen.
inline constexpr int64_t kSplitLengths[] = {1,  2,  3,  4,  5,  6,  7,  8, 9,
                                            10, 12, 14, 16, 24, 32, 48, 64};
inline constexpr int64_t kAutoUnrollSteps[] = {16, 64, 512};
inline constexpr int64_t kPackTiles[] = {4, 8, 16, 32, 48};

// Consecutive actions of one kind, `a` slowest and `c` fastest.
struct MenuGroup {
  MoveKind kind = MoveKind::kStop;
  KnobKind about = KnobKind::kOther;
  const char* name = "";  // such as "split"
  int first = 0;
  int a = 1, b = 1, c = 1;  // number of values of each
  const char* help = "";

  int size() const { return a * b * c; }
  int Action(int a_value, int b_value = 0, int c_value = 0) const {
    return first + (a_value * b + b_value) * c + c_value;
  }
};

class ConstructMenu {
 public:
  ConstructMenu();

  int size() const { return size_; }
  const std::vector<MenuGroup>& groups() const { return groups_; }
  const MenuGroup& group(MoveKind kind) const { return groups_[static_cast<int>(kind)]; }
  // The groups as ActionSpace::Groups returns them, with slots counted by kind of knob.
  std::vector<ActionGroup> Groups() const;
  Move MoveOf(int action) const;
  // One line for each group: "2..239: split a loop by ...".
  std::string ToText() const;

 private:
  std::vector<MenuGroup> groups_;  // by kind
  int size_ = 0;
};

}  // namespace schedulegym
