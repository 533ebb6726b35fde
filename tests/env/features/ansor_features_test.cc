#include "env/features/ansor_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "spaces/schedulegym/schedulegym_space.h"
#include "tests/env/features/expected_row.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// All numbers below are worked out by hand; elements of 4 bytes, lines of 64.
constexpr char kMatmul[] =
    "input A[4, 16]\ninput B[16, 8]\n"
    "C[i:4, j:8] = sum(k:16) A[i, k] * B[k, j]\n";

std::span<const float> RowOf(const FeatureRows& rows, const ScheduleState& state,
                             const char* stage) {
  for (int row = 0; row < rows.size(); ++row) {
    if (rows.stages[row] == state.Find(stage)) return rows.Row(row);
  }
  return {};
}

// 4 * 8 * 16 = 512 iterations of a multiplication and an addition; no index is more than a loop.
// Elements touched while k runs: C 1, A 16, B 16; j and k: C 8, A 16, B 128; all: C 32, A 64, B
// 128.
TEST(AnsorFeaturesTest, NaiveMatmul) {
  const ScheduleState state = StateAfter(kMatmul, "");
  const FeatureRows rows = AnsorFeatures(state);
  ASSERT_EQ(rows.size(), 1);
  ExpectedRow()
      .Set("float_add", 512)
      .Set("float_multiply", 512)
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      // B: k steps over rows of 8: 512 * min(1, 8 * 4 / 64) lines. Rows are whole: 8 * 4 bytes in
      // one piece, 512 / 32 unique lines. Not in i: 4 times, after 8 * 16 iterations, in which
      // initialising touches C 8, then C 8, A 16, B 128: 160 elements.
      .Buffer(0, {.access = "is_read",
                  .bytes = 2048,
                  .unique_bytes = 512,
                  .lines = 256,
                  .unique_lines = 16,
                  .stride = 8,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 128,
                  .reuse_bytes = 640,
                  .reuse_count = 4})
      // A: k steps by one: 512 * 4 / 64 lines. Rows of 64 bytes are whole: 256 / 64. Not in j: 8
      // times, after 16 iterations that touch 1 + 16 + 16 elements.
      .Buffer(1, {.access = "is_read",
                  .bytes = 2048,
                  .unique_bytes = 256,
                  .lines = 32,
                  .unique_lines = 4,
                  .stride = 1,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 16,
                  .reuse_bytes = 132,
                  .reuse_count = 8})
      // C: not in k, so 512 / 16 * 4 / 64 lines and no stride; 16 times, each of the three
      // buffers' elements between.
      .Buffer(2, {.access = "is_read_write",
                  .bytes = 2048,
                  .unique_bytes = 128,
                  .lines = 2,
                  .unique_lines = 4,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 1,
                  .reuse_bytes = 12,
                  .reuse_count = 16})
      .Intensity({{2 * 16, 4 * 33}, {2 * 128, 4 * 152}, {2 * 512, 4 * 224}})
      .Scope(512, 3)
      .Check(rows.Row(0));
}

// 64 iterations; the read's index i.0 * 16 + i.1 costs a multiplication and an addition.
TEST(AnsorFeaturesTest, VectorizedElementwise) {
  const ScheduleState state =
      StateAfter("input A[64]\nD[i:64] = max(A[i] * 2 + 1, 0)\n",
                 "split(stage=D, loop=0, lengths=[16])\nparallel(stage=D, loop=0)\n"
                 "vectorize(stage=D, loop=1)");
  const FeatureRows rows = AnsorFeatures(state);
  ASSERT_EQ(rows.size(), 1);
  // 64 * 4 / 64 lines; all 256 bytes in one piece.
  ExpectedBuffer buffer{
      .bytes = 256, .unique_bytes = 256, .lines = 4, .unique_lines = 4, .stride = 1};
  ExpectedBuffer stored = buffer, read = buffer;
  stored.access = "is_write";
  read.access = "is_read";
  ExpectedRow()
      .Set("float_add", 64)
      .Set("float_multiply", 64)
      .Set("float_compare", 64)
      .Set("integer_add", 64)
      .Set("integer_multiply", 64)
      .Annotated("vector", 1, 16, 16)
      .Plain("unroll")
      .Annotated("parallel", 1, 4, 4)
      .Buffer(0, stored)
      .Buffer(1, read)
      .Intensity({{3 * 16, 4 * 32}, {3 * 64, 4 * 128}})
      .Scope(64, 2)
      .Check(rows.Row(0));
}

