#include "backends/runner/sandbox/tensor_layout.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "backends/runner/sandbox/shared_memory.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {
namespace {

const std::vector<int64_t>& Sizes() {
  static const std::vector<int64_t> sizes = {1, 4, 64, 100, 4096, 4097, 12288};
  return sizes;
}

class TensorLayoutTest : public testing::TestWithParam<Placement> {
 protected:
  TensorLayoutTest() : layout_(Sizes()), memory_(layout_.bytes()) {}

  std::byte* At(size_t tensor) {
    return static_cast<std::byte*>(layout_.At(memory_.data(), tensor, GetParam()));
  }

  TensorLayout layout_;
  SharedMemory memory_;
};

TEST_P(TensorLayoutTest, TensorsLieWhereTheyShould) {
  for (size_t i = 0; i < Sizes().size(); ++i) {
    const int64_t begin = At(i) - memory_.data();
    const int64_t end = begin + Sizes()[i];
    if (GetParam() == Placement::kAligned) {
      EXPECT_EQ(begin % TensorLayout::kAlignment, 0);
      EXPECT_LT((TensorLayout::kPage - end % TensorLayout::kPage) % TensorLayout::kPage,
                TensorLayout::kAlignment)
          << Sizes()[i];
    } else {
      EXPECT_EQ(end % TensorLayout::kPage, 0);
    }
    EXPECT_EQ(layout_.bytes_of(i), Sizes()[i]);
  }
}

TEST_P(TensorLayoutTest, BordersNoticeEveryByteBeside) {
  layout_.FillBorders(memory_.data(), GetParam());
  for (size_t i = 0; i < Sizes().size(); ++i)
    std::memset(At(i), 1, static_cast<size_t>(Sizes()[i]));
  EXPECT_EQ(layout_.BrokenBorder(memory_.data(), GetParam()), std::nullopt);
  for (size_t i = 0; i < Sizes().size(); ++i) {
    std::vector<std::byte*> beside = {At(i) - 1, At(i) - TensorLayout::kBorder};
    if (GetParam() == Placement::kAligned && Sizes()[i] % TensorLayout::kAlignment != 0) {
      beside.push_back(At(i) + Sizes()[i]);
    }
    for (std::byte* byte : beside) {
      const std::byte before = *byte;
      *byte = ~before;
      EXPECT_EQ(layout_.BrokenBorder(memory_.data(), GetParam()), i);
      *byte = before;
    }
  }
}

// Uses a system call, which does not copy from unreadable memory.
bool IsReadable(const std::byte* at) {
  auto [ours, theirs] = MakeSocketPair(false);
  return write(ours.number(), at, 1) == 1;
}

TEST_P(TensorLayoutTest, WhatLiesBehindTheBordersIsForbidden) {
  layout_.Guard(memory_.data());
  layout_.Touch(memory_.data(), true);
  for (size_t i = 0; i < Sizes().size(); ++i) {
    const std::byte* end = At(i) + Sizes()[i];
    const bool aligned = GetParam() == Placement::kAligned;
    EXPECT_TRUE(IsReadable(end - 1));
    EXPECT_FALSE(IsReadable(aligned ? end + TensorLayout::kAlignment : end));
    // The page with the first byte, or that and the one before, hold the border; a guard page
    // follows.
    const std::byte* page = At(i) - (At(i) - memory_.data()) % TensorLayout::kPage;
    EXPECT_FALSE(IsReadable(page - TensorLayout::kPage) &&
                 IsReadable(page - 2 * TensorLayout::kPage));
  }
}

TEST_P(TensorLayoutTest, AddressesBelongToTheNearestTensor) {
  for (size_t i = 0; i < Sizes().size(); ++i) {
    const int64_t begin = At(i) - memory_.data();
    EXPECT_EQ(layout_.Nearest(begin), i);
    EXPECT_EQ(layout_.Nearest(begin + Sizes()[i] - 1), i);
    EXPECT_EQ(layout_.Nearest(begin + Sizes()[i] + 64), i);
  }
  EXPECT_EQ(layout_.Nearest(0), 0u);
  EXPECT_EQ(layout_.Nearest(-1), 0u);
  EXPECT_EQ(layout_.Nearest(layout_.bytes()), Sizes().size() - 1);
}

INSTANTIATE_TEST_SUITE_P(Placements, TensorLayoutTest,
                         testing::Values(Placement::kAligned, Placement::kAgainstGuard),
                         [](const auto& info) {
                           return info.param == Placement::kAligned ? "Aligned" : "AgainstGuard";
                         });

TEST(TensorLayoutOfNothingTest, HasAGuardAndNoTensors) {
  const TensorLayout layout((std::vector<int64_t>()));
  EXPECT_EQ(layout.size(), 0u);
  EXPECT_EQ(layout.bytes(), TensorLayout::kPage);
  EXPECT_EQ(layout.Nearest(5), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
