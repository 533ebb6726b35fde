#include "env/schedule/stage.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace schedulegym {
namespace {

TEST(AnnotationTest, HasAName) {
  const std::vector<std::pair<Annotation, std::string>> names = {
      {Annotation::kNone, "for"},
      {Annotation::kUnroll, "unrolled"},
      {Annotation::kVectorize, "vector"},
      {Annotation::kParallel, "parallel"},
      {Annotation::kVthread, "vthread"},
      {Annotation::kBlockX, "blockIdx.x"},
      {Annotation::kBlockY, "blockIdx.y"},
      {Annotation::kBlockZ, "blockIdx.z"},
      {Annotation::kThreadX, "threadIdx.x"},
      {Annotation::kThreadY, "threadIdx.y"},
      {Annotation::kThreadZ, "threadIdx.z"}};
  for (const auto& [annotation, name] : names) {
    EXPECT_EQ(AnnotationName(annotation), name);
    const bool repeats = name == "unrolled" || name == "vector";
    EXPECT_EQ(IsUnrolledOrVector(annotation), repeats) << name;
  }
}

}  // namespace
}  // namespace schedulegym