constexpr char kFused[] =
    "input A[8, 4]\ninput B[4, 16]\n"
    "C[i:8, j:16] = sum(k:4) A[i, k] * B[k, j]\n"
    "D[i:8, j:16] = max(C[i, j], 0)\n";
constexpr char kFusedSteps[] =
    "split(stage=D, loop=0, lengths=[2])\ncompute_at(stage=C, target=D, loop=0)";

// C computes 2 rows of 16 in each of D's 4 outer iterations. Elements touched within k: C 1, A 4,
// B 4; within j: 16, 4, 64; within C's i: 32, 8, 64; within i.0: 128, 32, 64.
TEST(AnsorFeaturesTest, ProducerWithinConsumer) {
  const ScheduleState state = StateAfter(kFused, kFusedSteps);
  const FeatureRows rows = AnsorFeatures(state);
  ASSERT_EQ(rows.size(), 2);
  ExpectedRow()
      .Set("float_add", 512)
      .Set("float_multiply", 512)
      .Set("integer_add", 512)  // A[i.0 * 2 + i, k]
      .Set("integer_multiply", 512)
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      // B: k steps over 64 bytes, a line each time. Not in C's i: 2 times, after 16 * 4
      // iterations, which touch C 16 twice (initialised first), A 4, B 64.
      .Buffer(0, {.access = "is_read",
                  .bytes = 2048,
                  .unique_bytes = 256,
                  .lines = 512,
                  .unique_lines = 4,
                  .stride = 16,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 64,
                  .reuse_bytes = 400,
                  .reuse_count = 2})
      // A: rows of 16 bytes are whole: 128 / 16 unique lines. Not in j: 16 times.
      .Buffer(1, {.access = "is_read",
                  .bytes = 2048,
                  .unique_bytes = 128,
                  .lines = 32,
                  .unique_lines = 8,
                  .stride = 1,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 4,
                  .reuse_bytes = 36,
                  .reuse_count = 16})
      // C: 512 / 4 * 4 / 64 lines.
      .Buffer(2, {.access = "is_read_write",
                  .bytes = 2048,
                  .unique_bytes = 512,
                  .lines = 8,
                  .unique_lines = 8,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 1,
                  .reuse_bytes = 12,
                  .reuse_count = 4})
      .Intensity({{2 * 4, 4 * 9}, {2 * 64, 4 * 84}, {2 * 128, 4 * 104}, {2 * 512, 4 * 224}})
      .Allocation(2 * 16 * 4, 2 * 16 * 4, 4, 2 * 16 * 4)
      .Scope(512, 4)
      .Check(RowOf(rows, state, "C"));
}

TEST(AnsorFeaturesTest, ConsumerAroundProducer) {
  const ScheduleState state = StateAfter(kFused, kFusedSteps);
  const FeatureRows rows = AnsorFeatures(state);
  ExpectedRow()
      .Set("float_compare", 128)  // C's buffer is read at [i.1, j]: no arithmetic
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      .Buffer(0, {.access = "is_write",
                  .bytes = 512,
                  .unique_bytes = 512,
                  .lines = 8,
                  .unique_lines = 8,
                  .stride = 1})
      // C: within i.0 two accesses came before this one, of 128 elements each: 128 / 4 iterations;
      // all together touch C 3 * 128, A 32, B 64, D 128: 608 elements, over 4 iterations.
      .Buffer(1, {.access = "is_read",
                  .bytes = 512,
                  .unique_bytes = 512,
                  .lines = 8,
                  .unique_lines = 8,
                  .stride = 1,
                  .reuse = "reuse_serial",
                  .reuse_iterations = 32,
                  .reuse_bytes = 608,
                  .reuse_count = 2})
      .Intensity({{16, 4 * 32}, {32, 4 * 64}, {128, 4 * 256}})
      .Scope(128, 3)
      .Check(RowOf(rows, state, "D"));
}

