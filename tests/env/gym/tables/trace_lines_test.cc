#include "env/gym/tables/table_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::string TraceOf(const std::string& lines) { return "trace 1\n" + lines; }

TEST(TraceLinesTest, EachLineStandsOnceAndBeginningsAreKept) {
  const std::vector<std::string> texts = {TraceOf("a\nb\nc\n"), TraceOf("a\nb\nd\nc\n"),
                                          TraceOf(""), TraceOf("c\nc\n")};
  const TraceLines shared = ShareTraces(texts);
  EXPECT_THAT(shared.lines, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(shared.traces, ElementsAre(SharedTrace{0, {0, 1, 2}}, SharedTrace{2, {3, 2}},
                                         SharedTrace{0, {}}, SharedTrace{0, {2, 2}}));
  EXPECT_EQ(UnshareTraces(shared), texts);
}

TEST(TraceLinesTest, PositionsThatThereAreNotAreRefused) {
  EXPECT_THROW(UnshareTraces({{"a"}, {{0, {1}}}}), InputError);
  EXPECT_THROW(UnshareTraces({{"a"}, {{0, {-1}}}}), InputError);
  EXPECT_THROW(UnshareTraces({{"a"}, {{1, {0}}}}), InputError);
  EXPECT_THROW(UnshareTraces({{"a"}, {{0, {0}}, {-1, {}}}}), InputError);
}

// A long line that many rows share would take any amount of memory.
TEST(TraceLinesTest, AllTracesTogetherHaveALimit) {
  const std::string line(1 << 20, 'a');
  const std::vector<SharedTrace> rows(300, SharedTrace{0, {0}});
  EXPECT_THROW(UnshareTraces({{line}, rows}), InputError);
  EXPECT_EQ(UnshareTraces({{line}, {rows.begin(), rows.begin() + 3}}).size(), 3u);
}

}  // namespace
}  // namespace schedulegym
