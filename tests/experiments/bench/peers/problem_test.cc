#include "experiments/bench/peers/peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using ::testing::ElementsAre;

PeerProblem Problem(const char* text) { return *ProblemOf(*ParseSpec(text)); }
Convolution ConvolutionOf(const char* text) { return std::get<Convolution>(Problem(text).shape); }

TEST(ProblemTest, MatrixProductHasNoBatchByDefault) {
  const PeerProblem problem = Problem("matmul(m=2,n=3,k=5)");
  const auto& shape = std::get<MatrixProduct>(problem.shape);
  EXPECT_EQ(shape.batch, 1);
  EXPECT_EQ(shape.rows, 2);
  EXPECT_EQ(shape.columns, 3);
  EXPECT_EQ(shape.depth, 5);
  EXPECT_THAT(problem.input_elements, ElementsAre(10, 15));
  EXPECT_EQ(problem.output_elements, 6);
  EXPECT_EQ(problem.type, DType::kF32);
}

TEST(ProblemTest, TypeIsAWordOrAString) {
  EXPECT_EQ(Problem("matmul(m=2,n=3,k=5,dtype=f64)").type, DType::kF64);
  EXPECT_EQ(Problem("matmul(m=2,n=3,k=5,dtype=\"i8\")").type, DType::kI8);
}

TEST(ProblemTest, ConvolutionOfEveryRank) {
  EXPECT_THAT(ConvolutionOf("conv1d(l=8,ci=4,co=6,k=3,s=2,p=1)").OutputSize(), ElementsAre(4));
  EXPECT_THAT(ConvolutionOf("conv2d(h=8,w=5,ci=4,co=6,k=3,dilation=2)").OutputSize(),
              ElementsAre(4, 1));
  const PeerProblem cube = Problem("conv3d(n=2,d=4,h=5,w=6,ci=3,co=7,k=2)");
  EXPECT_THAT(std::get<Convolution>(cube.shape).OutputSize(), ElementsAre(3, 4, 5));
  EXPECT_THAT(cube.input_elements, ElementsAre(2 * 4 * 5 * 6 * 3, 8 * 3 * 7));
  EXPECT_EQ(cube.output_elements, 2 * 3 * 4 * 5 * 7);
}

TEST(ProblemTest, DepthwiseHasAGroupForEachChannel) {
  const PeerProblem problem = Problem("depthwise(h=5,w=5,c=6,k=3,p=1)");
  EXPECT_EQ(std::get<Convolution>(problem.shape).groups, 6);
  EXPECT_THAT(problem.input_elements, ElementsAre(150, 54));
  EXPECT_EQ(problem.output_elements, 150);
}

TEST(ProblemTest, GroupsShareTheInputChannels) {
  EXPECT_THAT(Problem("conv2d(h=3,w=3,ci=8,co=4,k=1,groups=2)").input_elements,
              ElementsAre(72, 16));
}

TEST(ProblemTest, TransposedConvolutionGrows) {
  const Convolution shape = ConvolutionOf("conv2d_transpose(h=4,w=3,ci=2,co=5,k=4,s=2,p=1)");
  EXPECT_TRUE(shape.transposed);
  EXPECT_THAT(shape.OutputSize(), ElementsAre(8, 6));
}

TEST(ProblemTest, CapsulesHoldSixteenValues) {
  const PeerProblem problem = Problem("capsule(h=4,w=4,ci=2,co=3,k=3,s=2,p=1)");
  EXPECT_THAT(problem.input_elements, ElementsAre(16 * 2 * 16, 9 * 6 * 16));
  EXPECT_EQ(problem.output_elements, 4 * 3 * 16);
}

TEST(ProblemTest, EpilogueAddsThreeInputs) {
  EXPECT_THAT(Problem("conv_layer(h=2,w=2,ci=3,co=5,k=1)").input_elements,
              ElementsAre(12, 15, 5, 5, 5));
}

TEST(ProblemTest, RowsAndHeads) {
  EXPECT_EQ(std::get<RowNorm>(Problem("norm(b=3,n=4,m=5)").shape).elements, 20);
  EXPECT_EQ(Problem("norm(b=3,n=4,m=5)").output_elements, 3);
  EXPECT_EQ(Problem("softmax(n=4,m=5)").output_elements, 20);
  const PeerProblem scores = Problem("tbs(n=2,l=3,heads=4,size=5)");
  EXPECT_THAT(scores.input_elements, ElementsAre(120, 120));
  EXPECT_EQ(scores.output_elements, 2 * 4 * 3 * 3);
}

TEST(ProblemTest, NoLibraryOffersTheRest) {
  EXPECT_FALSE(ProblemOf(*ParseSpec("attention(heads=2,t=8,d=4)")).has_value());
  EXPECT_FALSE(ProblemOf(*ParseSpec("file.dag(n=3)")).has_value());
}

TEST(ProblemTest, NetworksConvolutionsHaveAnEpilogueAndItsOperands) {
  const PeerProblem sum = Problem("conv2d_add_relu(h=4,w=4,ci=2,co=3,k=1,s=1,p=0)");
  EXPECT_EQ(std::get<Convolution>(sum.shape).epilogue,
            (Epilogue{.bias = true, .residual = true, .activation = FusedActivation::kRelu}));
  EXPECT_THAT(sum.input_elements, ElementsAre(32, 6, 3, 48));
  EXPECT_EQ(ConvolutionOf("depthwise_relu6(h=4,w=4,c=6)").groups, 6);
  EXPECT_EQ(ConvolutionOf("conv2d_transpose_tanh()").epilogue,
            (Epilogue{.activation = FusedActivation::kTanh}));
  EXPECT_EQ(ConvolutionOf("conv2d_relu").channels_in, 64) << "as its file has it";
}

TEST(ProblemTest, AKernelThatIsNoCubeHasNoPeer) {
  EXPECT_TRUE(ProblemOf(*ParseSpec("conv3d_bias(kd=1,k=1,sd=2,s=2,pd=0,p=0)")).has_value());
  EXPECT_FALSE(ProblemOf(*ParseSpec("conv3d_relu(kd=3,k=7)")).has_value());
}

TEST(ProblemTest, LinearLayersHaveABiasAtLeast) {
  const PeerProblem problem = Problem("linear_add(m=2,n=3,k=5)");
  EXPECT_TRUE(std::get<LinearLayer>(problem.shape).epilogue.residual);
  EXPECT_THAT(problem.input_elements, ElementsAre(10, 15, 3, 6));
  EXPECT_EQ(std::get<LinearLayer>(Problem("linear_gelu").shape).epilogue.activation,
            FusedActivation::kGelu);
}

TEST(ProblemTest, PoolingIsOfWindowsOrOfAll) {
  const PeerProblem windows = Problem("max_pool2d(h=7,w=6,c=4,k=3,s=2,p=1)");
  EXPECT_THAT(std::get<Pooling>(windows.shape).OutputSize(), ElementsAre(4, 3));
  EXPECT_EQ(windows.output_elements, 48);
  const PeerProblem all = Problem("average_pool3d(d=2,h=3,w=4,c=8)");
  EXPECT_THAT(std::get<Pooling>(all.shape).OutputSize(), ElementsAre(1, 1, 1));
  EXPECT_THAT(all.input_elements, ElementsAre(192));
}

}  // namespace
}  // namespace schedulegym
