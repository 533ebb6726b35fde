#include "env/features/ansor_features.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

// Loops 0 (extent 5) and 1 (extent 7); buffer 0 is stored, buffer 1 read.
LoopNest TwoLoops(std::vector<int64_t> stored_strides, std::vector<int64_t> read_strides) {
  LoopNest nest;
  nest.loops = {{0, 5}, {1, 7}};
  NestAccess stored, read;
  stored.is_store = read.is_read = true;
  stored.touched = {35, 7};
  stored.strides = std::move(stored_strides);
  read.buffer = 1;
  read.element_bytes = 8;
  read.touched = {11, 3};
  read.strides = std::move(read_strides);
  nest.accesses = {stored, read};
  return nest;
}

TEST(TouchedRegionsTest, NothingIsMetAgain) {
  const LoopNest nest = TwoLoops({7, 1}, {2, 1});
  TouchedRegions regions(2, 2);
  regions.AddUpdate(nest);
  const Reuse reuse = regions.FindReuse(nest, nest.accesses[0]);
  EXPECT_EQ(reuse.kind, ReuseKind::kNone);
  EXPECT_EQ(reuse.count, 0);
  EXPECT_EQ(regions.FirstTouched(0, 1), 11);
}

// In the innermost loop: one element of each buffer (4 + 8 bytes) in between.
TEST(TouchedRegionsTest, MetAgainAtOnce) {
  const LoopNest nest = TwoLoops({7, 0}, {2, 1});
  TouchedRegions regions(2, 2);
  regions.AddUpdate(nest);
  const Reuse reuse = regions.FindReuse(nest, nest.accesses[0]);
  EXPECT_EQ(reuse.kind, ReuseKind::kLoopMultipleRead);
  EXPECT_EQ(reuse.iterations, 1);
  EXPECT_EQ(reuse.bytes, 12);
  EXPECT_EQ(reuse.count, 7);
}

// In the outer loop: 7 iterations in between, which touch 7 * 4 + 3 * 8 bytes.
TEST(TouchedRegionsTest, MetAgainLater) {
  const LoopNest nest = TwoLoops({7, 1}, {0, 1});
  TouchedRegions regions(2, 2);
  regions.AddUpdate(nest);
  const Reuse reuse = regions.FindReuse(nest, nest.accesses[1]);
  EXPECT_EQ(reuse.kind, ReuseKind::kLoopMultipleRead);
  EXPECT_EQ(reuse.iterations, 7);
  EXPECT_EQ(reuse.bytes, 52);
  EXPECT_EQ(reuse.count, 5);
}

// The cells were initialised within loop 0: 35 elements, once more for the update.
TEST(TouchedRegionsTest, MetByAnotherStatement) {
  LoopNest nest = TwoLoops({7, 1}, {2, 1});
  nest.first_reduction = 1;
  TouchedRegions regions(2, 2);
  regions.AddInitialization(nest);
  regions.AddUpdate(nest);
  const Reuse reuse = regions.FindReuse(nest, nest.accesses[0]);
  EXPECT_EQ(reuse.kind, ReuseKind::kSerialMultipleReadWrite);
  EXPECT_EQ(reuse.iterations, 35.0 / 5);
  EXPECT_EQ(reuse.bytes, (35 * 4 + 35 * 4 + 11 * 8) / 5.0);
  EXPECT_EQ(reuse.count, 1);
}

}  // namespace
}  // namespace schedulegym
