#include "env/program/analysis.h"

#include <gtest/gtest.h>

#include "env/program/language/parser.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

ComputeDag Parsed(const std::string& text) { return *ParseDag(text, "t.dag"); }
ComputeDag Made(const std::string& spec) { return MakeWorkload(*ParseSpec(spec)); }

TEST(AnalysisTest, FindsProducersAndConsumers) {
  const ComputeDag dag =
      Parsed("input A[4]\nB[i:4] = A[i] * A[i]\nC[i:4] = B[i] + A[i]\nD[] = sum(i:4) B[i]");
  const DagAnalysis analysis = Analyze(dag);
  EXPECT_EQ(analysis.tensors[0].consumers, (std::vector<int>{1, 2}));
  EXPECT_EQ(analysis.tensors[1].consumers, (std::vector<int>{2, 3}));
  EXPECT_EQ(analysis.tensors[2].producers, (std::vector<int>{0, 1}));
  EXPECT_EQ(analysis.tensors[1].accesses.size(), 2u);
  EXPECT_FALSE(analysis.tensors[1].is_output);
  EXPECT_TRUE(analysis.tensors[3].is_output);
  EXPECT_EQ(analysis.bytes, (4 + 4 + 1) * 4);
}

TEST(AnalysisTest, MapsAccesses) {
  const ComputeDag dag = Made("conv2d(n=1,h=8,w=8,ci=4,co=6,k=3,s=2,p=1,groups=2)");
  const DagAnalysis analysis = Analyze(dag);
  // Y's axes: b y x o, then r q c; P[b, y * 2 + r, x * 2 + q, o // 3 * 2 + c].
  const Access& read = analysis.tensors[dag.Find("Y")].accesses[0];
  EXPECT_EQ(read.tensor, dag.Find("P"));
  EXPECT_EQ(*read.affine[1], (Affine{{{1, 2}, {4, 1}}, 0}));
  EXPECT_FALSE(read.affine[3]);
  EXPECT_FALSE(read.is_affine());
  EXPECT_FALSE(read.is_simple);
  EXPECT_TRUE(read.missing.empty());
  const Access& weight = analysis.tensors[dag.Find("Y")].accesses[1];
  EXPECT_TRUE(weight.is_affine());
  EXPECT_TRUE(weight.is_simple);
  EXPECT_EQ(weight.missing, (std::vector<int>{1, 2}));
}

TEST(AnalysisTest, SimplifiesIndices) {
  const DagAnalysis analysis =
      Analyze(Parsed("input A[4, 6]\nB[i:4, j:6] = A[(i * 6 + j) // 6, (i * 6 + j) % 6]"));
  EXPECT_TRUE(analysis.tensors[1].accesses[0].is_simple);
  EXPECT_EQ(analysis.tensors[1].kind, DefinitionClass::kElementwise);
}

TEST(AnalysisTest, CountsReuse) {
  const ComputeDag dag = Made("matmul(m=8,n=16,k=32)");
  const auto accesses = Analyze(dag).tensors[2].accesses;
  EXPECT_EQ(accesses[0].reuse, 16);  // A[i, r] is read again along j
  EXPECT_EQ(accesses[0].missing, (std::vector<int>{1}));
  EXPECT_EQ(accesses[1].reuse, 8);
  // A window of three rows over ten: 8 * 3 iterations over 10 elements.
  const ComputeDag window = Parsed("input A[12]\nB[i:8] = sum(k:3) A[i + k]");
  EXPECT_EQ(Analyze(window).tensors[1].accesses[0].reuse, 2.4);
}

DefinitionClass ClassOf(const std::string& text) {
  const DagAnalysis analysis = Analyze(Parsed("input A[4, 4]\ninput b[4]\n" + text));
  return analysis.tensors[2].kind;
}

TEST(AnalysisTest, Classifies) {
  EXPECT_EQ(ClassOf("C[i:4, j:4] = exp(A[i, j]) + b[j]"), DefinitionClass::kElementwise);
  EXPECT_EQ(ClassOf("C[i:4, j:4] = A[j, i]"), DefinitionClass::kInjective);
  EXPECT_EQ(ClassOf("C[i:4] = A[i, i]"), DefinitionClass::kInjective);
  EXPECT_EQ(ClassOf("C[i:4, j:4] = b[i]"), DefinitionClass::kInjective);
  EXPECT_EQ(ClassOf("C[i:3] = b[i + 1]"), DefinitionClass::kInjective);
  EXPECT_EQ(ClassOf("C[i:4] = max(j:4) A[i, j]"), DefinitionClass::kReduction);
  EXPECT_EQ(ClassOf("C[i:4] = f32(i)"), DefinitionClass::kInjective);
  EXPECT_STREQ(DefinitionClassName(DefinitionClass::kInjective), "injective");
}

