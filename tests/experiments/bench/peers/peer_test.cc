#include "experiments/bench/peers/peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/program/workloads/suite.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

using Values = std::vector<double>;
using Inputs = std::vector<Values>;

// The formulas of the workloads as plain loops, in double precision.

Values NaiveMatrix(const MatrixProduct& shape, const Inputs& in) {
  const auto [batch, m, n, k] = shape;
  Values out(batch * m * n);
  for (int64_t z = 0; z < batch; ++z)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t r = 0; r < k; ++r)
          out[(z * m + i) * n + j] += in[0][(z * m + i) * k + r] * in[1][(z * k + r) * n + j];
  return out;
}

double Activated(FusedActivation activation, double x) {
  switch (activation) {
    case FusedActivation::kNone: return x;
    case FusedActivation::kRelu: return std::max(x, 0.0);
    case FusedActivation::kRelu6: return std::clamp(x, 0.0, 6.0);
    case FusedActivation::kGelu: return x / 2 * (1 + std::erf(x / std::sqrt(2)));
    case FusedActivation::kGeluTanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case FusedActivation::kTanh: return std::tanh(x);
  }
  return x;
}

// The operands of the epilogue start at `position`; channels are the fastest axis.
Values WithEpilogue(const Epilogue& epilogue, int64_t channels, size_t position, const Inputs& in,
                    Values out) {
  const size_t scale = position + (epilogue.bias ? 1 : 0);
  const size_t residual = scale + (epilogue.scale_shift ? 2 : 0);
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t channel = i % static_cast<size_t>(channels);
    if (epilogue.bias) out[i] += in[position][channel];
    if (epilogue.scale_shift) out[i] = out[i] * in[scale][channel] + in[scale + 1][channel];
    if (epilogue.residual) out[i] += in[residual][i];
    out[i] = Activated(epilogue.activation, out[i]);
  }
  return out;
}

// Extents of three axes; axes that the shape lacks have `missing`.
std::vector<int64_t> ThreeAxes(std::vector<int64_t> extents, int64_t missing) {
  extents.insert(extents.begin(), 3 - extents.size(), missing);
  return extents;
}

// The input position that output position `out` and tap `tap` read on one axis; -1 for none.
int64_t Source(const Convolution& shape, bool exists, int64_t out, int64_t tap, int64_t extent) {
  if (!exists) return 0;
  if (!shape.transposed) {
    const int64_t at = out * shape.stride + tap * shape.dilation - shape.padding;
    return at < extent ? at : -1;
  }
  // Input pixel x adds to outputs x * stride + tap - padding.
  const int64_t scaled = out + shape.padding - tap;
  if (scaled < 0 || scaled % shape.stride != 0) return -1;
  return scaled / shape.stride < extent ? scaled / shape.stride : -1;
}

// Matrices of side x side for each pixel and channel; side is 1 except for capsules.
Values NaiveConvolution(const Convolution& shape, const Inputs& in) {
  const int64_t side = shape.capsule ? 4 : 1, ci = shape.channels_in, co = shape.channels_out;
  const int64_t group_in = ci / shape.groups, group_out = co / shape.groups;
  const auto size = ThreeAxes(shape.size, 1), out_size = ThreeAxes(shape.OutputSize(), 1);
  const auto kernel = ThreeAxes(std::vector<int64_t>(shape.size.size(), shape.kernel), 1);
  const auto exists = [&](size_t axis) { return axis >= 3 - shape.size.size(); };
  Values out;
  const auto pixel = [&](int64_t b, const std::vector<int64_t>& at, int64_t o, int64_t i,
                         int64_t j) {
    double sum = 0;
    for (int64_t tap = 0; tap < kernel[0] * kernel[1] * kernel[2]; ++tap) {
      const int64_t taps[] = {tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1],
                              tap % kernel[2]};
      int64_t source = b;
      for (size_t axis = 0; axis < 3 && source >= 0; ++axis) {
        const int64_t x = Source(shape, exists(axis), at[axis], taps[axis], size[axis]);
        source = x < 0 ? -1 : source * size[axis] + x;
      }
      if (source < 0) continue;
      for (int64_t c = 0; c < group_in; ++c)
        for (int64_t t = 0; t < side; ++t) {
          const int64_t channel = o / group_out * group_in + c;
          const double x = in[0][((source * ci + channel) * side + i) * side + t];
          sum += x * in[1][(((tap * group_in + c) * co + o) * side + t) * side + j];
        }
    }
    return sum;
  };
  for (int64_t b = 0; b < shape.images; ++b)
    for (int64_t z = 0; z < out_size[0]; ++z)
      for (int64_t y = 0; y < out_size[1]; ++y)
        for (int64_t x = 0; x < out_size[2]; ++x)
          for (int64_t o = 0; o < co; ++o)
            for (int64_t cell = 0; cell < side * side; ++cell)
              out.push_back(pixel(b, {z, y, x}, o, cell / side, cell % side));
  return WithEpilogue(shape.epilogue, co, 2, in, std::move(out));
}

