#include "experiments/cli/common/reproduce.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <memory>

#include "env/measure/protocol.h"
#include "env/program/targets/target.h"

namespace schedulegym {
namespace {

// The word as parsed by the shell.
std::string ReadByShell(const std::string& word) {
  const std::string command = "printf '%s' " + word;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    text += static_cast<char>(c);
  }
  return text;
}

TEST(ShellWordTest, PlainWordsStayAsTheyAre) {
  for (const std::string word : {"llvm", "a.db", "/tmp/my-store.db", "x86-64-v4", "1e-05"}) {
    EXPECT_EQ(ShellWord(word), word);
  }
}

TEST(ShellWordTest, TheShellReadsBackWhatWasMeant) {
  for (const std::string text :
       {"", "matmul(m=2, n=3)", "it's", "'", "a \"b\"", "$HOME `id` \\ *", "two\nlines", "~/x",
        "#x", "ünï", "a;b|c&d<e>f", "!!", "[a]{b,c}?", "/tmp/\xff é%s'\\.db", "\x1b[31m"}) {
    EXPECT_EQ(ReadByShell(ShellWord(text)), text);
  }
}

Target TargetOf(const std::string& text) { return MakeTarget(ParseSpec(text).value()); }

TEST(ShortTargetTest, IsTheShortestThatGivesAnEqualTarget) {
  EXPECT_EQ(ShortTarget(TargetOf("llvm").ToText()), "llvm");
  EXPECT_EQ(ShortTarget(TargetOf("llvm(cores=77)").ToText()), "llvm(cores=77)");
  EXPECT_EQ(ShortTarget(TargetOf("interpreter").ToText()), "interpreter");
  const std::string other = TargetOf("llvm(cores=1, l1=12345)").ToText();
  EXPECT_EQ(ShortTarget(other), other);
}

TEST(ShortTargetTest, WhatCannotBeReadStays) {
  EXPECT_EQ(ShortTarget("(("), "((");
  EXPECT_EQ(ShortTarget("abacus(beads=3)"), "abacus(beads=3)");
}

Protocol ProtocolOf(const std::string& text) { return MakeProtocol(ParseSpec(text).value()); }

TEST(ShortProtocolTest, LeavesOutWhatIsTheDefault) {
  EXPECT_EQ(ShortProtocol(ProtocolText(Protocol())), "cpu1");
  EXPECT_EQ(ShortProtocol(ProtocolText(ProtocolOf("cpu1(seconds=2.5)"))), "cpu1(seconds=2.5)");
}

TEST(ShortProtocolTest, GivesAnEqualProtocol) {
  for (const std::string text :
       {"cpu1", "cpu1(rounds=1)", "cpu1(rounds=20, min_rounds=18)", "final",
        "cpu1(order=square, reject=published, flush_to_zero=false)"}) {
    const Protocol protocol = ProtocolOf(text);
    EXPECT_EQ(ProtocolOf(ShortProtocol(ProtocolText(protocol))), protocol) << text;
  }
  EXPECT_EQ(ShortProtocol("something(else=1)"), "something(else=1)");
}

TEST(ProgramWordTest, IsItsPlaceWhereTheSearchPathHasAnother) {
  EXPECT_NE(ProgramWord().find('/'), std::string::npos) << ProgramWord();
}

Record SomeRecord() {
  TaskInfo task;
  task.workload = "my dag's.dag(n=3)";
  task.target = TargetOf("llvm").ToText();
  Record record;
  record.id = "0123456789abcdef0123456789abcdef";
  record.task = std::make_shared<const TaskInfo>(task);
  return record;
}

TEST(ReproduceCommandTest, LeavesOutWhatIsTheDefault) {
  EXPECT_EQ(ReproduceCommand(SomeRecord(), {}),
            "schedulegym replay 'my dag'\\''s.dag(n=3)' "
            "--record 0123456789abcdef0123456789abcdef");
}

TEST(ReproduceCommandTest, NamesAllThatIsNot) {
  Record record = SomeRecord();
  TaskInfo task = *record.task;
  task.target = TargetOf("llvm(cores=77)").ToText();
  record.task = std::make_shared<const TaskInfo>(task);
  record.seed = 4;  // the search's seed; the command has the seed of the inputs
  record.measurement.seed = 5;
  MeasuringSession session;
  session.protocol = ProtocolText(ProtocolOf("cpu1(seconds=2.5)"));
  record.measurement.session = std::make_shared<const MeasuringSession>(session);
  EXPECT_EQ(ReproduceCommand(record, {"/a b/schedulegym", "x y.db"}),
            "'/a b/schedulegym' replay 'my dag'\\''s.dag(n=3)' --target 'llvm(cores=77)' "
            "--protocol 'cpu1(seconds=2.5)' --seed 5 --store 'x y.db' "
            "--record 0123456789abcdef0123456789abcdef");
}

}  // namespace
}  // namespace schedulegym
