#include "env/gym/actions/construct_menu.h"

#include <iterator>
#include <map>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr int kSplits = std::size(kSplitLengths);

// In the order of MoveKind.
std::vector<MenuGroup> AllGroups() {
  return {
      {MoveKind::kStop, KnobKind::kOther, "stop", 0, 1, 1, 1, "stop: the schedule is as it is"},
      {MoveKind::kNextStage, KnobKind::kOther, "next stage", 0, 1, 1, 1,
       "go on to the next stage towards the inputs"},
      {MoveKind::kSplit, KnobKind::kTile, "split", 0, kMenuLoops, kSplits, 1,
       "split a loop by 1 to 10, 12, 14, 16, 24, 32, 48 or 64; right after its own split, further"},
      {MoveKind::kSplitOuter, KnobKind::kTile, "split outer", 0, kMenuLoops, kMenuLargest, 1,
       "split a loop by its largest divisors but those"},
      {MoveKind::kInnermost, KnobKind::kOrder, "innermost", 0, kMenuLoops, 1, 1,
       "reorder: a loop becomes the innermost"},
      {MoveKind::kOutward, KnobKind::kOrder, "outward", 0, kMenuLoops - 1, 1, 1,
       "reorder: a loop and the next change places"},
      {MoveKind::kFuse, KnobKind::kOther, "fuse", 0, kMenuLoops - 1, 1, 1,
       "fuse a loop with the next"},
      {MoveKind::kParallel, KnobKind::kParallel, "parallel", 0, kMenuLoops, 1, 1,
       "parallel: a loop's iterations on several cores"},
      {MoveKind::kUnroll, KnobKind::kUnroll, "unroll", 0, kMenuLoops, 1, 1, "unroll a loop"},
      {MoveKind::kVectorize, KnobKind::kVector, "vectorize", 0, 1, 1, 1,
       "vectorize the innermost loop"},
      {MoveKind::kAutoUnroll, KnobKind::kUnroll, "auto_unroll", 0, std::size(kAutoUnrollSteps), 1,
       1, "pragma auto_unroll_max_step: 16, 64 or 512"},
      {MoveKind::kComputeAt, KnobKind::kLocation, "compute_at", 0, kMenuPlaces, 1, 1,
       "compute_at: each loop on the way to the consumer's innermost"},
      {MoveKind::kInline, KnobKind::kLocation, "compute_inline", 0, 1, 1, 1, "compute_inline"},
      {MoveKind::kRoot, KnobKind::kLocation, "compute_root", 0, 1, 1, 1, "compute_root"},
      {MoveKind::kCacheWrite, KnobKind::kOther, "cache_write", 0, 1, 1, 1,
       "cache_write in local memory"},
      {MoveKind::kCacheRead, KnobKind::kOther, "cache_read", 0, kMenuReads, 1, 1,
       "cache_read of each stage that it reads"},
      {MoveKind::kPack, KnobKind::kOther, "pack", 0, kMenuReads, kMenuDimensions,
       std::size(kPackTiles),
       "pack each stage that it reads: each dimension, in tiles of 4, 8, 16, 32 or 48"},
      {MoveKind::kPackOrder, KnobKind::kOrder, "pack order", 0, kMenuPackOrder, 1, 1,
       "right after pack: a stored dimension becomes the innermost"},
      {MoveKind::kRfactor, KnobKind::kOther, "rfactor", 0, kMenuReductions, kMenuAxes, 1,
       "rfactor: each reduction loop as each axis"},
  };
}

}  // namespace

ConstructMenu::ConstructMenu() : groups_(AllGroups()) {
  for (MenuGroup& group : groups_) {
    group.first = size_;
    size_ += group.size();
  }
}

Move ConstructMenu::MoveOf(int action) const {
  for (const MenuGroup& group : groups_) {
    const int at = action - group.first;
    if (at < 0 || at >= group.size()) continue;
    return {group.kind, at / group.c / group.b, at / group.c % group.b, at % group.c};
  }
  SG_CHECK(false, "found action " + std::to_string(action) + " of " + std::to_string(size_));
}

std::vector<ActionGroup> ConstructMenu::Groups() const {
  std::vector<ActionGroup> groups;
  std::map<KnobKind, int> slots;
  for (const MenuGroup& group : groups_) {
    groups.push_back({group.about, slots[group.about]++, group.first, group.size(), group.name});
  }
  return groups;
}

std::string ConstructMenu::ToText() const {
  std::string text;
  for (const MenuGroup& group : groups_) {
    text += std::to_string(group.first);
    if (group.size() > 1) text += ".." + std::to_string(group.first + group.size() - 1);
    text += std::string(": ") + group.help + "\n";
  }
  return text;
}

}  // namespace schedulegym
