#include "backends/runner/confinement/confined_program.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

const std::vector<std::string> kWords = {
    "schedulegym-confined", "12", "34", "56", "r/usr", "--", "/bin/sh"};

TEST(ConfinedProgramTest, WordsSayAllOfIt) {
  const ConfinedProgram program = {
      {"/bin/sh", "-c", "--", "a b"}, {{"/usr", "/a b"}, {"/c"}, {"/usr/d"}, {"/tmp"}}, 34, 56};
  const ChildProgram child = ProgramOf(WordsOf(program, 12));
  EXPECT_EQ(child.parent, 12);
  EXPECT_EQ(child.program.words, program.words);
  EXPECT_EQ(child.program.files.reads, program.files.reads);
  EXPECT_EQ(child.program.files.lists, program.files.lists);
  EXPECT_EQ(child.program.files.hidden, program.files.hidden);
  EXPECT_EQ(child.program.files.writes, program.files.writes);
  EXPECT_EQ(child.program.memory_bytes, 34);
  EXPECT_EQ(child.program.cpu_seconds, 56);
}

TEST(ConfinedProgramTest, WhereItBeginsAndWhetherItStartsPrograms) {
  ConfinedProgram program = {{"/bin/sh"}, {}, 34, 56, "/a b", true};
  EXPECT_EQ(ProgramOf(WordsOf(program, 12)).program.folder, "/a b");
  EXPECT_TRUE(ProgramOf(WordsOf(program, 12)).program.starts_programs);
  program = {{"/bin/sh"}, {}, 34, 56};
  EXPECT_EQ(ProgramOf(WordsOf(program, 12)).program.folder, "");
  EXPECT_FALSE(ProgramOf(WordsOf(program, 12)).program.starts_programs);
}

TEST(ConfinedProgramTest, OtherWordsAreRefused) {
  EXPECT_EQ(ProgramOf(kWords).program.words, std::vector<std::string>{"/bin/sh"});
  for (const auto& [place, word] : {std::pair<size_t, std::string>(1, "twelve"),
                                    {2, "-1"},
                                    {3, "99999999999999999999"},
                                    {4, "/usr"},
                                    {4, ""}}) {
    std::vector<std::string> words = kWords;
    words[place] = word;
    EXPECT_THROW(ProgramOf(words), InputError) << word;
  }
  EXPECT_THROW(ProgramOf({"schedulegym-confined"}), InputError);
  EXPECT_THROW(ProgramOf({kWords.begin(), kWords.end() - 1}), InputError);
  EXPECT_THROW(ProgramOf({"schedulegym-confined", "1", "2", "3", "r/usr", "r/lib"}), InputError);
}

}  // namespace
}  // namespace schedulegym
