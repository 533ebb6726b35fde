#include "assembly/host/plugin_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "env/base/fault.h"
#include "tests/assembly/host/sealed_file.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string Odd(const std::string& name) { return std::string(SG_PLUGINS) + "/" + name + ".so"; }
std::string Several() { return Odd("several"); }

std::vector<std::string> NamesOf(const std::vector<CatalogLine>& lines) {
  std::vector<std::string> names;
  for (const CatalogLine& line : lines) names.push_back(line.name);
  return names;
}

std::string RefusalOf(const std::string& file) {
  AgentRegistry agents = BuiltinAgents();
  const std::vector<std::string> before = agents.names();
  try {
    AddPlugin(file, agents);
    return "";
  } catch (const InputError& fault) {
    EXPECT_EQ(agents.names(), before) << "nothing is half there";
    EXPECT_THAT(fault.what(), AllOf(StartsWith("plugin " + file + ": "), Not(HasSubstr("\n"))));
    return fault.what();
  }
}

// The error for the good plugin with another ABI tag, in a file called `name`: an open library is
// not read again.
std::string RefusalWith(const std::string& name, const std::function<void(PluginAbiTag&)>& change) {
  SealedFile file(Several(), AbiTagOfThisBuild());
  file.Change(change);
  const std::string copy = testing::TempDir() + name + ".so";
  file.Write(copy);
  return RefusalOf(copy);
}

TEST(PluginLoaderTest, AddsItsAgents) {
  AgentRegistry agents = BuiltinAgents();
  const size_t before = agents.size();
  const std::vector<CatalogLine> added = AddPlugin(Several(), agents);
  EXPECT_THAT(NamesOf(added), ElementsAre("draws", "throws", "throws_number", "crashes", "is_none",
                                          "refuses", "counts"));
  EXPECT_EQ(agents.size(), before + added.size());
  const AgentEntry& refuses = agents.At("refuses");
  EXPECT_EQ(refuses.parameters, "count=1");
  EXPECT_EQ(refuses.description, "takes no count but 1");
}

TEST(PluginLoaderTest, AnotherBuildIsRefusedWithWhatDiffers) {
  EXPECT_THAT(RefusalWith("other_number", [](PluginAbiTag& abi_tag) { abi_tag.api = 9; }),
              HasSubstr("API number: found '9', expected '1'; build it again"));
  EXPECT_THAT(RefusalWith("other_size", [](PluginAbiTag& abi_tag) { abi_tag.size = 8; }),
              HasSubstr("size of its ABI tag: found '8'"));
  EXPECT_THAT(RefusalWith("other_sizes", [](PluginAbiTag& abi_tag) { abi_tag.structs[5] += 8; }),
              HasSubstr("sizes of structs: found "));
  EXPECT_THAT(RefusalWith("other_headers", [](PluginAbiTag& abi_tag) { abi_tag.headers[0] = 'x'; }),
              HasSubstr("public headers: found 'x"));
  EXPECT_THAT(RefusalWith("other_build", [](PluginAbiTag& abi_tag) { abi_tag.build[0] = 'X'; }),
              HasSubstr("build: found 'X"));
}

// Opening it would run its initialisers.
TEST(PluginLoaderTest, AnotherBuildIsNotEvenOpened) {
  constexpr const char* kTrace = "SG_PLUGIN_HAS_RUN";
  unsetenv(kTrace);
  SealedFile file(Odd("odd_kInitialises"), AbiTagOfThisBuild());
  file.Change([](PluginAbiTag& abi_tag) { abi_tag.headers[0] = 'x'; });
  const std::string copy = testing::TempDir() + "initialises.so";
  file.Write(copy);
  EXPECT_THAT(RefusalOf(copy), HasSubstr("public headers: found 'x"));
  EXPECT_EQ(std::getenv(kTrace), nullptr);
  EXPECT_EQ(RefusalOf(Odd("odd_kInitialises")), "");
  EXPECT_STREQ(std::getenv(kTrace), "yes");
}

