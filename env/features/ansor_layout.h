// AnsorLayout: where each of the 164 numbers stands that describe a stored buffer.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// Groups in order; a group's first place.
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

// Places within a group of annotated loops.
struct AnsorAnnotationLayout {
  static constexpr int kCount = 0;
  static constexpr int kProduct = 1;
  static constexpr int kInnermost = 2;
  static constexpr int kPosition = 3;  // one-hot: none, 3 spatial, 3 of reductions, mixed
  static constexpr int kWidth = 11;
  static constexpr int kNone = 0, kMixed = 7;
};

// Places within the entry of one buffer.
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

// Places within the allocation's group, and within that of the outer scope.
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

// Of all places, in order: "float_add", "vector.count", "buffer0.bytes", ...
std::vector<std::string> AnsorFeatureNames();

}  // namespace schedulegym
