// The built-in networks, compared with published totals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/program/analysis.h"
#include "env/program/workloads/builtin_files.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/task_list.h"
#include "env/program/workloads/workload.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

Target LargeTarget() {
  Target target;
  target.memory_bytes = int64_t{64} << 30;
  return target;
}

bool IsFactor(const Expr& expr) { return expr->op == Op::kRead || expr->op == Op::kSelect; }

// Multiplications of products that are summed, as publications count them.
double ProductsOf(const ComputeDag& dag) {
  double products = 0;
  for (int id = 0; id < dag.size(); ++id) {
    const Tensor& tensor = dag.tensor(id);
    if (tensor.combiner != Combiner::kSum || tensor.body->op != Op::kMultiply) continue;
    if (!IsFactor(tensor.body->args[0]) || !IsFactor(tensor.body->args[1])) continue;
    products += CountFlops(dag, id) / 2;
  }
  return products;
}

int64_t WeightsOf(const ComputeDag& dag) {
  int64_t weights = 0;
  for (const Tensor& tensor : dag.tensors()) {
    if (tensor.kind == TensorKind::kWeight) weights += tensor.NumElements();
  }
  return weights;
}

struct Totals {
  double products = 0, flops = 0;
  int64_t weights = 0;
};

Totals TotalsOf(const std::string& word) {
  Totals totals;
  for (const CountedTask& each : LoadTasks({word}, LargeTarget()).tasks) {
    const double count = static_cast<double>(each.count);
    totals.products += count * ProductsOf(each.task->dag);
    totals.flops += count * CountFlops(each.task->dag);
    totals.weights += each.count * WeightsOf(each.task->dag);
  }
  return totals;
}

struct Published {
  const char* name;
  double products;     // multiplications
  double tolerance;    // half of the last published digit
  int64_t parameters;  // all parameters
  int64_t others;      // of these: two for each channel of a batch normalisation, and biases
};

