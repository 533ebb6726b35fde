#include "env/schedule/annotation.h"

namespace schedulegym {

const char* AnnotationName(Annotation annotation) {
  switch (annotation) {
    case Annotation::kNone: return "for";
    case Annotation::kUnroll: return "unrolled";
    case Annotation::kVectorize: return "vector";
    case Annotation::kParallel: return "parallel";
    case Annotation::kVthread: return "vthread";
    case Annotation::kBlockX: return "blockIdx.x";
    case Annotation::kBlockY: return "blockIdx.y";
    case Annotation::kBlockZ: return "blockIdx.z";
    case Annotation::kThreadX: return "threadIdx.x";
    case Annotation::kThreadY: return "threadIdx.y";
    case Annotation::kThreadZ: return "threadIdx.z";
  }
  return "unknown";
}

}  // namespace schedulegym
