#include "spaces/ansor/ansor_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/lower/lower.h"
#include "spaces/ansor/derive.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::vector<OpenSketch> Derive(const std::shared_ptr<const Task>& task,
                               const std::string& without = "") {
  std::vector<SketchRule> rules = AnsorRules();
  std::erase_if(rules, [&](const SketchRule& rule) { return rule.name == without; });
  return DeriveSketches(task, rules);
}

// The counts of the published tests are for four cores.
std::shared_ptr<const Task> OnFourCores(const std::string& workload) {
  return WorkloadTask(workload, Avx2Target(4));
}

struct KnownCount {
  std::string name;
  std::string text;  // a workload or a computation
  size_t count;
};

class SketchCountTest : public testing::TestWithParam<KnownCount> {};

TEST_P(SketchCountTest, IsThePublishedOne) {
  const KnownCount& known = GetParam();
  const bool is_dag =
      known.text.find('=') != std::string::npos && known.text.find('\n') != std::string::npos;
  const auto task = is_dag ? DagTask(known.text, Avx2Target(4)) : OnFourCores(known.text);
  EXPECT_EQ(Derive(task).size(), known.count);
}

constexpr const char* kTwoProducts =
    "input A[512, 512]\ninput B[512, 512]\ninput C[512, 512]\n"
    "D[i:512, j:512] = sum(k:512) A[i, k] * B[k, j]\n"
    "E[i:512, j:512] = sum(k:512) D[i, k] * C[k, j]\n";
constexpr const char* kMaxPool =
    "input X[56, 56, 64]\n"
    "Y[h:28, w:28, c:64] = max(r:2, s:2) X[2 * h + r, 2 * w + s, c]\n";
constexpr const char* kMinReduce = "input X[10, 1024]\nY[i:10] = min(j:1024) X[i, j]\n";
constexpr const char* kTotal = "input X[1024]\nY[i:1] = sum(j:1024) X[j]\n";

INSTANTIATE_TEST_SUITE_P(
    Published, SketchCountTest,
    testing::Values(KnownCount{"matmul", "matmul(m=512,n=512,k=512)", 3},
                    KnownCount{"few_results", "matmul(m=8,n=8,k=512)", 5},
                    KnownCount{"two_products", kTwoProducts, 9},
                    KnownCount{"conv_layer", "conv_layer(h=56,w=56,ci=64,co=64,k=3,p=1)", 3},
                    KnownCount{"max_pool", kMaxPool, 1}, KnownCount{"min_reduce", kMinReduce, 3},
                    KnownCount{"softmax", "softmax(n=128,m=512)", 9},
                    KnownCount{"total", kTotal, 3}),
    [](const auto& info) { return info.param.name; });

TEST(AnsorRulesTest, AMatmulIsTiledAloneOrWithinItsCopy) {
  const auto sketches = Derive(OnFourCores("matmul(m=512,n=512,k=512)"));
  std::vector<std::string> ways;
  for (const OpenSketch& sketch : sketches) {
    std::string way;
    for (const std::string& rule : sketch.rules) {
      if (rule.find("skip") == std::string::npos) way += (way.empty() ? "" : "; ") + rule;
    }
    ways.push_back(way);
  }
  EXPECT_THAT(ways, ElementsAre("C: tile", "C: cache_write; C.local: tile_and_fuse",
                                "C: cache_write; C.local: tile_and_fuse"));
}

TEST(AnsorRulesTest, TilesStandInTheirStructure) {
  const auto sketches = Derive(OnFourCores("matmul(m=512,n=512,k=512)"));
  EXPECT_EQ(ToText(sketches[0]),
            "trace 1\n"
            "split(stage=C, loop=0, lengths=[?, ?, ?])\n"
            "split(stage=C, loop=4, lengths=[?, ?, ?])\n"
            "split(stage=C, loop=8, lengths=[?])\n"
            // i0 j0 i1 j1 k0 i2 j2 k1 i3 j3
            "reorder(stage=C, order=[0, 4, 1, 5, 8, 2, 6, 9, 3, 7])\n");
}

TEST(AnsorRulesTest, TheReaderOfTilesFollows) {
  const auto sketches = Derive(OnFourCores("matmul(m=512,n=512,k=512)"));
  EXPECT_EQ(ToText(sketches[2]),
            "trace 1\n"
            "cache_write(stage=C, scope=local)\n"
            "split(stage=C.local, loop=0, lengths=[?, ?, ?])\n"
            "split(stage=C.local, loop=4, lengths=[?, ?, ?])\n"
            "split(stage=C.local, loop=8, lengths=[?])\n"
            "reorder(stage=C.local, order=[0, 4, 1, 5, 8, 2, 6, 9, 3, 7])\n"
            "follow_split(stage=C, loop=0, source=1, count=2)\n"
            "follow_split(stage=C, loop=3, source=2, count=2)\n"
            // i0 j0 i1 j1 | i2 j2
            "reorder(stage=C, order=[0, 3, 1, 4, 2, 5])\n"
            "compute_at(stage=C.local, target=C, loop=3)\n");
}