// A matrix product, row by row, and its epilogue.
Values NaiveLinear(const LinearLayer& shape, const Inputs& in) {
  return WithEpilogue(shape.epilogue, shape.product.columns, 2, in, NaiveMatrix(shape.product, in));
}

Values NaivePooling(const Pooling& shape, const Inputs& in) {
  const auto size = ThreeAxes(shape.size, 1), out_size = ThreeAxes(shape.OutputSize(), 1);
  const auto kernel = ThreeAxes(shape.kernel, 1);
  const auto at = [&](size_t axis, int64_t out, int64_t tap) {
    const bool exists = axis >= 3 - shape.size.size();
    const int64_t x = exists ? out * shape.stride + tap - shape.padding : 0;
    return x < size[axis] ? x : -1;
  };
  Values out;
  const auto window = [&](int64_t b, const std::vector<int64_t>& to, int64_t c) {
    double sum = 0, most = -INFINITY;
    for (int64_t tap = 0; tap < kernel[0] * kernel[1] * kernel[2]; ++tap) {
      const int64_t taps[] = {tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1],
                              tap % kernel[2]};
      int64_t from = b;
      for (size_t axis = 0; axis < 3 && from >= 0; ++axis) {
        const int64_t x = at(axis, to[axis], taps[axis]);
        from = x < 0 ? -1 : from * size[axis] + x;
      }
      if (from < 0) continue;
      const double value = in[0][from * shape.channels + c];
      sum += value;
      most = std::max(most, value);
    }
    return shape.is_mean ? sum / static_cast<double>(kernel[0] * kernel[1] * kernel[2]) : most;
  };
  for (int64_t b = 0; b < shape.images; ++b)
    for (int64_t z = 0; z < out_size[0]; ++z)
      for (int64_t y = 0; y < out_size[1]; ++y)
        for (int64_t x = 0; x < out_size[2]; ++x)
          for (int64_t c = 0; c < shape.channels; ++c) out.push_back(window(b, {z, y, x}, c));
  return out;
}

Values NaiveNorm(const RowNorm& shape, const Inputs& in) {
  Values out(shape.batch);
  for (int64_t b = 0; b < shape.batch; ++b) {
    for (int64_t i = 0; i < shape.elements; ++i)
      out[b] += std::pow(in[0][b * shape.elements + i], 2);
    out[b] = std::sqrt(out[b]);
  }
  return out;
}

Values NaiveSoftmax(const RowSoftmax& shape, const Inputs& in) {
  Values out(shape.rows * shape.columns);
  for (int64_t i = 0; i < shape.rows; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < shape.columns; ++j) sum += std::exp(in[0][i * shape.columns + j]);
    for (int64_t j = 0; j < shape.columns; ++j)
      out[i * shape.columns + j] = std::exp(in[0][i * shape.columns + j]) / sum;
  }
  return out;
}

Values NaiveScores(const HeadScores& shape, const Inputs& in) {
  const auto [batch, length, heads, size] = shape;
  Values products(batch * heads * length * length);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < length; ++i)
        for (int64_t j = 0; j < length; ++j)
          for (int64_t d = 0; d < size; ++d) {
            const double q = in[0][((b * length + i) * heads + h) * size + d];
            const double k = in[1][((b * length + j) * heads + h) * size + d];
            products[((b * heads + h) * length + i) * length + j] += q * k;
          }
  return NaiveSoftmax({batch * heads * length, length}, {products});
}

Values Naive(const PeerProblem& problem, const Inputs& inputs) {
  if (auto* shape = std::get_if<MatrixProduct>(&problem.shape)) return NaiveMatrix(*shape, inputs);
  if (auto* shape = std::get_if<LinearLayer>(&problem.shape)) return NaiveLinear(*shape, inputs);
  if (auto* shape = std::get_if<Pooling>(&problem.shape)) return NaivePooling(*shape, inputs);
  if (auto* shape = std::get_if<RowNorm>(&problem.shape)) return NaiveNorm(*shape, inputs);
  if (auto* shape = std::get_if<RowSoftmax>(&problem.shape)) return NaiveSoftmax(*shape, inputs);
  if (auto* shape = std::get_if<HeadScores>(&problem.shape)) return NaiveScores(*shape, inputs);
  return NaiveConvolution(std::get<Convolution>(problem.shape), inputs);
}

