#include "env/lower/validate.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

// The reason why the buffer is not allowed, or "".
std::string Complaint(const Buffer& buffer) {
  LoopProgram program;
  program.parameters = {{.name = "P", .is_output = true, .bytes = 256}};
  program.buffers = {buffer};
  const auto checked = CheckBufferLayout(program);
  if (checked) return "";
  EXPECT_EQ(checked.error().kind, ErrorKind::kInvalidSchedule);
  return checked.error().message;
}

Buffer Of(std::vector<int64_t> shape, std::vector<int64_t> strides, int parameter = -1) {
  return {.name = "B",
          .shape = std::move(shape),
          .strides = std::move(strides),
          .parameter = parameter};
}

TEST(BufferLayoutTest, EachElementHasACell) {
  EXPECT_EQ(Complaint(Of({4, 8}, {8, 1})), "");
  EXPECT_EQ(Complaint(Of({4, 8}, {1, 4})), "");
  EXPECT_EQ(Complaint(Of({4, 8}, {9, 1})), "");
  EXPECT_EQ(Complaint(Of({}, {})), "");
  EXPECT_EQ(Complaint(Of({4, 8}, {7, 1})), "elements of buffer B share cells");
  EXPECT_EQ(Complaint(Of({4, 8}, {0, 1})), "elements of buffer B share cells");
  EXPECT_EQ(Complaint(Of({4, 0}, {8, 1})), "elements of buffer B share cells");
}

TEST(BufferLayoutTest, AStrideThatIsNotTakenMayBeAny) {
  EXPECT_EQ(Complaint(Of({1, 8}, {0, 1})), "");
}

TEST(BufferLayoutTest, EachDimensionHasAStride) {
  EXPECT_EQ(Complaint(Of({4, 8}, {1})), "buffer B has not one stride for each dimension");
}

TEST(BufferLayoutTest, AParameterHoldsIt) {
  EXPECT_EQ(Complaint(Of({8, 8}, {8, 1}, 0)), "");
  EXPECT_EQ(Complaint(Of({8, 9}, {9, 1}, 0)), "buffer B does not lie within parameter P");
  Buffer later = Of({6, 8}, {8, 1}, 0);
  later.byte_offset = 64;
  EXPECT_EQ(Complaint(later), "");
  later.byte_offset = 32;
  EXPECT_EQ(Complaint(later), "buffer B does not lie within parameter P");
  later.byte_offset = 128;
  EXPECT_EQ(Complaint(later), "buffer B does not lie within parameter P");
}

}  // namespace
}  // namespace schedulegym
