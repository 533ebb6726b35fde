// The built-in suites as tables of workloads. `ansor_ops` and `ansor_subgraphs`: the operators and
// subgraphs of Ansor's evaluation (Zheng et al., OSDI 2020, sections 7.1 and 7.2), with shapes of
// TVM's tests where the paper's cannot be computed, at batch 1 and 16. `smoke`: every operator at
// odd, prime and square extents, every option away from its default once. `expert`: the
// computations with schedules written by hand.
#include "env/program/workloads/suite.h"

#include <span>

#include "env/base/check.h"

namespace schedulegym {
namespace {

struct Row {
  const char* family;
  const char* workload;  // in batch suites '@' is replaced by the batch
};

// Ten operators of four shapes, from the evaluation of Ansor (Zheng et al., OSDI 2020, 7.1), and
// from TVM's tests where the paper's shape cannot be computed.
constexpr Row kAnsorOps[] = {
    {"C1D", "conv1d(n=@,l=256,ci=64,co=128,k=3,s=2,p=1)"},
    {"C1D", "conv1d(n=@,l=128,ci=128,co=256,k=1,s=2,p=0)"},
    {"C1D", "conv1d(n=@,l=64,ci=256,co=256,k=5,s=1,p=2)"},
    {"C1D", "conv1d(n=@,l=32,ci=512,co=512,k=3,s=1,p=1)"},
    {"C2D", "conv2d(n=@,h=224,w=224,ci=3,co=64,k=7,s=2,p=3)"},
    {"C2D", "conv2d(n=@,h=56,w=56,ci=64,co=64,k=1,s=1,p=0)"},
    {"C2D", "conv2d(n=@,h=14,w=14,ci=256,co=256,k=3,s=1,p=1)"},
    {"C2D", "conv2d(n=@,h=7,w=7,ci=512,co=512,k=3,s=1,p=1)"},
    {"C3D", "conv3d(n=@,d=16,h=224,w=224,ci=3,co=64,k=7,s=2,p=3)"},
    {"C3D", "conv3d(n=@,d=16,h=56,w=56,ci=64,co=64,k=1,s=1,p=0)"},
    {"C3D", "conv3d(n=@,d=16,h=14,w=14,ci=256,co=256,k=3,s=1,p=1)"},
    {"C3D", "conv3d(n=@,d=16,h=7,w=7,ci=512,co=512,k=3,s=1,p=1)"},
    {"GMM", "matmul(b=@,m=128,n=128,k=128)"},
    {"GMM", "matmul(b=@,m=512,n=32,k=512)"},
    {"GMM", "matmul(b=@,m=512,n=512,k=512)"},
    {"GMM", "matmul(b=@,m=1024,n=1024,k=1024)"},
    {"GRP", "conv2d(n=@,h=56,w=56,ci=64,co=128,k=3,s=2,p=1,groups=4)"},
    {"GRP", "conv2d(n=@,h=56,w=56,ci=64,co=64,k=1,s=1,p=0,groups=4)"},
    {"GRP", "conv2d(n=@,h=14,w=14,ci=256,co=256,k=3,s=1,p=1,groups=4)"},
    {"GRP", "conv2d(n=@,h=7,w=7,ci=512,co=512,k=3,s=1,p=1,groups=4)"},
    {"DIL", "conv2d(n=@,h=224,w=224,ci=3,co=64,k=7,s=2,p=3,dilation=2)"},
    {"DIL", "conv2d(n=@,h=56,w=56,ci=64,co=64,k=1,s=1,p=0,dilation=2)"},
    {"DIL", "conv2d(n=@,h=14,w=14,ci=256,co=256,k=3,s=1,p=1,dilation=2)"},
    {"DIL", "conv2d(n=@,h=7,w=7,ci=512,co=512,k=3,s=1,p=1,dilation=2)"},
    {"DEP", "depthwise(n=@,h=112,w=112,c=32,k=3,s=1,p=1)"},
    {"DEP", "depthwise(n=@,h=112,w=112,c=64,k=3,s=2,p=1)"},
    {"DEP", "depthwise(n=@,h=14,w=14,c=512,k=3,s=2,p=1)"},
    {"DEP", "depthwise(n=@,h=7,w=7,c=1024,k=3,s=1,p=1)"},
    {"T2D", "conv2d_transpose(n=@,h=4,w=4,ci=512,co=256,k=4,s=2,p=1)"},
    {"T2D", "conv2d_transpose(n=@,h=8,w=8,ci=256,co=128,k=4,s=2,p=1)"},
    {"T2D", "conv2d_transpose(n=@,h=16,w=16,ci=128,co=64,k=4,s=2,p=1)"},
    {"T2D", "conv2d_transpose(n=@,h=32,w=32,ci=64,co=3,k=4,s=2,p=1)"},
    {"CAP", "capsule(n=@,h=16,w=16,ci=32,co=32,k=3,s=2,p=1)"},
    {"CAP", "capsule(n=@,h=8,w=8,ci=32,co=32,k=3,s=1,p=1)"},
    {"CAP", "capsule(n=@,h=16,w=16,ci=8,co=16,k=3,s=2,p=1)"},
    {"CAP", "capsule(n=@,h=8,w=8,ci=16,co=16,k=3,s=1,p=1)"},
    {"NRM", "norm(b=@,n=256,m=256)"},
    {"NRM", "norm(b=@,n=512,m=512)"},
    {"NRM", "norm(b=@,n=1024,m=1024)"},
    {"NRM", "norm(b=@,n=4096,m=1024)"},
};

// The two subgraphs of the same evaluation (7.2).
constexpr Row kAnsorSubgraphs[] = {
    {"ConvLayer", "conv_layer(n=@,h=224,w=224,ci=3,co=64,k=7,s=2,p=3)"},
    {"ConvLayer", "conv_layer(n=@,h=56,w=56,ci=64,co=128,k=3,s=2,p=1)"},
    {"ConvLayer", "conv_layer(n=@,h=28,w=28,ci=128,co=256,k=1,s=2,p=0)"},
    {"ConvLayer", "conv_layer(n=@,h=7,w=7,ci=512,co=512,k=3,s=1,p=1)"},
    {"TBS", "tbs(n=@,l=128,heads=12,size=64)"},
    {"TBS", "tbs(n=@,l=128,heads=16,size=64)"},
    {"TBS", "tbs(n=@,l=64,heads=12,size=128)"},
    {"TBS", "tbs(n=@,l=128,heads=12,size=128)"},
};

// Small enough to interpret in milliseconds; odd, prime and square extents, every key off its
// default once.
constexpr Row kSmoke[] = {
    {"GMM", "matmul(m=17,n=23,k=9)"},
    {"GMM", "matmul(m=16,n=32,k=24)"},
    {"GMM", "matmul(b=2,m=6,n=11,k=7)"},
    {"C1D", "conv1d(n=2,l=13,ci=4,co=6,k=3,s=2,p=1)"},
    {"C2D", "conv2d(n=1,h=7,w=9,ci=3,co=8,k=3,s=2,p=1)"},
    {"GRP", "conv2d(n=1,h=6,w=5,ci=4,co=6,k=3,s=1,p=1,groups=2)"},
    {"DIL", "conv2d(n=1,h=9,w=7,ci=3,co=5,k=3,s=1,p=2,dilation=2)"},
    {"C3D", "conv3d(n=1,d=3,h=5,w=4,ci=3,co=4,k=3,s=1,p=1)"},
    {"DEP", "depthwise(n=1,h=9,w=8,c=7,k=3,s=2,p=1)"},
    {"T2D", "conv2d_transpose(n=1,h=3,w=4,ci=4,co=5,k=4,s=2,p=1)"},
    {"CAP", "capsule(n=1,h=4,w=3,ci=2,co=3,k=3,s=2,p=1)"},
    {"NRM", "norm(b=2,n=9,m=13)"},
    {"SMX", "softmax(n=7,m=19)"},
    {"LNM", "layernorm(n=5,m=17)"},
    {"ConvLayer", "conv_layer(n=1,h=5,w=7,ci=3,co=8,k=3,s=1,p=1)"},
    {"TBS", "tbs(n=1,l=7,heads=3,size=5)"},
    {"MLP", "mlp(t=5,d=7,hidden=13)"},
    {"ATT", "attention(heads=2,t=7,d=5)"},
};

constexpr Row kExpert[] = {
    {"GMM", "matmul(m=512,n=512,k=512)"},
    {"GMM", "matmul(m=960,n=960,k=960)"},
    {"GMM", "matmul(m=1024,n=1024,k=1024)"},
    {"GMM", "matmul(m=2048,n=2048,k=2048)"},
    {"GMM", "matmul(m=1000,n=1000,k=1000)"},
    {"GMM", "matmul(m=127,n=255,k=511)"},
    {"C2D", "conv2d(n=1,h=56,w=56,ci=64,co=64,k=1,s=1,p=0)"},
    {"C2D", "conv2d(n=1,h=14,w=14,ci=256,co=256,k=3,s=1,p=1)"},
    {"C2D", "conv2d(n=1,h=7,w=7,ci=512,co=512,k=3,s=1,p=1)"},
    {"DEP", "depthwise(n=1,h=112,w=112,c=32,k=3,s=1,p=1)"},
    {"CAP", "capsule(n=1,h=16,w=16,ci=32,co=32,k=3,s=2,p=1)"},
    {"T2D", "conv2d_transpose(n=1,h=8,w=8,ci=256,co=128,k=4,s=2,p=1)"},
    {"NRM", "norm(b=1,n=1024,m=1024)"},
    {"SMX", "softmax(n=512,m=512)"},
    {"TBS", "tbs(n=1,l=128,heads=12,size=64)"},
};

void AppendCases(std::span<const Row> rows, const std::string& batch,
                 std::vector<SuiteCase>* cases) {
  for (const Row& row : rows) {
    std::string text = row.workload;
    if (const size_t at = text.find('@'); at != std::string::npos) text.replace(at, 1, batch);
    auto spec = ParseSpec(text);
    SG_CHECK(spec.ok(), text);
    cases->push_back({row.family, std::move(*spec)});
  }
}

Suite MakeSuite(const char* name, const char* description, std::span<const Row> rows,
                const std::vector<std::string>& batches) {
  Suite suite{name, description, {}};
  for (const std::string& batch : batches) AppendCases(rows, batch, &suite.cases);
  return suite;
}

}  // namespace

std::vector<Suite> BuiltinSuites() {
  return {
      MakeSuite("ansor_ops", "ten operators of four shapes, batch 1 and 16", kAnsorOps,
                {"1", "16"}),
      MakeSuite("ansor_subgraphs", "convolution layers and attention scores, batch 1 and 16",
                kAnsorSubgraphs, {"1", "16"}),
      MakeSuite("smoke", "every operator at a shape that an interpreter runs at once", kSmoke,
                {"1"}),
      MakeSuite("expert", "the computations with schedules written by hand", kExpert, {"1"}),
  };
}

std::optional<Suite> FindSuite(const std::string& name) {
  for (Suite& suite : BuiltinSuites()) {
    if (suite.name == name) return std::move(suite);
  }
  return std::nullopt;
}

}  // namespace schedulegym