TEST(AnsorRulesTest, OpenSplitsKnowTheirChoices) {
  const auto sketches = Derive(OnFourCores("matmul(m=512,n=512,k=512)"));
  for (const OpenSketch& sketch : sketches) {
    ASSERT_EQ(sketch.splits.size(), 3u);
    EXPECT_EQ(sketch.splits[0].choices.size(), 210u);
    EXPECT_EQ(sketch.splits[1].choices.size(), 210u);
    EXPECT_EQ(sketch.splits[2].choices.size(), 7u);
  }
}

TEST(AnsorRulesTest, PartialSumsComeFirst) {
  const auto sketches = Derive(OnFourCores("matmul(m=8,n=8,k=512)"));
  EXPECT_EQ(ToText(sketches[0]),
            "trace 1\n"
            "split(stage=C, loop=2, lengths=[?])\n"
            "rfactor(stage=C, loop=2, axis=2)\n");
  EXPECT_EQ(ToText(sketches[1]),
            "trace 1\n"
            "split(stage=C, loop=2, lengths=[?])\n"
            "rfactor(stage=C, loop=3, axis=2)\n"
            "reorder(stage=C.rf, order=[0, 1, 3, 2])\n");
  EXPECT_EQ(sketches[0].splits[0].extent, 512);
}

TEST(AnsorRulesTest, SeveralReductionsAreFusedBeforePartialSums) {
  const auto task =
      DagTask("input X[4, 8, 16]\nY[i:4] = sum(j:8, k:16) X[i, j, k]\n", Avx2Target(4));
  const auto sketches = Derive(task);
  ASSERT_EQ(sketches.size(), 3u);
  EXPECT_EQ(sketches[0].splits[0].extent, 8 * 16);
}

TEST(AnsorRulesTest, ManyResultsNeedNoPartialSums) {
  // 65 results: more than 16 for each of four cores; 64 are not, nor more than the 512 terms.
  EXPECT_EQ(Derive(OnFourCores("matmul(m=65,n=1,k=512)")).size(),
            Derive(OnFourCores("matmul(m=65,n=1,k=512)"), "rfactor").size());
  EXPECT_EQ(Derive(OnFourCores("matmul(m=8,n=8,k=512)")).size(),
            Derive(OnFourCores("matmul(m=8,n=8,k=512)"), "rfactor").size() + 2);
}

TEST(AnsorRulesTest, ElementwiseStagesVanish) {
  const auto sketches = Derive(OnFourCores("conv_layer(h=56,w=56,ci=64,co=64,k=3,p=1)"));
  for (const OpenSketch& sketch : sketches) {
    const ScheduleState& state = sketch.state;
    int maps = 0;
    for (int id = 0; id < state.size(); ++id) {
      const Stage& stage = state.stage(id);
      if (stage.op->kind == StageKind::kInput || stage.location == Location::kInlined) continue;
      maps += stage.op->is_reduction() ? 0 : 1;
    }
    // The padding, which has a branch, and the output.
    EXPECT_EQ(maps, 2);
  }
}

TEST(AnsorRulesTest, AnOuterProductIsTiledAndAScaledTensorIsNot) {
  const auto outer =
      DagTask("input A[64]\ninput B[64]\nC[i:64, j:64] = A[i] * B[j]\n", Avx2Target(4));
  // Tiled, or with a cache that is inlined.
  EXPECT_EQ(Derive(outer).size(), 2u);
  const auto scaled =
      DagTask("input X[64, 64]\ninput A[64]\ninput B[64]\nC[i:64, j:64] = X[i, j] * A[i] + B[j]\n",
              Avx2Target(4));
  EXPECT_EQ(Derive(scaled).size(), 1u);
}

TEST(AnsorRulesTest, EachRuleMayBeLeftOut) {
  const auto matmul = OnFourCores("matmul(m=512,n=512,k=512)");
  EXPECT_EQ(Derive(matmul, "cache_write").size(), 1u);
  // The cache is then tiled by itself.
  EXPECT_EQ(Derive(matmul, "tile_and_fuse").size(), 2u);
  EXPECT_EQ(Derive(matmul, "skip").size(), 0u);
  const auto layer = OnFourCores("conv_layer(h=56,w=56,ci=64,co=64,k=3,p=1)");
  for (const OpenSketch& sketch : Derive(layer, "inline")) {
    EXPECT_THAT(sketch.rules, Not(Contains(testing::HasSubstr("inline"))));
  }
  EXPECT_EQ(Derive(matmul, "tile").size(), 3u);
}

TEST(AnsorRulesTest, EverySketchLowersAsItStands) {
  for (const char* workload :
       {"matmul(m=32,n=32,k=32)", "matmul(m=8,n=8,k=512)", "softmax(n=16,m=64)",
        "conv2d(h=14,w=14,ci=8,co=8,k=3,p=1)", "depthwise(h=14,w=14,c=8,k=3,p=1)",
        "conv2d_transpose(h=4,w=4,ci=8,co=8,k=4,s=2,p=1)", "capsule(h=4,w=4,ci=4,co=4,k=3,p=1)",
        "norm(n=64,m=64)", "tbs(l=16,heads=2,size=8)", "layernorm(n=16,m=64)",
        "attention(heads=2,t=16,d=8)", "mlp(t=8,d=16,hidden=32)"}) {
    for (const OpenSketch& sketch : Derive(OnFourCores(workload))) {
      const auto program = Lower(sketch.state);
      EXPECT_TRUE(program.ok()) << workload << "\n" << ToText(sketch);
    }
  }
}

}  // namespace
}  // namespace schedulegym