// Texts without a terminator are not read beyond their end.
TEST(PluginLoaderTest, AFullTextEnds) {
  EXPECT_THAT(RefusalWith("endless",
                          [](PluginAbiTag& abi_tag) {
                            for (char& one : abi_tag.build) one = 'y';
                          }),
              HasSubstr("build: found '" + std::string(sizeof(PluginAbiTag::build), 'y') + "'"));
}

TEST(PluginLoaderTest, WhatIsNoPluginIsRefused) {
  EXPECT_THAT(RefusalOf("/nowhere/agent.so"), HasSubstr("cannot be opened"));
  EXPECT_THAT(RefusalOf(SG_SOURCE_DIR "/README.md"), HasSubstr("cannot be opened"));
  EXPECT_THAT(RefusalOf(SG_SHARED_LIBRARY), HasSubstr("found no 'schedulegym_plugin_seal'"));
  for (const char* name : {"schedulegym_plugin_create", "schedulegym_plugin_release"}) {
    SealedFile file(Several(), AbiTagOfThisBuild());
    std::string other = name;
    other.back() = '_';
    file.Replace(name, other);
    const std::string copy = testing::TempDir() + "without_" + name + ".so";
    file.Write(copy);
    EXPECT_THAT(RefusalOf(copy), HasSubstr("found no '" + std::string(name) + "'"));
  }
}

TEST(PluginLoaderTest, WhatGoesWrongWhileItIsAskedAddsNothing) {
  EXPECT_THAT(RefusalOf(Odd("odd_kThrows")), HasSubstr("create threw: not today"));
  EXPECT_THAT(RefusalOf(Odd("odd_kTakenName")), HasSubstr("agent 'random' exists already"));
  EXPECT_THAT(RefusalOf(Odd("odd_kNoMaker")), HasSubstr("agent 'second' has no maker"));
  EXPECT_THAT(RefusalOf(Odd("odd_kBadName")), HasSubstr("agent 'a name(b=1)': expected a name"));
  EXPECT_THAT(RefusalOf(Odd("odd_kEmpty")), HasSubstr("found no agent"));
}

TEST(PluginLoaderTest, TheSecondTimeItsNamesAreTaken) {
  AgentRegistry agents("agent");
  AddPlugin(Several(), agents);
  EXPECT_THROW(AddPlugin(Several(), agents), InputError);
  EXPECT_EQ(agents.size(), 7U);
}

// An agent of the good plugin, made in this process.
class Guest {
 public:
  explicit Guest(const std::string& agent) : run_(agent) {
    AddPlugin(Several(), agents_);
    maker_ = std::make_unique<AgentMaker>(agents_);
    agent_ = maker_->Make(run_.Context());
  }
  Agent& agent() { return *agent_; }

  std::string SecondTurn() {
    EXPECT_EQ(agent_->Propose(0, 1).size(), 1U);
    try {
      agent_->Propose(0, 1);
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  }

 private:
  HostedRunParts run_;
  AgentRegistry agents_{"agent"};
  std::unique_ptr<AgentMaker> maker_;
  std::unique_ptr<Agent> agent_;
};

TEST(PluginLoaderTest, WhatItsAgentsThrowIsTheirFault) {
  EXPECT_EQ(Guest("draws").SecondTurn(), "");
  EXPECT_EQ(Guest("throws").SecondTurn(),
            "plugin " + Several() + ": agent throws: Propose threw: beyond the end");
  EXPECT_THAT(Guest("throws_number").SecondTurn(),
              HasSubstr("agent throws_number: Propose threw what is no std::exception"));
  EXPECT_THROW(Guest("is_none"), InputError);
  EXPECT_THROW(Guest("refuses(count=2)"), InputError);
  EXPECT_THROW(Guest("refuses(cuont=1)"), InputError);
  EXPECT_NO_THROW(Guest("refuses(count=1)"));
}

}  // namespace
}  // namespace schedulegym