// Runs every peer twice, on the given cores, and compares with the loops above.
template <typename T>
void ExpectRight(const PeerProblem& problem, int cores, double tolerance) {
  Rng rng(7);
  std::vector<std::vector<T>> operands;
  Inputs inputs;
  for (const int64_t elements : problem.input_elements) {
    operands.emplace_back(elements);
    for (T& value : operands.back()) value = static_cast<T>(2 * rng.Uniform() - 1);
    inputs.emplace_back(operands.back().begin(), operands.back().end());
  }
  std::vector<const void*> pointers;
  for (const auto& operand : operands) pointers.push_back(operand.data());
  const Values expected = Naive(problem, inputs);
  for (const auto& peer : MakePeers(problem, cores, PeerNames())) {
    std::vector<T> output(problem.output_elements, T{-77});
    peer->Load(pointers);
    peer->Run();
    peer->Run();
    peer->Store(output.data());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(output[i], expected[i], tolerance)
          << "cell " << i << " of " << peer->name() << " (" << peer->detail() << ")";
    }
  }
}

class PeerTest : public testing::TestWithParam<const char*> {};

TEST_P(PeerTest, AgreesWithPlainLoops) {
  const PeerProblem problem = *ProblemOf(*ParseSpec(GetParam()));
  EXPECT_FALSE(MakePeers(problem, 1, PeerNames()).empty());
  for (const int cores : {1, 2}) ExpectRight<float>(problem, cores, 2e-5);
}

INSTANTIATE_TEST_SUITE_P(
    SmallShapes, PeerTest,
    testing::Values(
        "matmul(m=5,n=7,k=11)", "matmul(b=3,m=6,n=4,k=5)",
        "conv1d(n=2,l=10,ci=4,co=16,k=3,s=2,p=1)", "conv1d(n=2,l=6,ci=4,co=8,k=1,s=2)",
        "conv2d(n=2,h=6,w=5,ci=4,co=16,k=1)", "conv2d(h=7,w=6,ci=3,co=16,k=3,s=2,p=1)",
        "conv2d(h=9,w=9,ci=16,co=16,k=3,p=2,dilation=2)",
        "conv2d(h=5,w=5,ci=32,co=32,k=3,p=1,groups=2)", "conv2d(h=6,w=6,ci=16,co=16,k=1,s=2)",
        "conv3d(d=4,h=5,w=6,ci=3,co=16,k=3,s=2,p=1)", "depthwise(n=2,h=6,w=7,c=32,k=3,s=2,p=1)",
        "conv2d_transpose(n=2,h=4,w=3,ci=16,co=8,k=4,s=2,p=1)",
        "conv2d_transpose(h=3,w=3,ci=8,co=3,k=3,s=1,p=0)",
        "capsule(n=2,h=5,w=4,ci=3,co=4,k=3,s=2,p=1)", "norm(b=3,n=7,m=9)", "norm(b=1,n=40,m=300)",
        "softmax(n=5,m=37)", "conv_layer(n=2,h=6,w=6,ci=4,co=16,k=3,s=1,p=1)",
        "tbs(n=2,l=9,heads=3,size=8)", "conv2d_relu(h=6,w=6,ci=4,co=16,k=3,s=1,p=1)",
        "conv2d_bias(h=6,w=6,ci=4,co=16,k=1,s=2,p=0)",
        "conv2d_add_relu(n=2,h=6,w=5,ci=4,co=16,k=3,s=1,p=1)",
        "conv2d_add(h=6,w=5,ci=16,co=16,k=1,s=1,p=0)",
        "conv2d_relu6(h=7,w=6,ci=3,co=16,k=3,s=2,p=1)", "depthwise_relu6(h=6,w=7,c=32,k=3,s=2,p=1)",
        "conv2d_transpose_relu(h=4,w=3,ci=16,co=8,k=4,s=2,p=1)",
        "conv2d_transpose_tanh(h=4,w=3,ci=16,co=8,k=4,s=2,p=1)",
        "conv3d_relu(d=4,h=5,w=6,ci=3,co=16)", "conv3d_add_relu(d=4,h=5,w=6,ci=16,co=16)",
        "conv3d_bias(d=4,h=5,w=6,ci=16,co=16,kd=1,k=1,sd=2,s=2,pd=0,p=0)", "linear(m=5,n=7,k=11)",
        "linear_add(m=5,n=7,k=11)", "linear_relu(m=1,n=16,k=9)", "linear_gelu(m=5,n=7,k=11)",
        "linear_gelu_tanh(m=5,n=7,k=11)", "max_pool2d(n=2,h=7,w=6,c=16,k=3,s=2,p=1)",
        "max_pool2d(h=6,w=6,c=16,k=2,s=2,p=0)", "average_pool2d(n=2,h=5,w=4,c=16)",
        "average_pool3d(d=2,h=5,w=4,c=16)"));

