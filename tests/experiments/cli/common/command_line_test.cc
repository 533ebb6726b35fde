#include "experiments/cli/common/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>

#include "env/base/fault.h"
#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// Takes words, an option and a flag, and runs the test's function.
class ProbeCommand : public Command {
 public:
  explicit ProbeCommand(std::function<int(ProbeCommand&, Session&)> run) : run_(std::move(run)) {}

  std::string name() const override { return "probe"; }
  std::string help() const override { return "does what a test says"; }
  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", words, "words");
    app.add_option("--trials", trials, "a number");
    app.add_option("-o", output, "a file")->type_name("FILE");
    app.add_option("--picture", picture, "a file")->type_name("FILE");
    app.add_option("--data", data, "a file that is read")->type_name("FILE");
    app.add_option("--agent", agent, "an agent")->type_name("SPEC");
    app.add_flag("--fast", fast, "a flag");
    app.add_flag("--quick", fast, "the old name of --fast")->group("");
  }
  int Run(Session& session) override { return run_(*this, session); }

  std::vector<std::string> words;
  std::string trials, output, picture, data, agent;
  bool fast = false;

 private:
  std::function<int(ProbeCommand&, Session&)> run_;
};

struct Outcome {
  int code;
  std::string out, err;
};

Outcome RunProbe(
    const std::vector<std::string>& words,
    std::function<int(ProbeCommand&, Session&)> run = [](ProbeCommand&, Session&) { return 0; }) {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<ProbeCommand>(std::move(run)));
  Captured out, err;
  const int code = RunCommandLine(words, commands, out.stream(), err.stream());
  return {code, out.Text(), err.Text()};
}

TEST(CommandLineTest, ASessionKnowsItsCommandLineAsAShellTakesIt) {
  RunProbe({"probe", "matmul(m=1,n=2)", "--json", "--quiet", "--trials", "3"},
           [](ProbeCommand&, Session& session) {
             EXPECT_EQ(session.CommandText(), "schedulegym probe 'matmul(m=1,n=2)' --trials 3");
             return 0;
           });
}

TEST(CommandLineTest, OptionsStandAnywhereAndValuesMayBeginWithADash) {
  const Outcome outcome = RunProbe(
      {"probe", "matmul(m=1,n=2)", "--trials", "-1", "a.dag", "-o", "-", "--fast", "--seed", "7"},
      [](ProbeCommand& probe, Session& session) {
        EXPECT_EQ(probe.words, (std::vector<std::string>{"matmul(m=1,n=2)", "a.dag"}));
        EXPECT_EQ(probe.trials, "-1");
        EXPECT_EQ(probe.output, "-");
        EXPECT_TRUE(probe.fast);
        EXPECT_EQ(session.seed(), 7u);
        EXPECT_EQ(session.store_path(), "schedulegym.db");
        return 1;
      });
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLineTest, BehindTwoDashesAllAreWords) {
  const auto outcome = RunProbe(
      {"probe", "--fast", "--", "-dash.dag", "--trials"}, [](ProbeCommand& probe, Session&) {
        EXPECT_TRUE(probe.fast);
        EXPECT_EQ(probe.words, (std::vector<std::string>{"-dash.dag", "--trials"}));
        EXPECT_EQ(probe.trials, "");
        return 0;
      });
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(RunProbe({"probe", "--trails", "--", "-a"}).err,
              HasSubstr("unknown option '--trails'"));
}

TEST(CommandLineTest, AValueMayBeEmpty) {
  RunProbe({"probe", "--trials", "", "--fast"}, [](ProbeCommand& probe, Session&) {
    EXPECT_EQ(probe.trials, "");
    EXPECT_TRUE(probe.fast);
    return 0;
  });
}

