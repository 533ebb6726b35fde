#include "env/program/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

std::string FaultOf(const std::string& text) {
  try {
    ParseNetwork(text, "n.net", "");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
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
  EXPECT_EQ(FaultOf(""), "n.net:1:1: the network is empty, expected 'COUNT WORKLOAD'");
  EXPECT_EQ(FaultOf("1 a\n#\n  x b"), "n.net:3:3: found 'x', expected a count of at least 1");
  EXPECT_EQ(FaultOf("1 a\n \n2 b"),
            "n.net:2:1: found an empty line, expected 'COUNT WORKLOAD' or a # comment");
  EXPECT_EQ(FaultOf("0 a"), "n.net:1:1: found '0', expected a count of at least 1");
  EXPECT_EQ(FaultOf("12 # none"), "n.net:1:3: found the end of the line, expected a workload");
  EXPECT_THAT(FaultOf("2 a(b"), HasSubstr("n.net:1:3: spec 'a(b'"));
}

TEST(NetworkTest, HasLimits) {
  EXPECT_EQ(FaultOf("1000000001 a"),
            "n.net:1:1: found '1000000001', expected a count of at least 1 and at most 1000000000");
  std::string most;
  for (int i = 0; i < 4096; ++i) most += "1 a\n";
  EXPECT_EQ(FaultOf(most), "none");
  EXPECT_EQ(FaultOf(most + "1 a\n"),
            "n.net:4097:1: found more than 4096 workloads, expected at most 4096");
}

TEST(NetworkTest, ReadsFiles) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "network_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.net") << "2 x.dag\n";
  const auto network = ReadNetwork((folder / "a.net").string());
  EXPECT_EQ(network[0].workload.name, (folder / "x.dag").string());
  std::filesystem::remove_all(folder);
  EXPECT_THROW(ReadNetwork((folder / "a.net").string()), InputError);
}

}  // namespace
}  // namespace schedulegym