// A[i, k.0 * 8 + k.1]; S is in a register while k.0 and k.1 run. The lines of S are divided by 8
// for each of them, though k.0 has 4 iterations: 16384 / 64 * 4 / 64.
TEST(AnsorFeaturesTest, UnrolledReduction) {
  const ScheduleState state =
      StateAfter("input A[512, 32]\nS[i:512] = sum(k:32) A[i, k]\n",
                 "split(stage=S, loop=1, lengths=[8])\nunroll(stage=S, loop=2)\n"
                 "pragma(stage=S, name=auto_unroll_max_step, value=16)");
  const FeatureRows rows = AnsorFeatures(state);
  ExpectedRow()
      .Set("float_add", 16384)
      .Set("integer_add", 16384)
      .Set("integer_multiply", 16384)
      .Plain("vector")
      .Annotated("unroll", 1, 8, 8)
      .Plain("parallel")
      .Buffer(0, {.access = "is_read",
                  .bytes = 65536,
                  .unique_bytes = 65536,
                  .lines = 1024,
                  .unique_lines = 1024,
                  .stride = 1})
      .Buffer(1, {.access = "is_read_write",
                  .bytes = 65536,
                  .unique_bytes = 2048,
                  .lines = 16,
                  .unique_lines = 32,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 1,
                  .reuse_bytes = 8,
                  .reuse_count = 8})
      .Intensity({{8, 4 * 9}, {32, 4 * 33}, {16384, 4 * 16896}})
      .Scope(16384, 3, 16)
      .Check(rows.Row(0));
}

constexpr char kConvolution[] =
    "input A[18]\ninput W[3]\n"
    "P[x:18] = A[x] * 3\n"
    "C[i:16] = sum(r:3) P[i + r] * W[r]\n";
constexpr char kConvolutionSteps[] =
    "split(stage=C, loop=0, lengths=[4])\ncompute_at(stage=P, target=C, loop=0)";

// Four outputs need 4 + 3 - 1 = 6 of P; 24 iterations. Over all of i.0, 16 + 3 - 1 = 18 elements.
TEST(AnsorFeaturesTest, HaloIsComputedAgain) {
  const ScheduleState state = StateAfter(kConvolution, kConvolutionSteps);
  const FeatureRows rows = AnsorFeatures(state);
  ExpectedBuffer buffer{
      .bytes = 96, .unique_bytes = 72, .lines = 1.5, .unique_lines = 72.0 / 64, .stride = 1};
  ExpectedBuffer stored = buffer, read = buffer;
  stored.access = "is_write";
  read.access = "is_read";
  ExpectedRow()
      .Set("float_multiply", 24)
      .Set("integer_add", 24)  // A[i.0 * 4 + x]
      .Set("integer_multiply", 24)
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      .Buffer(0, stored)
      .Buffer(1, read)
      .Intensity({{6, 4 * 12}, {24, 4 * 36}})
      .Allocation(24, 24, 4, 6)
      .Scope(24, 2)
      .Check(RowOf(rows, state, "P"));
}

// Elements touched within r: C 1, P 3, W 3; within i.1: 4, 6, 3; within i.0: 16, 18, 3.
TEST(AnsorFeaturesTest, HaloIsReadAgain) {
  const ScheduleState state = StateAfter(kConvolution, kConvolutionSteps);
  const FeatureRows rows = AnsorFeatures(state);
  ExpectedRow()
      .Set("float_add", 48)
      .Set("float_multiply", 48)
      .Set("integer_add", 48)  // P's buffer is read at [i.1 + r]
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      // P: in every index. Within i.0 it was stored before, 18 elements: 18 / 4 iterations. All:
      // P 18, A 18, C 16 twice, P 18, W 3: 89 elements of 4 bytes over 4 iterations.
      .Buffer(0, {.access = "is_read",
                  .bytes = 192,
                  .unique_bytes = 72,
                  .lines = 3,
                  .unique_lines = 72.0 / 64,
                  .stride = 1,
                  .reuse = "reuse_serial",
                  .reuse_iterations = 4.5,
                  .reuse_bytes = 89,
                  .reuse_count = 1})
      .Buffer(1, {.access = "is_read",
                  .bytes = 192,
                  .unique_bytes = 12,
                  .lines = 3,
                  .unique_lines = 1,
                  .stride = 1,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 3,
                  .reuse_bytes = 28,
                  .reuse_count = 4})
      .Buffer(2, {.access = "is_read_write",
                  .bytes = 192,
                  .unique_bytes = 64,
                  .lines = 1,
                  .unique_lines = 1,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 1,
                  .reuse_bytes = 12,
                  .reuse_count = 3})
      .Intensity({{2 * 3, 4 * 7}, {2 * 12, 4 * 13}, {2 * 48, 4 * 37}})
      .Scope(48, 3)
      .Check(RowOf(rows, state, "C"));
}

