#include "assembly/processes/command_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string RefusalOf(const std::string& command) {
  return InputFaultOf([&] { ArgumentsOfCommand(command, "/bin"); });
}

TEST(CommandWordsTest, QuotesAndBackslashesAreTheShells) {
  const char* command = "  ./sh a'b c'\"d\\\"e\" '' f\\ g '\\' ";
  EXPECT_THAT(ArgumentsOfCommand(command, "/bin"),
              ElementsAre("/bin/./sh", "ab cd\"e", "", "f g", "\\"));
}

TEST(CommandWordsTest, ProgramsStandInPathOrInTheFolder) {
  EXPECT_THAT(ArgumentsOfCommand("sh x", "/nowhere")[0], HasSubstr("/sh"));
  EXPECT_EQ(ArgumentsOfCommand("/bin/sh", "/nowhere")[0], "/bin/sh");
  setenv("SCHEDULEGYM_PYTHON", "/a/python", 1);
  EXPECT_THAT(ArgumentsOfCommand("python3 x.py", ""), ElementsAre("/a/python", "x.py"));
  unsetenv("SCHEDULEGYM_PYTHON");
  EXPECT_THAT(RefusalOf("./no-such x"), HasSubstr("found no program './no-such', expected one in"));
  EXPECT_THAT(RefusalOf("no-such"), HasSubstr("found no program 'no-such'"));
}

TEST(CommandWordsTest, AQuotedWordIsOne) {
  EXPECT_EQ(QuotedForShell("a b$'\\"), "'a b$'\\''\\'");
  EXPECT_THAT(ArgumentsOfCommand("/bin/sh " + QuotedForShell("a b$'\\"), ""),
              ElementsAre("/bin/sh", "a b$'\\"));
}

TEST(CommandWordsTest, TheShellBecomesAProgramThatStandsAlone) {
  for (const char* command : {"cat", "cat 'a b' c\\ d", "/bin/no-such x", "./climber \"$\""}) {
    EXPECT_EQ(ReplacingShell(command), std::string("exec ") + command);
  }
  for (const char* command :
       {"cat | cat", "A=1 cat", "exit 3", "cd / && cat", "cat $HOME", "cat 'a", "", "no-such x"}) {
    EXPECT_EQ(ReplacingShell(command), command);
  }
}

TEST(CommandWordsTest, WhatIsTheShellsIsRefused) {
  EXPECT_EQ(RefusalOf("sh a | b"),
            "command 'sh a | b': found |, expected a program and its words: there is no shell");
  for (const char* command : {"sh $HOME", "sh a;b", "sh >a", "sh `a`", "sh *"}) {
    EXPECT_THAT(RefusalOf(command), HasSubstr("there is no shell")) << command;
  }
  EXPECT_EQ(RefusalOf("sh '$HOME;'"), "");
  EXPECT_THAT(RefusalOf("sh 'a"), HasSubstr("found no second '"));
  EXPECT_THAT(RefusalOf("sh \\"), HasSubstr("after the last backslash"));
  EXPECT_THAT(RefusalOf("  "), HasSubstr("found no word"));
}

}  // namespace
}  // namespace schedulegym
