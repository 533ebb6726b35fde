#include "assembly/confinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <filesystem>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Runs a shell script in place of an agent.
class ConfinementTest : public testing::Test {
 protected:
  void SetUp() override {
    if (LandlockVersion() == 0) GTEST_SKIP() << "this kernel has no Landlock";
    if (std::string(SG_CONFINED).empty()) GTEST_SKIP() << "this build confines nothing";
    setenv("SCHEDULEGYM_CONFINED", SG_CONFINED, 1);
  }

  ConfinedProcess Start(const std::string& script) {
    return StartConfined({"the shell"}, {"/bin/sh", "-c", script}, confinement_);
  }
  std::string EndOf(const std::string& script) { return Start(script).process->ExitReason(); }

  Confinement confinement_;
};

TEST_F(ConfinementTest, ItsEnvironmentIsItsOwn) {
  setenv("OUR_SECRET", "secret", 1);
  setenv("LC_ALL", "C", 1);
  confinement_.variables = {"GIVEN=word"};
  const std::string end = EndOf("echo \"$OUR_SECRET-$GIVEN-$PYTHONHASHSEED-$LC_ALL\" >&2; exit 7");
  EXPECT_EQ(end, "exit 7, saying: -word-0-C\n");
}

TEST_F(ConfinementTest, ItsFolderEndsWithIt) {
  std::string folder;
  {
    ConfinedProcess made = Start("cd \"$HOME\" && echo text > file && echo \"$TMPDIR\" >&2");
    ASSERT_TRUE(made.process->WaitForEnd(20));
    folder = made.process->StderrTail();
    folder.pop_back();
    EXPECT_TRUE(std::filesystem::exists(folder + "/file")) << folder;
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(ConfinementTest, WhoItIs) {
  confinement_.answer_seconds = 7;
  confinement_.loading_seconds = 70;
  const ConfinedProcess made = Start("read x");
  EXPECT_EQ(made.side.name, "the shell");
  EXPECT_TRUE(made.side.rests);
  EXPECT_EQ(made.side.patience, 7);
  EXPECT_EQ(made.side.loading, 70);
  EXPECT_EQ(made.side.excess(made.process->pid()), "");
}

// Regardless of its number of threads.
TEST_F(ConfinementTest, ItsCoresAreThoseOfWhoStartsIt) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::string end = EndOf(
      "while read -r key value; do [ \"$key\" = Cpus_allowed_list: ] && echo \"$value\" >&2; done "
      "< /proc/self/status; exit 7");
  const std::string wider = "0-" + std::to_string(first + 1);
  const ConfinedProcess asking =
      StartConfined({"taskset"}, {"/usr/bin/taskset", "-c", wider, "/bin/true"}, confinement_);
  ASSERT_TRUE(asking.process->WaitForEnd(20));
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(end, "exit 7, saying: " + std::to_string(first) + "\n");
  EXPECT_THAT(asking.process->StderrTail(), HasSubstr("Operation not permitted"));
}

TEST_F(ConfinementTest, WithoutTheProgramNothingStarts) {
  setenv("SCHEDULEGYM_CONFINED", "/nowhere/schedulegym-confined", 1);
  EXPECT_THROW(Start("exit 0"), MachineError);
}

TEST_F(ConfinementTest, AgentsInPythonAreMadeAnew) {
  Catalog catalog = BuiltinCatalog();
  const size_t count = catalog.agents.lines().size();
  ConfineAgents(std::make_shared<const Confinement>(confinement_), catalog);
  EXPECT_EQ(catalog.agents.lines().size(), count);
  setenv("SCHEDULEGYM_PYTHON", "/nowhere/python", 1);
  const AgentSetup setup = {.agent = {"python", {{"module", "a"}, {"class", "A"}}}};
  const auto space = catalog.spaces.Find({"ansor", {}})({"ansor", {}});
  const SteadyClock clock;
  const AgentMaker maker({}, {});
  const AgentContext context = {
      .setup = setup, .space = *space, .rng = Rng(1), .maker = maker, .clock = clock};
  EXPECT_NO_THROW(catalog.agents.Find(setup.agent)(context)) << "without tasks nothing is asked";
  unsetenv("SCHEDULEGYM_PYTHON");
}

TEST_F(ConfinementTest, CommandsBeginInTheirFolderWithoutAShell) {
  confinement_.folder = testing::TempDir();
  const ConfinedProcess made =
      StartConfinedCommand({"the shell"}, {"/bin/sh", "-c", "pwd -P >&2; /bin/true"}, confinement_);
  ASSERT_TRUE(made.process->WaitForEnd(20));
  EXPECT_THAT(made.process->StderrTail(),
              HasSubstr(std::filesystem::canonical(testing::TempDir()).string()));
  EXPECT_THAT(made.process->StderrTail(), HasSubstr("Cannot fork"));
}

TEST_F(ConfinementTest, BuildersStartPrograms) {
  const std::vector<std::string> words =
      WordsOfBuilder({"/bin/sh", "-c", "/bin/echo begun >&2; read x < /proc/1/stat"}, confinement_);
  WorkerProcess builder(words[0], words, {"PATH=/bin"});
  ASSERT_TRUE(builder.WaitForEnd(20));
  EXPECT_THAT(builder.StderrTail(), HasSubstr("begun"));
  EXPECT_THAT(builder.StderrTail(), HasSubstr("Permission denied"));
}

TEST_F(ConfinementTest, WhatIsTheShellsIsRefusedInCommands) {
  Catalog catalog = BuiltinCatalog();
  ConfineAgents(std::make_shared<const Confinement>(confinement_), catalog);
  const AgentSetup setup = {.agent = {"process", {{"command", "true | true"}}}};
  const auto space = catalog.spaces.Find({"ansor", {}})({"ansor", {}});
  const SteadyClock clock;
  const AgentMaker maker({}, {});
  const AgentContext context = {
      .setup = setup, .space = *space, .rng = Rng(1), .maker = maker, .clock = clock};
  EXPECT_THROW(catalog.agents.Find(setup.agent)(context), InputError);
}

}  // namespace
}  // namespace schedulegym