// Sources of the products. torchvision: its documentation, where they are called GFLOPS. BERT: half
// of TinyBERT's table 1. GPT-2's block: a product for each weight and token, and 2 x 128 x 768 for
// each token's attention. DCGAN: pairs of input and kernel that meet the output, 100 x 8192, then
// by axis 14, 30, 62 and 126, each squared, times the channels.
constexpr Published kPublished[] = {
    {"resnet18", 1.81e9, 0.005e9, 11'689'512, 2 * 4'800 + 1'000},
    {"resnet50", 4.09e9, 0.005e9, 25'557'032, 2 * 26'560 + 1'000},
    {"mobilenet_v2", 0.30e9, 0.005e9, 3'504'872, 2 * 17'056 + 1'000},
    {"vgg16", 15.47e9, 0.005e9, 138'357'544, 4'224 + 9'192},
    {"squeezenet", 0.35e9, 0.005e9, 1'235'496, 3'944},
    {"resnet3d18", 40.697e9, 0.0005e9, 33'371'472, 2 * 4'800 + 400},
    {"bert_base", 22.5e9 / 2, 0.2e9 / 2, 85'054'464, int64_t{12} * 9'984},
    {"gpt2_block", 7'077'888.0 * 128 + 2.0 * 128 * 768 * 128, 0, 7'087'872, 9'984},
    {"dcgan",
     819'200.0 + 14 * 14 * 512 * 256.0 + 30 * 30 * 256 * 128.0 + 62 * 62 * 128 * 64.0 +
         126 * 126 * 64 * 3.0,
     0, 3'576'704, int64_t{2} * (512 + 256 + 128 + 64)},
};

TEST(BuiltinNetworksTest, HaveThePublishedTotals) {
  for (const Published& published : kPublished) {
    const Totals totals = TotalsOf(published.name);
    EXPECT_NEAR(totals.products, published.products, published.tolerance) << published.name;
    EXPECT_EQ(totals.weights, published.parameters - published.others) << published.name;
    // Other operations are biases, activations, pooling and normalisations.
    EXPECT_GT(totals.flops, 2 * totals.products) << published.name;
    EXPECT_LT(totals.flops, 2.08 * totals.products) << published.name;
  }
}

TEST(BuiltinNetworksTest, AreAllPublished) {
  std::set<std::string> names;
  for (const Published& published : kPublished) names.insert(published.name);
  for (const auto& entry : BuiltinNetworks()) {
    EXPECT_TRUE(names.contains(entry.name)) << entry.name;
    EXPECT_THAT(entry.parameters, testing::StartsWith("n=1")) << entry.name;
    EXPECT_FALSE(entry.description.empty()) << entry.name;
    EXPECT_FALSE(IsWorkload(entry.name)) << entry.name;
  }
  EXPECT_EQ(BuiltinNetworks().size(), std::size(kPublished));
}

TEST(BuiltinNetworksTest, GrowWithTheBatch) {
  for (const Published& published : kPublished) {
    const std::string name = published.name;
    const Totals one = TotalsOf(name), four = TotalsOf(name + "(n=4)");
    EXPECT_EQ(four.products, 4 * one.products) << name;
    EXPECT_EQ(four.weights, one.weights) << name;
  }
}

TEST(BuiltinNetworksTest, ShareTasks) {
  const TaskList list = LoadTasks({"resnet18", "resnet50(n=1)"}, LargeTarget());
  EXPECT_EQ(list.networks, (std::vector<std::string>{"resnet18", "resnet50(n=1)"}));
  EXPECT_TRUE(list.has_network);
  EXPECT_EQ(list.tasks[0].task->name, "conv2d_relu(n=1,h=224,w=224,ci=3,co=64,k=7,s=2,p=3)");
  EXPECT_EQ(list.tasks[0].counts, (std::vector<int64_t>{1, 1}));
  // Both networks have the second block's 3 x 3 convolution of each stage: one has it once, the
  // other in all blocks but the first of the stage.
  const auto shared = std::ranges::find_if(list.tasks, [](const CountedTask& each) {
    return each.task->name == "conv2d_relu(n=1,h=14,w=14,ci=256,co=256,k=3,s=1,p=1)";
  });
  ASSERT_NE(shared, list.tasks.end());
  EXPECT_EQ(shared->counts, (std::vector<int64_t>{1, 5}));
}

// Each fused convolution uses the kernel of the built-in operator.
TEST(BuiltinNetworksTest, ConvolveAsTheOperatorsDo) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"conv2d_bias", "conv2d"},
      {"conv2d_relu", "conv2d"},
      {"conv2d_relu6", "conv2d"},
      {"conv2d_add", "conv2d"},
      {"conv2d_add_relu", "conv2d"},
      {"depthwise_relu6", "depthwise"},
      {"conv3d_bias", "conv3d"},
      {"conv3d_relu", "conv3d"},
      {"conv3d_add_relu", "conv3d"},
      {"conv2d_transpose_relu", "conv2d_transpose"},
      {"conv2d_transpose_tanh", "conv2d_transpose"},
  };
  for (const auto& [fused, plain] : pairs) {
    const std::string channels = plain == "depthwise" ? "c=5" : "ci=3,co=5";
    const std::string depth = plain == "conv3d" ? "d=6," : "";
    std::string sizes = "(n=2,";
    sizes.append(depth).append("h=9,w=7,").append(channels).append(",k=3,s=2,p=1)");
    const std::string three = plain == "conv3d" ? ",kd=3,sd=2,pd=1)" : ")";
    std::string workload = fused;
    workload.append(sizes, 0, sizes.size() - 1).append(three);
    const ComputeDag dag = MakeWorkload(*ParseWorkload(workload));
    std::string text = MakeWorkload(*ParseWorkload(plain + sizes)).ToText();
    text.replace(text.find("\nY["), 3, "\nC[");
    const std::string kernel =
        text.substr(text.find(plain.ends_with("transpose") ? "\nC[" : "\nP["));
    EXPECT_THAT(dag.ToText(), testing::HasSubstr(kernel)) << fused;
  }
}

std::string NetworkFault(const std::string& word) {
  return InputFaultOf([&] { LoadTasks({word}, LargeTarget()); });
}

TEST(BuiltinNetworksTest, RefuseWhatTheyDoNotHave) {
  EXPECT_EQ(NetworkFault("resnet50(m=16)"), "resnet50.net:1:1: unknown parameter 'm': expected n");
  EXPECT_THAT(NetworkFault("resnet50(n=0)"),
              testing::HasSubstr("parameter 'n' is 0, expected 1 to"));
  EXPECT_EQ(NetworkFault("resnet50(n=x)"),
            "network 'resnet50': parameter 'n' is x, expected an integer");
  EXPECT_THAT(NetworkFault("resnet50(n=4"), testing::StartsWith("network 'resnet50(n=4': spec"));
  EXPECT_THAT(NetworkFault("resnet51"), testing::HasSubstr("unknown workload 'resnet51'"));
}

}  // namespace
}  // namespace schedulegym
