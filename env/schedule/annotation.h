// Annotation: how a loop of a schedule runs.
#pragma once

#include <cstdint>

namespace schedulegym {

enum class Annotation : uint8_t {
  kNone,
  kUnroll,
  kVectorize,
  kParallel,
  kVthread,
  kBlockX,
  kBlockY,
  kBlockZ,
  kThreadX,
  kThreadY,
  kThreadZ,
};

// As printed before a loop: "for", "unrolled", "vector", "parallel", "vthread", "blockIdx.x", ...
const char* AnnotationName(Annotation annotation);

constexpr bool IsUnrolledOrVector(Annotation annotation) {
  return annotation == Annotation::kUnroll || annotation == Annotation::kVectorize;
}

}  // namespace schedulegym