TEST(CommandLineTest, AnUnknownCommandNamesTheNearest) {
  const Outcome outcome = RunProbe({"prob"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "error: unknown command 'prob': expected probe (did you mean 'probe'?)\n");
  EXPECT_EQ(RunProbe({}).err, "error: no command: expected one of probe\n");
}

TEST(CommandLineTest, AnUnknownOptionNamesTheNearest) {
  const Outcome outcome = RunProbe({"probe", "--trails", "5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("unknown option '--trails'"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean '--trials'?"));
  EXPECT_THAT(outcome.err, HasSubstr("--fast"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("--quick"))) << "it is an old name";
  EXPECT_EQ(RunProbe({"probe", "--quick"}).code, 0);
}

TEST(CommandLineTest, AnOptionWithoutItsValueIsRefused) {
  const Outcome outcome = RunProbe({"probe", "--trials"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--trials"));
}

TEST(CommandLineTest, BadNumbersAreRefusedByOption) {
  const Outcome outcome = RunProbe({"probe", "--seed", "-3"}, [](ProbeCommand&, Session& session) {
    return static_cast<int>(session.seed());
  });
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "error: --seed: found '-3', expected a whole number of at least 0\n");
}

TEST(CommandLineTest, FilesHaveNames) {
  EXPECT_EQ(RunProbe({"probe", "-o", ""}).err, "error: -o: found an empty name, expected a file\n");
  EXPECT_EQ(RunProbe({"probe", "--data="}).code, 2);
  EXPECT_EQ(RunProbe({"probe", "--store", ""}).code, 2);
  EXPECT_EQ(RunProbe({"probe", "--trials", ""}).code, 0);
  EXPECT_EQ(RunProbe({"probe", "--agent", "chain(first=ansor(model=\"\"))"}).err,
            "error: --agent ansor(model=): found an empty name, expected a file\n");
  EXPECT_EQ(RunProbe({"probe", "--agent", "ansor(mode=\"\")"}).code, 0);
  EXPECT_EQ(RunProbe({"probe", "--agent", "python(module=mine,class=Mine,policy=\"\")"}).code, 0);
}

class OutputPlacesTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string Fault(const std::vector<std::string>& options) {
    std::vector<std::string> words = {"probe"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = RunProbe(words, [](ProbeCommand&, Session&) { return 0; });
    EXPECT_EQ(outcome.code, outcome.err.empty() ? 0 : 2);
    return outcome.err;
  }

  std::string folder_ = testing::TempDir() + "output_places_test";
};

TEST_F(OutputPlacesTest, NoTwoOutputsAreOneFile) {
  EXPECT_EQ(Fault({"-o", Path("a"), "--picture", Path("b")}), "");
  EXPECT_EQ(Fault({"-o", Path("a"), "--data", Path("a")}), "");
  EXPECT_EQ(
      Fault({"-o", Path("a"), "--picture", Path("a")}),
      "error: --picture: found '" + Path("a") + "', which -o writes; expected another place\n");
  EXPECT_NE(Fault({"-o", Path("a"), "--picture", Path("./no/../a")}), "");
  std::ofstream(Path("a")) << "old";
  fs::create_hard_link(Path("a"), Path("hard"));
  fs::create_symlink("a", Path("soft"));
  fs::create_symlink("nothing", Path("dangling"));
  fs::create_directory_symlink(".", Path("folder"));
  for (const char* other : {"hard", "soft", "folder/a"}) {
    EXPECT_NE(Fault({"-o", Path(other), "--picture", Path("a")}), "") << other;
  }
  EXPECT_NE(Fault({"-o", Path("nothing"), "--picture", Path("dangling")}), "");
}

TEST_F(OutputPlacesTest, AnAgentsOutputIsOneOfThem) {
  EXPECT_THAT(Fault({"-o", Path("a"), "--agent", "mcts(tree=\"" + Path("a") + "\")"}),
              HasSubstr("--agent mcts(tree=): found '" + Path("a") + "', which -o writes"));
  EXPECT_NE(Fault({"-o", Path("a"), "--agent", "chain(first=mcts(tree=" + Path("a") + "))"}), "");
  EXPECT_NE(Fault({"-o", Path("a"), "--agent", "harl(checkpoint=" + Path("a") + ")"}), "");
  EXPECT_EQ(Fault({"-o", Path("a"), "--agent", "other(tree=" + Path("a") + ")"}), "");
}

// Several outputs may go to one of them, written in turn.
TEST_F(OutputPlacesTest, DevicesAndDescriptorsTakeSeveral) {
  for (const char* device : {"/dev/null", "/dev/stdout", "/proc/self/fd/1"}) {
    EXPECT_EQ(Fault({"-o", device, "--picture", device}), "") << device;
  }
}

TEST_F(OutputPlacesTest, NoOutputIsAFileOfTheStore) {
  fs::create_symlink("s.db", Path("link.db"));
  for (const char* store : {"s.db", "link.db"}) {
    for (const char* suffix : {"", "-wal", "-shm", "-lock", "-journal"}) {
      const std::string place = Path("s.db") + suffix;
      EXPECT_EQ(Fault({"-o", place, "--store", Path(store)}),
                "error: -o: found '" + place + "', a file of the store '" + Path(store) +
                    "'; expected another place\n");
    }
  }
  EXPECT_EQ(Fault({"-o", Path("s.db-walk"), "--store", Path("s.db")}), "");
  EXPECT_THAT(Fault({"-o", "./schedulegym.db-wal"}), HasSubstr("'schedulegym.db'"));
}

TEST(CommandLineTest, HelpGoesToStdout) {
  const Outcome all = RunProbe({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.out, HasSubstr("probe"));
  EXPECT_THAT(all.out, HasSubstr("does what a test says"));
  const Outcome one = RunProbe({"probe", "--help"});
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, HasSubstr("--trials"));
  EXPECT_THAT(one.out, HasSubstr("--store"));
  EXPECT_EQ(RunProbe({"--version"}).out, "schedulegym 0.1.0\n");
}

template <typename Fault>
Outcome RunThrowing(Fault fault, std::vector<std::string> words = {"probe"}) {
  return RunProbe(words, [fault](ProbeCommand&, Session&) -> int { throw fault; });
}

TEST(CommandLineTest, FaultsBecomeExitCodes) {
  EXPECT_EQ(RunThrowing(InputError("a")).code, 2);
  EXPECT_EQ(RunThrowing(MachineError("a")).code, 3);
  EXPECT_EQ(RunThrowing(std::bad_alloc()).code, 3);
  EXPECT_EQ(RunThrowing(std::logic_error("a")).code, 70);
  EXPECT_EQ(RunThrowing(std::logic_error("broken")).err, "error: broken\n");
}

TEST(CommandLineTest, WithJsonAFaultIsAnEventToo) {
  const Outcome outcome = RunThrowing(MachineError("no device"), {"probe", "--json"});
  EXPECT_EQ(outcome.out, R"({"event":"error","kind":"machine","message":"no device"})"
                         "\n");
  EXPECT_EQ(outcome.err, "error: no device\n");
  const Outcome early = RunProbe({"prob", "--json"});
  EXPECT_THAT(early.out, HasSubstr(R"("kind":"input")"));
}

}  // namespace
}  // namespace schedulegym
