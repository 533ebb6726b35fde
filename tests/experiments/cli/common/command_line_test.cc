#include "experiments/cli/common/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <functional>
#include <new>
#include <stdexcept>

#include "env/base/fault.h"
#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Takes words, an option and a flag, and does what the test says.
class ProbeCommand : public Command {
 public:
  explicit ProbeCommand(std::function<int(ProbeCommand&, Session&)> run) : run_(std::move(run)) {}

  std::string name() const override { return "probe"; }
  std::string help() const override { return "does what a test says"; }
  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", words, "words");
    app.add_option("--trials", trials, "a number");
    app.add_option("-o", output, "a file");
    app.add_flag("--fast", fast, "a flag");
  }
  int Run(Session& session) override { return run_(*this, session); }

  std::vector<std::string> words;
  std::string trials, output;
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
