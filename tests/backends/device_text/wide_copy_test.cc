// Copies of 8 and 16 bytes in text.
#include "backends/device_text/wide_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const std::string& dag, const std::string& steps,
                   const DeviceDialect& dialect = CudaDialect()) {
  const BackendKind backend = IsCuda(dialect) ? BackendKind::kCuda : BackendKind::kOpenCl;
  const ScheduleState state = StateAfter(TaskOf(dag, backend), steps);
  return DeviceText(Lower(state).value(), dialect).value().source;
}

std::string CopyOf(const char* type, const char* columns, const char* lanes,
                   const DeviceDialect& dialect = CudaDialect()) {
  return TextOf(std::string("input A[8, ") + columns + "] : " + type + "\nC[i:8, j:" + columns +
                    "] = A[i, j]\n",
                std::string("split(stage=C, loop=1, lengths=[") + lanes +
                    "])\nvectorize(stage=C, loop=2)\nbind(stage=C, loop=0, thread=threadIdx.x)",
                dialect);
}

TEST(WideCopyTest, SixteenBytesWhereRowsAllowIt) {
  EXPECT_THAT(CopyOf("f32", "64", "4"), HasSubstr("*(float4*)(C + i * 64 + j_0 * 4) = "
                                                  "*(const float4*)(A + i * 64 + j_0 * 4);"));
}

TEST(WideCopyTest, TypesOfEightAndSixteenBytes) {
  EXPECT_THAT(CopyOf("f32", "64", "2"), HasSubstr("*(float2*)"));
  EXPECT_THAT(CopyOf("i32", "64", "4"), HasSubstr("*(int4*)"));
  EXPECT_THAT(CopyOf("f64", "64", "2"), HasSubstr("*(double2*)"));
  EXPECT_THAT(CopyOf("i8", "64", "4"), Not(HasSubstr("*(")));
  EXPECT_THAT(CopyOf("f32", "64", "8"), Not(HasSubstr("*(float")));
}

// Halves are copied as integers; four bytes hold two of them.
TEST(WideCopyTest, HalvesGoAsIntegers) {
  EXPECT_THAT(CopyOf("f16", "64", "8"),
              HasSubstr("*(int4*)(C + i * 64 + j_0 * 8) = *(const int4*)(A + i * 64 + j_0 * 8);"));
  EXPECT_THAT(CopyOf("bf16", "64", "4"), HasSubstr("*(int2*)"));
  EXPECT_THAT(CopyOf("f16", "64", "2"), HasSubstr("*(int1*)"));
  EXPECT_THAT(CopyOf("f16", "64", "16"), Not(HasSubstr("*(int")));
  // Rows of 60 begin at multiples of 8 bytes.
  EXPECT_THAT(CopyOf("f16", "60", "4"), HasSubstr("*(int2*)"));
  EXPECT_THAT(CopyOf("f16", "60", "12"), Not(HasSubstr("*(int")));
  EXPECT_THAT(CopyOf("f16", "62", "4"), Not(HasSubstr("*(int")));
}

TEST(WideCopyTest, OpenClNamesTheMemory) {
  const auto copy = [](const char* type, const char* columns, const char* lanes) {
    return CopyOf(type, columns, lanes, OpenClDialect());
  };
  EXPECT_THAT(copy("f32", "64", "4"),
              HasSubstr("    *(__global float4*)(C + i * 64 + j_0 * 4) = "
                        "*(const __global float4*)(A + i * 64 + j_0 * 4);\n"));
  EXPECT_THAT(copy("f32", "62", "2"), HasSubstr("*(__global float2*)"));
  EXPECT_THAT(copy("f32", "62", "4"), Not(HasSubstr("float4")));
  EXPECT_THAT(copy("i32", "64", "4"), HasSubstr("*(__global int4*)"));
  EXPECT_THAT(copy("f64", "64", "2"), HasSubstr("*(__global double2*)"));
  EXPECT_THAT(copy("f16", "64", "2"), HasSubstr("*(const __global short2*)"));
  EXPECT_THAT(copy("bf16", "64", "8"), HasSubstr("*(const __global int4*)"));
  EXPECT_THAT(copy("i8", "64", "4"), Not(HasSubstr("*(")));
}

// A block reads four rows of A together.
TEST(WideCopyTest, OpenClCopiesToSharedMemory) {
  const std::string text =
      TextOf("input A[64, 64]\nC[i:64, j:64] = A[i, j] + A[i, 0]\n",
             "split(stage=C, loop=0, lengths=[4])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
             "bind(stage=C, loop=1, thread=threadIdx.x)\n"
             "cache_read(stage=A, scope=shared, readers=[C])\n"
             "compute_at(stage=A.shared, target=C, loop=0)\nfuse(stage=A.shared, loops=[0, 1])\n"
             "split(stage=A.shared, loop=0, lengths=[4, 4])\nvectorize(stage=A.shared, loop=2)\n"
             "bind(stage=A.shared, loop=1, thread=threadIdx.x)",
             OpenClDialect());
  EXPECT_THAT(text, HasSubstr("*(__local float4*)(A_shared + "));
  EXPECT_THAT(text, HasSubstr(" = *(const __global float4*)(A + "));
}

// Rows of 62 elements begin at multiples of 8 bytes, not of 16; the rest is guarded.
TEST(WideCopyTest, NarrowWhereAlignmentIsNotProved) {
  EXPECT_THAT(CopyOf("f32", "62", "4"), Not(HasSubstr("float4")));
  EXPECT_THAT(CopyOf("f32", "62", "2"), HasSubstr("float2"));
}

TEST(WideCopyTest, NarrowWhereLanesAreApart) {
  EXPECT_THAT(TextOf("input A[64, 8]\nC[i:8, j:64] = A[j, i]\n",
                     "split(stage=C, loop=1, lengths=[4])\nvectorize(stage=C, loop=2)"),
              Not(HasSubstr("float4")));
}

}  // namespace
}  // namespace schedulegym
