#include <gtest/gtest.h>

#include "env/program/analysis.h"
#include "env/program/language/parser.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

double FlopsOf(const std::string& text) { return CountFlops(*ParseDag(text, "t.dag")); }
double FlopsOfSpec(const std::string& spec) { return CountFlops(MakeWorkload(*ParseSpec(spec))); }

TEST(FlopsTest, CountsOperationsOnValues) {
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = A[i] + A[i] * 2"), 20);
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = max(exp(-A[i]), 0)"), 30);
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:8] = A[i + 2]"), 0);
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = f64(A[i])"), 0);
  EXPECT_EQ(FlopsOf("B[i:10] = f32(i * 2 + 1)"), 0);
}

TEST(FlopsTest, CountsReductions) {
  EXPECT_EQ(FlopsOf("input A[10]\nB[] = sum(i:10) A[i]"), 10);
  EXPECT_EQ(FlopsOf("input A[10]\nB[] = max(i:10) A[i]"), 10);
  EXPECT_EQ(FlopsOf("input A[10]\nB[] = sum(i:10) A[i] * A[i]"), 20);
}

TEST(FlopsTest, CountsTheChosenSide) {
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = select(i < 3, A[i] * A[i] * A[i], A[i] + 1)"), 13);
  // A select on data counts its dearer side, and the comparison's arithmetic.
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = select(A[i] * 2 > 1, exp(A[i]) + 1, 0)"), 30);
}

TEST(FlopsTest, LeavesOutWhatIsAlwaysZero) {
  // 4 of 10 terms exist, with a multiply and an add each.
  EXPECT_EQ(FlopsOf("input A[10]\nB[] = sum(i:10) select(i < 4, A[i], 0) * A[i]"), 8);
  EXPECT_EQ(FlopsOf("input A[10]\nB[] = sum(i:10) select(i < 4, 0, A[i])"), 6);
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = A[i] + select(i % 5 == 0, A[i], 0)"), 2);
  EXPECT_EQ(FlopsOf("input A[10]\nB[i:10] = select(i >= 1 && i < 9, A[i], 0)"), 0);
  // A maximum also compares its zeros.
  EXPECT_EQ(FlopsOf("input A[10]\nB[] = max(i:10) select(i < 4, A[i], 0)"), 10);
}

TEST(FlopsTest, CountsBuiltIns) {
  EXPECT_EQ(FlopsOfSpec("matmul(m=127,n=255,k=511)"), 2.0 * 127 * 255 * 511);
  EXPECT_EQ(FlopsOfSpec("matmul(b=16,m=128,n=128,k=128)"), 16 * 2.0 * 128 * 128 * 128);
  EXPECT_EQ(FlopsOfSpec("conv2d(h=224,w=224,ci=3,co=64,k=7,s=2,p=3)"),
            2.0 * 112 * 112 * 64 * 3 * 49);
  EXPECT_EQ(FlopsOfSpec("conv2d(h=56,w=56,ci=64,co=128,k=3,s=2,p=1,groups=4)"),
            2.0 * 28 * 28 * 128 * 16 * 9);
  // Dilation 2 makes a kernel of 5: 14 + 2 - 5 + 1 = 12 rows and columns.
  EXPECT_EQ(FlopsOfSpec("conv2d(h=14,w=14,ci=256,co=256,k=3,s=1,p=1,dilation=2)"),
            2.0 * 12 * 12 * 256 * 256 * 9);
  EXPECT_EQ(FlopsOfSpec("conv3d(d=16,h=14,w=14,ci=256,co=256,k=3,p=1)"),
            2.0 * 16 * 14 * 14 * 256 * 256 * 27);
  EXPECT_EQ(FlopsOfSpec("depthwise(h=112,w=112,c=32,k=3,p=1)"), 2.0 * 112 * 112 * 32 * 9);
  EXPECT_EQ(FlopsOfSpec("capsule(h=16,w=16,ci=32,co=32,k=3,s=2,p=1)"),
            2.0 * 8 * 8 * 32 * 16 * 9 * 32 * 4);
  EXPECT_EQ(FlopsOfSpec("norm(b=2,n=256,m=256)"), 2 * (2.0 * 256 * 256 + 1));
  EXPECT_EQ(FlopsOfSpec("softmax(n=8,m=10)"), 80 * 5);
  // A bias, a scale, a shift and a maximum for each output.
  EXPECT_EQ(FlopsOfSpec("conv_layer(h=7,w=7,ci=512,co=512,k=3,p=1)"),
            7.0 * 7 * 512 * (2 * 512 * 9 + 4));
  EXPECT_EQ(FlopsOfSpec("mlp(t=5,d=7,hidden=13)"), 5.0 * 13 * (2 * 7 + 7) + 5 * 7 * (2 * 13 + 1));
}

// In a transposed convolution each input row meets each kernel row once, except those in the
// padding: along an axis h * k pairs less p at either end (for k - 1 - p < k and s * h large).
TEST(FlopsTest, CountsTransposedConvolutionsWithoutTheirZeros) {
  const double pairs = 4.0 * 4 - 2;
  EXPECT_EQ(FlopsOfSpec("conv2d_transpose(h=4,w=4,ci=512,co=256,k=4,s=2,p=1)"),
            2 * pairs * pairs * 512 * 256);
  const double more = 300.0 * 4 - 2;
  EXPECT_EQ(FlopsOfSpec("conv2d_transpose(h=300,w=4,ci=8,co=2,k=4,s=2,p=1)"),
            2 * more * pairs * 8 * 2);
}

}  // namespace
}  // namespace schedulegym
