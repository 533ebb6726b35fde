#include "env/program/workloads/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

std::string NetworkTextFault(const std::string& text) {
  return InputFaultOf([&] { ParseNetwork(text, "n.net", ""); });
}

TEST(NetworkTest, ReadsCountsAndWorkloads) {
  const auto network = ParseNetwork(
      "# two layers\n  #\n  3 matmul(m=1, n=2,k=3) # often\n1\tsub/a.dag(n=4)\n2 /abs/b c.dag\r\n",
      "n.net", "models");
  ASSERT_EQ(network.size(), 3u);
  EXPECT_EQ(network[0].count, 3);
  EXPECT_EQ(network[0].line, 3);
  EXPECT_EQ(network[0].workload.ToText(), "matmul(m=1,n=2,k=3)");
  EXPECT_EQ(network[1].workload.ToText(), "models/sub/a.dag(n=4)");
  EXPECT_EQ(network[2].workload.name, "/abs/b c.dag");
}

TEST(NetworkTest, NamesThePlaceOfAFault) {
  EXPECT_EQ(NetworkTextFault(""), "n.net:1:1: the network is empty, expected 'COUNT WORKLOAD'");
  EXPECT_EQ(NetworkTextFault("1 a\n#\n  x b"),
            "n.net:3:3: found 'x', expected a count of at least 1");
  EXPECT_EQ(NetworkTextFault("1 a\n \n2 b"),
            "n.net:2:1: found an empty line, expected 'COUNT WORKLOAD' or a # comment");
  EXPECT_EQ(NetworkTextFault("0 a"), "n.net:1:1: found '0', expected a count of at least 1");
  EXPECT_EQ(NetworkTextFault("12 # none"),
            "n.net:1:3: found the end of the line, expected a workload");
  EXPECT_THAT(NetworkTextFault("2 a(b"), HasSubstr("n.net:1:3: spec 'a(b'"));
}

TEST(NetworkTest, CalculatesWithParameters) {
  const std::string text =
      "param n = 1 # images\nparam layers=12\nlayers matmul(b=12 * n,m=n,n=8,k=4)\n"
      "2 a.dag(rows=n*8)\n";
  const auto network = ParseNetwork(text, "n.net", "");
  ASSERT_EQ(network.size(), 2u);
  EXPECT_EQ(network[0].count, 12);
  EXPECT_EQ(network[0].workload.ToText(), "matmul(b=12,m=1,n=8,k=4)");
  const auto larger = ParseNetwork(text, "n.net", "", {{"n", 16}, {"layers", 3}});
  EXPECT_EQ(larger[0].count, 3);
  EXPECT_EQ(larger[0].workload.ToText(), "matmul(b=192,m=16,n=8,k=4)");
  EXPECT_EQ(larger[1].workload.ToText(), "a.dag(rows=128)");
}

TEST(NetworkTest, NamesTheFaultOfAParameter) {
  EXPECT_EQ(NetworkTextFault("param n = 0\n1 a"),
            "n.net:1:6: parameter 'n' is 0, expected 1 to 1000000000");
  EXPECT_EQ(NetworkTextFault("param 2n = 1\n1 a"),
            "n.net:1:6: found 'param 2n = 1', expected 'param NAME = INTEGER'");
  EXPECT_EQ(NetworkTextFault("param n = x"),
            "n.net:1:6: found 'param n = x', expected 'param NAME = INTEGER'");
  EXPECT_EQ(NetworkTextFault("param n = 1\nparam n = 2\n"),
            "n.net:2:6: parameter 'n' is defined twice");
  EXPECT_EQ(NetworkTextFault("1 a(m=n)\nparam n = 2\n"),
            "n.net:1:3: key 'm': unknown parameter 'n': expected none");
  EXPECT_EQ(NetworkTextFault("param n = 7\n\t1 a(m=n / 2)\n"),
            "n.net:2:4: key 'm': found 'n / 2', which divides 7 by 2, expected a divisor of it");
  EXPECT_EQ(NetworkTextFault("param n = 1"),
            "n.net:1:1: the network is empty, expected 'COUNT WORKLOAD'");
  EXPECT_THROW(ParseNetwork("1 a", "n.net", "", {{"n", 2}}), InputError);
}

TEST(NetworkTest, KnowsNamesAndPaths) {
  EXPECT_TRUE(IsNetwork("resnet50"));
  EXPECT_TRUE(IsNetwork("resnet50(n=16)"));
  EXPECT_TRUE(IsNetwork("a b.net"));
  EXPECT_TRUE(IsNetwork("a.net(n=2)"));
  EXPECT_FALSE(IsNetwork("resnet"));
  EXPECT_FALSE(IsNetwork("conv2d_relu(h=1)"));
}

TEST(NetworkTest, HasLimits) {
  EXPECT_EQ(NetworkTextFault("1000000001 a"),
            "n.net:1:1: found '1000000001', expected a count of at least 1 and at most 1000000000");
  std::string most;
  for (int i = 0; i < 1024; ++i) most += "1 a\n";
  EXPECT_EQ(NetworkTextFault(most), "");
  EXPECT_EQ(NetworkTextFault(most + "1 a\n"),
            "n.net:1025:1: found more than 1024 workloads, expected at most 1024");
}

TEST(NetworkTest, ReadsFiles) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "network_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.net") << "2 x.dag\n";
  const auto network = ReadNetwork((folder / "a.net").string());
  EXPECT_EQ(network[0].workload.name, (folder / "x.dag").string());
  std::ofstream(folder / "b.net") << "param n = 1\n2 x.dag(m=n)\n";
  const auto larger = ReadNetwork((folder / "b.net").string() + "(n=3)");
  EXPECT_EQ(larger[0].workload.ToText(), (folder / "x.dag").string() + "(m=3)");
  std::filesystem::remove_all(folder);
  EXPECT_THROW(ReadNetwork((folder / "a.net").string()), InputError);
}

}  // namespace
}  // namespace schedulegym