// For batch 1. Makes all peers, and runs none.
TEST(PeerTest, EveryRowOfTheSuitesHasAPeerAndAPlainOne) {
  for (const char* name : {"ansor_ops", "ansor_subgraphs"}) {
    const Suite suite = *FindSuite(name);
    for (const SuiteCase& row : suite.cases) {
      const std::string text = row.workload.ToText();
      if (text.find("(n=16,") != text.npos || text.find("(b=16,") != text.npos) continue;
      const auto peers = MakePeers(*ProblemOf(row.workload), 2, PeerNames());
      EXPECT_FALSE(peers.empty()) << text;
      EXPECT_TRUE(std::ranges::any_of(peers, [](const auto& peer) { return peer->is_plain(); }))
          << text;
    }
  }
}

TEST(PeerTest, ConvolutionsArePlainWithChannelsLastAlone) {
  int plain = 0, others = 0;
  for (const char* text :
       {"conv2d(h=9,w=9,ci=16,co=16,k=3,p=1)", "capsule(h=5,w=4,ci=4,co=4,k=3)"}) {
    for (const auto& peer : MakePeers(*ProblemOf(*ParseSpec(text)), 1, {"onednn"})) {
      const bool is_last = peer->detail().find("channels last") != std::string::npos;
      const bool is_blocked = peer->detail().find("blocked") != std::string::npos;
      EXPECT_TRUE(!is_last || peer->is_plain()) << peer->detail();
      EXPECT_TRUE(!is_blocked || !peer->is_plain()) << peer->detail();
      plain += is_last;
      others += is_blocked;
    }
  }
  EXPECT_EQ(plain, 2);
  EXPECT_EQ(others, 2);
}

TEST(PeerTest, NoConvolutionStandsTwice) {
  // The library's own choice is one of the layouts that are requested separately.
  for (const char* text : {"conv2d(h=9,w=9,ci=16,co=16,k=3,p=1)", "depthwise(h=6,w=7,c=32,k=3)"}) {
    std::set<std::string> implementations;
    const auto peers = MakePeers(*ProblemOf(*ParseSpec(text)), 1, {"onednn"});
    for (const auto& peer : peers) {
      const std::string detail = peer->detail();
      const std::string lies = peer->is_plain() ? "plain" : "blocked";
      implementations.insert(lies + detail.substr(detail.find(',')));
    }
    EXPECT_EQ(implementations.size(), peers.size()) << text;
  }
}

TEST(PeerTest, OtherWorkloadsHaveNoOtherLayout) {
  for (const char* text :
       {"matmul(m=5,n=7,k=11)", "norm(n=7,m=9)", "softmax(n=5,m=37)", "tbs(l=9,heads=3,size=8)"}) {
    for (const auto& peer : MakePeers(*ProblemOf(*ParseSpec(text)), 1, PeerNames())) {
      EXPECT_TRUE(peer->is_plain()) << text << " " << peer->detail();
    }
  }
}

TEST(PeerTest, DoublesGoToOpenblasAlone) {
  for (const char* text : {"matmul(b=2,m=5,n=7,k=11,dtype=f64)", "norm(b=2,n=70,m=90,dtype=f64)"}) {
    const PeerProblem problem = *ProblemOf(*ParseSpec(text));
    for (const int cores : {1, 2}) {
      for (const auto& peer : MakePeers(problem, cores, PeerNames())) {
        EXPECT_EQ(peer->name(), "openblas");
      }
      ExpectRight<double>(problem, cores, 1e-12);
    }
  }
}

TEST(PeerTest, IntegersHaveNone) {
  EXPECT_TRUE(
      MakePeers(*ProblemOf(*ParseSpec("matmul(m=5,n=7,k=11,dtype=i32)")), 1, PeerNames()).empty());
}

TEST(PeerTest, AReferenceNeverCounts) {
  for (const auto& peer :
       MakePeers(*ProblemOf(*ParseSpec("conv2d(h=5,w=5,ci=3,co=5,k=3)")), 1, {"onednn"})) {
    EXPECT_THAT(peer->detail(), Not(HasSubstr("ref")));
  }
}

TEST(PeerTest, OnlyTheNamedLibraries) {
  const PeerProblem problem = *ProblemOf(*ParseSpec("matmul(m=5,n=7,k=11)"));
  const auto peers = MakePeers(problem, 1, {"onednn"});
  ASSERT_EQ(peers.size(), 1);
  EXPECT_EQ(peers[0]->name(), "onednn");
}

TEST(PeerTest, UnknownNameSaysWhichExist) {
  try {
    MakePeers(*ProblemOf(*ParseSpec("matmul(m=5,n=7,k=11)")), 1, {"onedn"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("openblas"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'onednn'"));
  }
}

}  // namespace
}  // namespace schedulegym
