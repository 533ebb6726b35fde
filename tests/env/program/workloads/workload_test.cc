#include "env/program/workloads/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/text.h"
#include "env/program/language/parser.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

ComputeDag Made(const std::string& spec) { return MakeWorkload(*ParseSpec(spec)); }

std::string WorkloadFault(const std::string& spec) {
  return InputFaultOf([&] { Made(spec); });
}

// A file in its own folder, removed at the end.
class ScratchFile {
 public:
  ScratchFile(const std::string& name, const std::string& text)
      : folder_(std::filesystem::path(::testing::TempDir()) / "workload_test"),
        path_((folder_ / name).string()) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_) << text;
  }
  ~ScratchFile() { std::filesystem::remove_all(folder_); }
  const std::string& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

// The documented formulas, with extents computed by hand.
TEST(WorkloadTest, PrintsThePromisedFormulas) {
  EXPECT_EQ(Made("matmul(b=2,m=3,n=4,k=5)").ToText(),
            "input A[2, 3, 5]\ninput B[2, 5, 4]\n"
            "C[z:2, i:3, j:4] = sum(r:5) A[z, i, r] * B[z, r, j]\n");
  EXPECT_EQ(Made("matmul(m=3,n=4,k=5)").ToText(),
            "input A[3, 5]\ninput B[5, 4]\nC[i:3, j:4] = sum(r:5) A[i, r] * B[r, j]\n");
  EXPECT_EQ(Made("conv1d(l=256,ci=64,co=128,k=3,s=2,p=1)").ToText(),
            "input X[1, 256, 64]\nweight W[3, 64, 128]\n"
            "P[b:1, i:258, c:64] = select(i >= 1 && i < 257, X[b, i - 1, c], 0)\n"
            "Y[b:1, i:128, o:128] = sum(r:3, c:64) P[b, i * 2 + r, c] * W[r, c, o]\n");
  EXPECT_EQ(Made("softmax(n=2,m=3,dtype=f64)").ToText(),
            "input X[2, 3] : f64\nM[i:2] = max(j:3) X[i, j]\nE[i:2, j:3] = exp(X[i, j] - M[i])\n"
            "S[i:2] = sum(j:3) E[i, j]\nY[i:2, j:3] = E[i, j] / S[i]\n");
  EXPECT_EQ(Made("norm(n=2,m=3)").ToText(),
            "input X[1, 2, 3]\nS[z:1] = sum(i:2, j:3) X[z, i, j] * X[z, i, j]\n"
            "Y[z:1] = sqrt(S[z])\n");
}

struct Shapes {
  const char* spec;
  const char* tensor;
  std::vector<int64_t> shape;
};

TEST(WorkloadTest, ComputesOutputExtents) {
  const Shapes expected[] = {
      {"conv2d(n=16,h=224,w=200,ci=3,co=64,k=7,s=2,p=3)", "Y", {16, 112, 100, 64}},
      {"conv2d(h=56,w=56,ci=64,co=128,k=3,s=2,p=1,groups=4)", "W", {3, 3, 16, 128}},
      {"conv2d(h=14,w=14,ci=8,co=8,k=3,p=1,dilation=2)", "Y", {1, 12, 12, 8}},
      {"conv3d(d=16,h=224,w=224,ci=3,co=64,k=7,s=2,p=3)", "Y", {1, 8, 112, 112, 64}},
      {"depthwise(h=112,w=112,c=64,k=3,s=2,p=1)", "Y", {1, 56, 56, 64}},
      {"conv2d_transpose(h=4,w=5,ci=8,co=6,k=4,s=2,p=1)", "Y", {1, 8, 10, 6}},
      {"capsule(h=16,w=16,ci=32,co=8,k=3,s=2,p=1)", "Y", {1, 8, 8, 8, 4, 4}},
      {"conv_layer(h=28,w=28,ci=128,co=256,k=1,s=2)", "Z", {1, 14, 14, 256}},
      {"tbs(n=2,l=128,heads=12,size=64)", "U", {2, 12, 64, 128}},
      {"attention(heads=8,t=16,d=64)", "Y", {8, 16, 64}},
      {"mlp(t=5,d=7,hidden=13)", "A", {5, 13}},
      {"layernorm(n=5,m=7)", "V", {5}},
  };
  for (const Shapes& row : expected) {
    const ComputeDag dag = Made(row.spec);
    EXPECT_EQ(dag.tensor(dag.Find(row.tensor)).shape, row.shape) << row.spec;
  }
}

