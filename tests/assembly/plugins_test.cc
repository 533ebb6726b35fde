#include "assembly/plugins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "env/base/fault.h"
#include "env/program/targets/host.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string PluginNamed(const std::string& name) {
  return std::string(SG_PLUGINS) + "/" + name + ".so";
}

class PluginsTest : public testing::Test {
 protected:
  PluginsTest() { setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1); }
  ~PluginsTest() override { unsetenv("SCHEDULEGYM_AGENT"); }

  std::string RefusalOf(const std::vector<std::string>& files) {
    const size_t before = catalog_.agents.lines().size();
    try {
      AddPlugins(files, catalog_);
      return "";
    } catch (const InputError& fault) {
      EXPECT_EQ(catalog_.agents.lines().size(), before) << "nothing is half there";
      EXPECT_THAT(fault.what(), Not(HasSubstr("\n")));
      return fault.what();
    }
  }

  // Made by the catalog, as in a search.
  std::unique_ptr<Agent> Make(HostedRunParts& run) {
    return catalog_.agents.Find(run.setup().agent)(run.Context());
  }

  Catalog catalog_ = BuiltinCatalog();
};

TEST_F(PluginsTest, ItsAgentsAreListedWithoutBeingMade) {
  AddPlugins({PluginNamed("several")}, catalog_);
  const std::vector<CatalogLine> lines = catalog_.agents.lines();
  const CatalogLine& refuses = lines.at(lines.size() - 2);
  EXPECT_EQ(refuses.name, "refuses");
  EXPECT_EQ(refuses.parameters, "count=1");
  EXPECT_EQ(refuses.description, "takes no count but 1");
}

TEST_F(PluginsTest, ItsAgentsProposeAndChanceIsTheSearchs) {
  AddPlugins({PluginNamed("several")}, catalog_);
  std::vector<Key> keys;
  for (int i = 0; i < 2; ++i) {
    HostedRunParts run("draws");
    const std::unique_ptr<Agent> agent = Make(run);
    agent->Propose(1, 4);
    keys.push_back(agent->Propose(0, 4).at(0).key);
  }
  EXPECT_EQ(keys[0], keys[1]);
}

// Its exceptions are reported as its own, including those of its memory.
TEST_F(PluginsTest, WhatItsAgentsLearnOutlivesThem) {
  AddPlugins({PluginNamed("several")}, catalog_);
  HostedRunParts run("counts");
  const std::unique_ptr<Agent> first = Make(run), second = Make(run);
  ASSERT_NE(first->memory(), nullptr);
  EXPECT_EQ(first->memory()->Kind(), "count 1");
  EXPECT_EQ(first->memory()->Save(), std::nullopt);
  second->memory()->Load("17");
  EXPECT_EQ(second->memory()->Save(), "17");
  try {
    second->memory()->Load("");
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("agent counts: Load threw: no count"));
  }
  EXPECT_EQ(second->memory()->Save(), "17");
}

TEST_F(PluginsTest, OneThatCrashesEndsWithoutHarm) {
  AddPlugins({PluginNamed("several")}, catalog_);
  HostedRunParts run("crashes");
  const std::unique_ptr<Agent> agent = Make(run);
  EXPECT_EQ(agent->Propose(0, 1).size(), 1U);
  try {
    agent->Propose(0, 1);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_EQ(fault.what(), "plugin " + PluginNamed("several") + ": agent crashes ended: SIGSEGV");
  }
}

TEST_F(PluginsTest, WhatIsNoneIsRefused) {
  EXPECT_THAT(RefusalOf({"missing.so"}), HasSubstr("found no file 'missing.so'"));
  EXPECT_THAT(RefusalOf({testing::TempDir()}), HasSubstr("found no file"));
  EXPECT_THAT(RefusalOf({PluginNamed("several"), SG_SOURCE_DIR "/README.md"}),
              HasSubstr("cannot be opened"));
  EXPECT_THAT(RefusalOf({PluginNamed("odd_kThrows")}), HasSubstr("not today"));
  EXPECT_THAT(RefusalOf({PluginNamed("odd_kCrashes")}),
              AllOf(StartsWith("plugin "), HasSubstr("odd_kCrashes.so ended: SIGSEGV")));
}

TEST_F(PluginsTest, NoNameStandsTwice) {
  EXPECT_THAT(RefusalOf({PluginNamed("odd_kTakenName")}), HasSubstr("'random' exists already"));
  EXPECT_THAT(RefusalOf({PluginNamed("several"), PluginNamed("several")}),
              HasSubstr("'draws' exists already"));
}

// The limit leaves memory for other processes.
TEST_F(PluginsTest, MemoryWithoutEndIsNotGiven) {
  const std::string refusal = RefusalOf({PluginNamed("odd_kEats")});
  int64_t gibibytes = -1;
  ASSERT_EQ(std::sscanf(refusal.substr(refusal.find("had ")).c_str(), "had %ld GiB", &gibibytes),
            1);
  EXPECT_LE(gibibytes, (ReadHost().memory_bytes / 2) >> 30) << refusal;
}

TEST_F(PluginsTest, OneThatNeverComesBackIsEnded) {
  try {
    LinesOfPlugin({"plugin", /*is_ours=*/false, {PluginNamed("odd_kHangs")}},
                  HostedRunParts::Host(), SecondsClock());
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "plugin said nothing for 30.0 seconds");
  }
}

TEST_F(PluginsTest, AMakerThatGivesNoneIsToldInOneLine) {
  AddPlugins({PluginNamed("several")}, catalog_);
  HostedRunParts run("is_none");
  try {
    Make(run);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("several.so: agent is_none: its maker gave none"));
    EXPECT_THAT(fault.what(), Not(HasSubstr("\n")));
  }
}

// The name is resolved in the working directory, not among the system's libraries.
TEST_F(PluginsTest, ANameWithoutAFolderIsAFileHere) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(SG_PLUGINS);
  EXPECT_EQ(RefusalOf({"several.so"}), "");
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace schedulegym
