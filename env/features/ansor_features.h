// AnsorFeatures: the 164 features of a stored buffer that Ansor's cost model uses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// First position of each group of features, in order.
struct AnsorLayout {
  static constexpr int kOperations = 0;  // OperationKind's order
  static constexpr int kVectorized = 16;
  static constexpr int kUnrolled = 27;
  static constexpr int kParallel = 38;
  static constexpr int kGpu = 49;  // flag; blocks x, y, z; threads x, y, z; virtual threads
  static constexpr int kBuffers = 57;
  static constexpr int kIntensity = 147;
  static constexpr int kAllocation = 157;
  static constexpr int kOuterScope = 161;
  static constexpr int kWidth = 164;

  static constexpr int kBufferCount = 5;
  static constexpr int kIntensitySamples = 10;
};

// Positions within a group of annotated loops.
struct AnsorAnnotationLayout {
  static constexpr int kCount = 0;
  static constexpr int kProduct = 1;
  static constexpr int kInnermost = 2;
  static constexpr int kPosition = 3;  // one-hot: none, 3 spatial, 3 of reductions, mixed
  static constexpr int kWidth = 11;
  static constexpr int kNone = 0, kMixed = 7;
};

// Positions within the entry of one buffer.
struct AnsorBufferLayout {
  static constexpr int kAccess = 0;  // one-hot: read, write, both
  static constexpr int kBytes = 3;
  static constexpr int kUniqueBytes = 4;
  static constexpr int kLines = 5;
  static constexpr int kUniqueLines = 6;
  static constexpr int kReuse = 7;  // one-hot: loop multiple read, serial, none
  static constexpr int kReuseIterations = 10;
  static constexpr int kReuseBytes = 11;
  static constexpr int kReuseCount = 12;
  static constexpr int kPerReuse = 13;  // bytes, unique bytes, lines, unique lines
  static constexpr int kStride = 17;
  static constexpr int kWidth = 18;
};

// Positions within the group of the allocation, and within that of the outer scope.
struct AnsorAllocationLayout {
  static constexpr int kBytes = 0;
  static constexpr int kProduct = 1;
  static constexpr int kOuter = 2;
  static constexpr int kInner = 3;
};
struct AnsorScopeLayout {
  static constexpr int kProduct = 0;
  static constexpr int kLoops = 1;
  static constexpr int kUnrollStep = 2;
};

// Names of all features, in order: "float_add", "vector.count", "buffer0.bytes", ...
std::vector<std::string> AnsorFeatureNames();

// Written into models that are trained on these features; a change of the features changes it.
inline constexpr int kAnsorFeatureVersion = 1;

struct FeatureRows {
  std::vector<int> stages;    // by row: the stage whose buffer the row describes
  std::vector<float> values;  // row after row, AnsorLayout::kWidth each

  int size() const { return static_cast<int>(stages.size()); }
  std::span<const float> Row(int row) const {
    return std::span(values).subspan(static_cast<size_t>(row) * AnsorLayout::kWidth,
                                     AnsorLayout::kWidth);
  }
  // Prints each row under its stage's name, with one line for each number that is not zero.
  std::string ToText(const ScheduleState& state) const;
};

// Returns one row for each stage that has loops, in the order of their statements in the program.
// Every number except flags is sign(x) log2(1 + |x|). The features are those of Ansor (Zheng et
// al., OSDI 2020) as published, computed from the loop structure alone, with its quirks:
//  - multiply-adds are never distinguished from multiplications and additions;
//  - positions of annotated loops are "none" or "mixed";
//  - the stored index costs nothing, nor do values that are named before a statement;
//  - lines are divided, for each loop that no index holds, by the innermost loop's extent;
//  - unique bytes are those of the first statement that touches the buffer within the outermost
//    loop; distances of a serial reuse, and its "iterations", are TouchedRegions'.
// and these differences:
//  - conditions of a sum's terms guard the statement and cost nothing, as in our loop program;
//  - unique lines take the buffer's own region (there: whichever buffer came last);
//  - strides are exact where indices are linear (there: the last factor on the way);
//  - buffers of equal lines and bytes keep their order, the stored one first;
//  - a packed buffer has its packed dimensions, an aligned one no padding;
//  - indices into buffers within loops count from the start of the region, which is assumed to lie
//    inside the tensor; indices of sums in a local tile cost nothing; a name within a vector counts
//    as a name; an index with // or % written in the computation is not simplified;
//  - loops are those of the main part, without the tails of splits that do not divide;
//  - the unrolling limit is the stage's own, since it has no effect on stages within;
//  - on a GPU, loops are those of the schedule, without flattening.
FeatureRows AnsorFeatures(const ScheduleState& state);
// The same for nests that were computed before.
FeatureRows AnsorFeatures(const ScheduleState& state, const LoopNests& nests);

enum class ReuseKind : uint8_t { kLoopMultipleRead, kSerialMultipleReadWrite, kNone };

struct Reuse {
  ReuseKind kind = ReuseKind::kNone;
  double iterations = 0;  // between two uses
  double bytes = 0;       // touched between two uses
  double count = 0;
};

// The regions that the statements of a program, added in order, touch within each loop.
class TouchedRegions {
 public:
  TouchedRegions(int loops, int buffers);

  // Adds the next statement: it touches its buffers within all its loops.
  void AddUpdate(const LoopNest& nest);
  void AddInitialization(const LoopNest& nest);
  // Returns the reuse of an element by an access of the statement that was added last.
  Reuse FindReuse(const LoopNest& nest, const NestAccess& access) const;
  // Number of elements of the buffer that the first statement to touch it touches in the loop.
  int64_t FirstTouched(int loop, int buffer) const { return At(loop, buffer).first; }

 private:
  struct Loop {
    double bytes = 0;          // of all accesses
    double element_bytes = 0;  // of one element each
  };
  struct Touch {
    int count = 0;      // accesses
    int64_t first = 0;  // elements touched by the first
    int64_t least = 0;  // minimum over the accesses
  };
  void Add(int loop, const NestAccess& access, int level);
  const Touch& At(int loop, int buffer) const { return touches_[loop * buffers_ + buffer]; }

  size_t buffers_;
  std::vector<Loop> loops_;
  std::vector<Touch> touches_;  // by loop and buffer
};

}  // namespace schedulegym
