#include "env/gym/trace_lines.h"

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

}  // namespace
}  // namespace schedulegym
