#include "env/program/expressions/dtype.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(DTypeTest, NamesReadBack) {
  for (const DType type :
       {DType::kF32, DType::kF64, DType::kI32, DType::kI8, DType::kF16, DType::kBF16}) {
    EXPECT_EQ(ParseDType(DTypeName(type)), type);
  }
  EXPECT_FALSE(ParseDType("index"));
  EXPECT_FALSE(ParseDType("bool"));
  EXPECT_FALSE(ParseDType("F32"));
}

TEST(DTypeTest, KnowsSizesAndKinds) {
  EXPECT_EQ(SizeInBytes(DType::kF64), 8);
  EXPECT_EQ(SizeInBytes(DType::kI32), 4);
  EXPECT_EQ(SizeInBytes(DType::kBF16), 2);
  EXPECT_EQ(SizeInBytes(DType::kI8), 1);
  EXPECT_TRUE(IsFloating(DType::kF16));
  EXPECT_FALSE(IsFloating(DType::kIndex));
  EXPECT_EQ(AccumulatorType(DType::kBF16), DType::kF32);
  EXPECT_EQ(AccumulatorType(DType::kI8), DType::kI8);
}

}  // namespace
}  // namespace schedulegym