bool IsInlineable(const std::string& text) {
  return Analyze(Parsed("input A[4, 4]\ninput b[4]\n" + text)).tensors[2].is_strictly_inlineable;
}

TEST(AnalysisTest, TellsWhatIsInlinedAtOnce) {
  EXPECT_TRUE(IsInlineable("C[i:4, j:4] = max(A[i, j] + b[j], 0)"));
  EXPECT_TRUE(IsInlineable("C[i:3, j:4] = A[i + 1, j]"));
  EXPECT_FALSE(IsInlineable("C[i:4, j:4] = A[j, i]"));
  EXPECT_FALSE(IsInlineable("C[i:4] = A[i, i]"));
  EXPECT_FALSE(IsInlineable("C[i:4] = exp(b[i])"));
  EXPECT_FALSE(IsInlineable("C[i:4] = select(i < 2, b[i], 0)"));
  EXPECT_TRUE(IsInlineable("C[i:4] = select(i >= 0 && i < 4, b[i], 0)")) << "padded by nothing";
  EXPECT_FALSE(IsInlineable("C[i:2] = b[i * 2]"));
  EXPECT_FALSE(IsInlineable("C[] = sum(i:4) b[i]"));
}

TEST(AnalysisTest, TellsWhatNeedsTiling) {
  const auto needs = [](const std::string& spec, const std::string& tensor) {
    const ComputeDag dag = Made(spec);
    return Analyze(dag).tensors[dag.Find(tensor)].needs_multi_level_tiling;
  };
  EXPECT_TRUE(needs("matmul(m=8,n=8,k=8)", "C"));
  EXPECT_TRUE(needs("conv2d(h=8,w=8,ci=4,co=4,k=3)", "Y"));
  EXPECT_TRUE(needs("depthwise(h=8,w=8,c=4,k=3)", "Y"));
  EXPECT_FALSE(needs("conv2d(h=8,w=8,ci=4,co=4,k=3)", "P"));
  EXPECT_FALSE(needs("norm(b=4,n=8,m=8)", "S"));
  EXPECT_FALSE(needs("softmax(n=8,m=8)", "M"));
  EXPECT_FALSE(needs("softmax(n=8,m=8)", "Y"));
  EXPECT_FALSE(needs("matmul(m=1,n=1,k=8)", "C"));
}

TEST(AnalysisTest, MatchesElementwiseChains) {
  const ComputeDag dag = Made("conv_layer(h=8,w=8,ci=4,co=4,k=3)");
  const DagAnalysis analysis = Analyze(dag);
  const int p = dag.Find("P"), y = dag.Find("Y"), z = dag.Find("Z");
  EXPECT_TRUE(analysis.IsElementwiseMatch(dag, y, z));
  EXPECT_FALSE(analysis.IsElementwiseMatch(dag, p, y));
  EXPECT_FALSE(analysis.IsElementwiseMatch(dag, z, y));
  const ComputeDag forked = Parsed("input A[4]\nB[i:4] = A[i]\nC[i:4] = B[i]\nD[i:4] = B[i]");
  EXPECT_FALSE(Analyze(forked).IsElementwiseMatch(forked, 1, 2));
  const ComputeDag turned = Parsed("input A[4, 4]\nB[i:4, j:4] = A[i, j]\nC[i:4, j:4] = B[j, i]");
  EXPECT_FALSE(Analyze(turned).IsElementwiseMatch(turned, 1, 2));
}

TEST(AnalysisTest, CountsCommonOuterIterators) {
  const ComputeDag dag = Made("softmax(n=8,m=9)");
  const DagAnalysis analysis = Analyze(dag);
  const auto common = [&](const char* a, const char* b) {
    return analysis.CommonOuterIterators(dag, dag.Find(a), dag.Find(b));
  };
  EXPECT_EQ(common("M", "E"), 1);
  EXPECT_EQ(common("E", "Y"), 1);  // between S and Y the columns are summed
  EXPECT_EQ(common("S", "Y"), 1);
  EXPECT_EQ(common("M", "Y"), 1);
  EXPECT_EQ(common("Y", "M"), 0);
  const ComputeDag chain = Parsed("input A[4, 5]\nB[i:4, j:5] = A[i, j]\nC[i:4, j:5] = B[i, j]");
  EXPECT_EQ(Analyze(chain).CommonOuterIterators(chain, 1, 2), 2);
}

}  // namespace
}  // namespace schedulegym
