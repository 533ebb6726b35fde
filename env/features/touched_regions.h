// TouchedRegions: what the statements of a program, one after another, touch within each loop.
#pragma once

#include <cstdint>
#include <vector>

#include "env/features/loop_nests.h"

namespace schedulegym {

enum class ReuseKind : uint8_t { kLoopMultipleRead, kSerialMultipleReadWrite, kNone };

struct Reuse {
  ReuseKind kind = ReuseKind::kNone;
  double iterations = 0;  // between two uses
  double bytes = 0;       // touched between two uses
  double count = 0;
};

class TouchedRegions {
 public:
  TouchedRegions(int loops, int buffers);

  // A statement's turn: its buffers are touched within all its loops.
  void AddUpdate(const LoopNest& nest);
  void AddInitialization(const LoopNest& nest);
  // How an access of the statement that came last meets the same element again.
  Reuse FindReuse(const LoopNest& nest, const NestAccess& access) const;
  // Elements that the first statement to touch the buffer touches within the loop.
  int64_t FirstTouched(int loop, int buffer) const { return At(loop, buffer).first; }

 private:
  struct Loop {
    double bytes = 0;          // of all accesses
    double element_bytes = 0;  // of one element each
  };
  struct Touch {
    int count = 0;      // accesses
    int64_t first = 0;  // elements touched by the first
    int64_t least = 0;  // by the one that touches least
  };
  void Add(int loop, const NestAccess& access, int level);
  const Touch& At(int loop, int buffer) const { return touches_[loop * buffers_ + buffer]; }

  size_t buffers_;
  std::vector<Loop> loops_;
  std::vector<Touch> touches_;  // by loop and buffer
};

}  // namespace schedulegym