TEST(WorkloadTest, ScalesAttentionByItsWidth) {
  EXPECT_THAT(Made("attention(heads=1,t=2,d=64)").ToText(), HasSubstr("S[h, i, j] * 0.125\n"));
}

TEST(WorkloadTest, GivesEveryBuiltInEveryType) {
  for (const BuiltinOperator& entry : BuiltinOperators()) {
    for (const char* type : {"f32", "f64", "f16", "bf16"}) {
      Spec spec{entry.name, {{"dtype", SpecValue{std::string(type)}}}};
      for (const WorkloadParameter& parameter : entry.parameters) {
        if (parameter.default_value) continue;
        const bool is_image = std::string("dhwl").find(parameter.name) != std::string::npos;
        spec.options.push_back({parameter.name, SpecValue{int64_t{is_image ? 6 : 2}}});
      }
      const ComputeDag dag = MakeWorkload(spec);
      const DType wanted = ParseDType(type).value();
      for (const Tensor& tensor : dag.tensors()) {
        // Reductions of halves are in f32.
        const bool reduces = tensor.combiner != Combiner::kNone;
        EXPECT_EQ(tensor.type, reduces ? AccumulatorType(wanted) : wanted)
            << spec.ToText() << " " << tensor.name;
      }
      EXPECT_TRUE(*ParseDag(dag.ToText(), "printed") == dag) << spec.ToText();
    }
  }
  EXPECT_EQ(Made("matmul(m=2,n=2,k=2,dtype=i8)").tensor(2).type, DType::kI8);
}

TEST(WorkloadTest, RefusesWhatMakesNoComputation) {
  EXPECT_THAT(WorkloadFault("matmull(m=1)"), HasSubstr("did you mean 'matmul'?"));
  EXPECT_EQ(WorkloadFault("matmul(m=1,n=1)"),
            "workload 'matmul': key 'k' is missing, expected an integer");
  EXPECT_THAT(WorkloadFault("matmul(m=1,n=1,K=1)"),
              HasSubstr("unknown key 'K': expected one of b, m"));
  EXPECT_EQ(WorkloadFault("matmul(m=0,n=1,k=1)"),
            "workload 'matmul(m=0,n=1,k=1)': key 'm' is 0, expected at least 1");
  EXPECT_THAT(WorkloadFault("conv1d(l=4,ci=1,co=1,k=3,p=-1)"), HasSubstr("expected at least 0"));
  EXPECT_THAT(WorkloadFault("conv2d(h=3,w=3,ci=1,co=1,k=7)"),
              HasSubstr("extent of axis 'y' is -3"));
  EXPECT_THAT(WorkloadFault("conv2d(h=3,w=3,ci=4,co=6,k=1,groups=4)"), HasSubstr("groups is 4"));
  EXPECT_THAT(WorkloadFault("softmax(n=2,m=2,dtype=u8)"), HasSubstr("unknown dtype 'u8'"));
  EXPECT_THAT(WorkloadFault("softmax(n=2,m=2,dtype=i32)"), HasSubstr("'exp' of i32"));
  EXPECT_THAT(WorkloadFault("matmul(m=4000000000,n=4000000000,k=4)"),
              HasSubstr("too many elements"));
  EXPECT_THAT(WorkloadFault("matmul(m=x,n=1,k=1)"), HasSubstr("key 'm' is x, expected an integer"));
}

TEST(WorkloadTest, ReadsFiles) {
  const ScratchFile file("a.dag", "param n = 4\ninput A[n]\nB[i:n] = A[i]\n");
  EXPECT_EQ(Made(file.path()).tensor(0).shape[0], 4);
  EXPECT_EQ(Made(file.path() + "(n=9)").tensor(0).shape[0], 9);
  EXPECT_THAT(WorkloadFault(file.path() + "(m=9)"), HasSubstr("unknown parameter 'm': expected n"));
  EXPECT_THAT(WorkloadFault(file.path() + "(n=2.5)"),
              HasSubstr("key 'n' is 2.5, expected an integer"));
  EXPECT_THAT(WorkloadFault(file.path() + "(n=0)"), HasSubstr("a.dag:2:9: extent is 0"));
}

TEST(WorkloadTest, PathsMayHoldAnyCharacters) {
  const Result<Spec> spec = ParseWorkload("my nets/a, b (2).dag(n=16)");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->name, "my nets/a, b (2).dag");
  ASSERT_EQ(spec->options.size(), 1u);
  EXPECT_EQ(spec->options[0].key, "n");
  EXPECT_EQ(ParseWorkload("a b.dag")->name, "a b.dag");
  EXPECT_EQ(ParseWorkload("matmul(m=1, n=2)")->ToText(), "matmul(m=1,n=2)");
  EXPECT_FALSE(ParseWorkload("a b(n=1)").ok());
  EXPECT_FALSE(ParseWorkload("a.dag(n=").ok());
}