// No loop at all: one iteration, one element, a line each.
TEST(AnsorFeaturesTest, Scalar) {
  const ScheduleState state = StateAfter("input A[1]\nD[i:1] = A[i] + 1\n", "");
  const ExpectedBuffer buffer{
      .access = "is_write", .bytes = 4, .unique_bytes = 4, .lines = 1, .unique_lines = 1};
  ExpectedBuffer read = buffer;
  read.access = "is_read";
  ExpectedRow()
      .Set("float_add", 1)
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      .Buffer(0, buffer)
      .Buffer(1, read)
      .Scope(1, 0)
      .Check(AnsorFeatures(state).Row(0));
}

// A rank of 0 counts as a stride of 1: 64 * 4 / 64 lines, and the stride is reported.
TEST(AnsorFeaturesTest, SumIntoScalar) {
  const ScheduleState state = StateAfter("input A[64]\nS[] = sum(k:64) A[k]\n", "");
  const FeatureRows rows = AnsorFeatures(state);
  ExpectedRow()
      .Set("float_add", 64)
      .Plain("vector")
      .Plain("unroll")
      .Plain("parallel")
      .Buffer(0, {.access = "is_read_write",
                  .bytes = 256,
                  .unique_bytes = 4,
                  .lines = 4,
                  .unique_lines = 1,
                  .stride = 1,
                  .reuse = "reuse_in_loop",
                  .reuse_iterations = 1,
                  .reuse_bytes = 8,
                  .reuse_count = 64})
      .Buffer(1, {.access = "is_read",
                  .bytes = 256,
                  .unique_bytes = 256,
                  .lines = 4,
                  .unique_lines = 4,
                  .stride = 1})
      .Intensity({{64, 4 * 65}})
      .Scope(64, 1)
      .Check(rows.Row(0));
}

TEST(AnsorFeaturesTest, KeepsFiveBuffersOfMostLines) {
  std::string dag, sum;
  for (const char* name : {"A", "B", "C", "D", "E", "F"}) {
    dag += std::string("input ") + name + "[64, 2]\n";
    sum += (sum.empty() ? "" : " + ") + std::string(name) + "[i, 0]";
  }
  const ScheduleState state = StateAfter(dag + "Y[i:64] = " + sum + "\n", "");
  const FeatureRows rows = AnsorFeatures(state);
  // Inputs step by 2: 64 * 8 / 64 lines; Y by 1, so it is the seventh and left out.
  for (int i = 0; i < AnsorLayout::kBufferCount; ++i) {
    const auto entry = rows.Row(0).subspan(AnsorLayout::kBuffers + i * AnsorBufferLayout::kWidth);
    EXPECT_EQ(entry[AnsorBufferLayout::kAccess], 1);
    EXPECT_NEAR(entry[AnsorBufferLayout::kLines], std::log2(9.0), 1e-5);
  }
}