TEST(WorkloadTest, KnowsNamesAndPaths) {
  EXPECT_TRUE(IsWorkload("matmul"));
  EXPECT_TRUE(IsWorkload("a.dag"));
  EXPECT_FALSE(IsWorkload("matmull"));
}

TEST(WorkloadTest, RefusesFilesThatAreNone) {
  EXPECT_THAT(WorkloadFault("no/such.dag"), HasSubstr("cannot read 'no/such.dag': No such file"));
  EXPECT_THAT(WorkloadFault("/"), HasSubstr("cannot read '/': Is a directory"));
  const ScratchFile empty("empty.dag", "");
  EXPECT_THAT(WorkloadFault(empty.path()), HasSubstr("empty.dag:1:1: nothing is computed"));
  const ScratchFile large("large.dag", std::string((16 << 20) + 1, '#'));
  EXPECT_THAT(WorkloadFault(large.path()), HasSubstr("larger than 16 MiB"));
  const ScratchFile broken("broken.dag", "input A[4\n");
  EXPECT_THAT(WorkloadFault(broken.path()), HasSubstr("broken.dag:"));
}

TEST(WorkloadTest, RefusesWhatDoesNotFit) {
  Target target;
  target.memory_bytes = 1 << 20;
  const auto fault = [&](const std::string& spec) -> std::string {
    return InputFaultOf([&] { CheckFits(Made(spec), target); });
  };
  EXPECT_EQ(fault("matmul(m=256,n=256,k=256)"), "");
  EXPECT_EQ(fault("matmul(m=1024,n=1024,k=8)"),
            "tensor 'C' needs 4.0 MiB, more than the machine's 1.0 MiB");
  EXPECT_EQ(fault("matmul(m=400,n=400,k=400)"),
            "inputs and outputs need at least 1.2 MiB, more than the machine's 1.0 MiB");
  target.backend = BackendKind::kCuda;
  EXPECT_EQ(fault("matmul(m=1024,n=1024,k=8)"),
            "tensor 'C' needs 4.0 MiB, more than the device's 1.0 MiB");
}

// A schedule may avoid a temporary, but not inputs and outputs.
TEST(WorkloadTest, RefusesWhatADeviceGivesNoBufferFor) {
  const Target target = MakeTarget(ParseSpec("opencl(device=small,features=buffer_4096)").value());
  const auto fault = [&](const ComputeDag& dag) {
    return InputFaultOf([&] { CheckFits(dag, target); });
  };
  EXPECT_EQ(fault(Made("matmul(m=32,n=32,k=32)")), "");
  EXPECT_EQ(fault(Made("matmul(m=33,n=32,k=32)")),
            "tensor 'A' needs 4.1 KiB, more than the 4.0 KiB of a buffer of the device 'small'");
  EXPECT_EQ(fault(Made("matmul(m=33,n=33,k=1)")),
            "tensor 'C' needs 4.2 KiB, more than the 4.0 KiB of a buffer of the device 'small'");
  EXPECT_EQ(fault(ParseDag("input A[33]\nT[i:33, j:33] = A[i] + A[j]\n"
                           "C[i:33] = sum(j:33) T[i, j]\n",
                           "text")
                      .value()),
            "");
}

TEST(WorkloadTest, RefusesDoublesThatADeviceLacks) {
  const Target target = MakeTarget(ParseSpec("opencl(device=small,features=no_f64)").value());
  const auto fault = [&](const ComputeDag& dag) -> std::string {
    try {
      CheckFits(dag, target);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(fault(Made("matmul(m=8,n=8,k=8)")), "none");
  EXPECT_EQ(fault(Made("matmul(m=8,n=8,k=8,dtype=f64)")),
            "tensor 'A' needs f64, which the device 'small' lacks (no_f64), expected f32 or "
            "an integer type");
  EXPECT_THAT(fault(ParseDag("input A[8]\nB[i:8] = f32(f64(A[i]) + 1)\n", "cast").value()),
              HasSubstr("tensor 'B' needs f64"));
}

TEST(WorkloadTest, ListsParametersWithDefaults) {
  EXPECT_EQ(BuiltinOperators().size(), 14u);
  EXPECT_EQ(BuiltinWorkloads().At("matmul").parameters, "b=1, m, n, k, dtype=f32");
}

}  // namespace
}  // namespace schedulegym