TEST(AnsorFeaturesTest, EqualStatesHaveEqualFeatures) {
  const auto task = TaskOf(
      "input A[64, 32]\nP[i:64, j:32] = A[i, j] + 1\n"
      "D[i:64, j:32] = P[i, j] * 2\n");
  const ScheduleState once =
      StateAfter(task,
                 "split(stage=D, loop=0, lengths=[4, 2])\nsplit(stage=D, loop=3, lengths=[8])\n"
                 "compute_at(stage=P, target=D, loop=1)");
  const ScheduleState by_detours =
      StateAfter(task,
                 "split(stage=D, loop=1, lengths=[8])\nsplit(stage=D, loop=0, lengths=[8])\n"
                 "compute_at(stage=P, target=D, loop=0)\ncompute_root(stage=P)\n"
                 "split(stage=D, loop=1, lengths=[2])\ncompute_at(stage=P, target=D, loop=1)");
  ASSERT_EQ(StateKey(once), StateKey(by_detours));
  const FeatureRows a = AnsorFeatures(once), b = AnsorFeatures(by_detours);
  EXPECT_EQ(a.stages, b.stages);
  EXPECT_EQ(a.values, b.values);
}

TEST(AnsorFeaturesTest, OrderOfIndependentStagesIsThatOfRows) {
  const char* p = "P[i:8, j:8] = A[i, j] + 1\n";
  const char* q = "Q[i:8, j:8] = exp(B[j, i])\n";
  const std::string inputs = "input A[8, 8]\ninput B[8, 8]\n";
  const char* d = "D[i:8] = sum(k:8) P[i, k] * Q[k, i]\n";
  const char* steps = "split(stage=Q, loop=1, lengths=[4])\nvectorize(stage=P, loop=1)";
  const ScheduleState first = StateAfter(inputs + p + q + d, steps);
  const ScheduleState second = StateAfter(inputs + q + p + d, steps);
  const FeatureRows a = AnsorFeatures(first), b = AnsorFeatures(second);
  ASSERT_EQ(a.size(), 3);
  ASSERT_EQ(b.size(), 3);
  EXPECT_NE(first.stage(a.stages[0]).op->name, second.stage(b.stages[0]).op->name);
  for (const char* stage : {"P", "Q", "D"}) {
    const auto x = RowOf(a, first, stage), y = RowOf(b, second, stage);
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << stage;
  }
}

TEST(AnsorFeaturesTest, RandomSchedulesHaveFiniteRows) {
  const auto space = MakeSchedulegymSpace(ParseSpec("schedulegym").value());
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) {
    const auto task = WorkloadTask(entry.workload.ToText(), Avx2Target());
    Rng rng(3);
    for (int i = 0; i < 20; ++i) {
      const ScheduleState state = space->Sample(task, rng).value();
      const FeatureRows rows = AnsorFeatures(state);
      ASSERT_EQ(rows.size(), static_cast<int>(InferLoops(state).stages.size()));
      ASSERT_EQ(rows.values.size(), static_cast<size_t>(rows.size()) * AnsorLayout::kWidth);
      for (size_t v = 0; v < rows.values.size(); ++v) {
        ASSERT_TRUE(std::isfinite(rows.values[v]) && rows.values[v] >= 0)
            << entry.workload.ToText() << " " << AnsorFeatureNames()[v % AnsorLayout::kWidth]
            << "\n"
            << state.TraceText();
      }
    }
  }
}

TEST(AnsorFeaturesTest, GpuAxesCountAsLoops) {
  const ScheduleState state =
      StateAfter(TaskOf("input A[64]\nD[i:64] = A[i] + 1\n", BackendKind::kCuda),
                 "split(stage=D, loop=0, lengths=[16])\nbind(stage=D, loop=0, thread=blockIdx.x)\n"
                 "bind(stage=D, loop=1, thread=threadIdx.x)");
  const FeatureRows rows = AnsorFeatures(state);
  const auto gpu = rows.Row(0).subspan(AnsorLayout::kGpu);
  EXPECT_EQ(gpu[0], 1);
  EXPECT_FLOAT_EQ(gpu[1], std::log2(5.0f));
  EXPECT_FLOAT_EQ(gpu[4], std::log2(17.0f));
  EXPECT_EQ(gpu[7], 1);
  EXPECT_FLOAT_EQ(rows.Row(0)[AnsorLayout::kOuterScope + AnsorScopeLayout::kLoops],
                  std::log2(3.0f));
}

}  // namespace
}  // namespace schedulegym
