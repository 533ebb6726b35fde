#include "experiments/cli/tune/search_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/measure/record.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Record RecordOf(const std::string& id, double seconds) {
  Record record;
  record.id = id;
  record.trace = "trace 1\nfrom(" + id + ")\n";
  record.measurement = Success(1e-6 / seconds);
  return record;
}

// Two tasks; the first has weight three, and an earlier search has a better result for the second.
class SearchReportTest : public testing::Test {
 protected:
  SearchReportTest() {
    for (const int extent : {97, 89}) {
      const auto task = VectorTask(extent);
      const int64_t count = extent == 97 ? 3 : 1;
      list_.tasks.push_back({task, count, {count}});
      DoneEvent& event = done_.emplace_back();
      event.task = DescribeTask(*task);
      event.trials = 8;
      event.elapsed = 5;
      event.best = event.best_known = RecordOf("own" + std::to_string(extent), 2e-6);
    }
    done_[1].best_known = RecordOf("known", 1e-6);
    done_[1].known = 9;
    list_.networks = {"a.net"};
    list_.has_network = true;
  }

  std::string Text(bool is_verbose, ReportOptions options = {}) {
    Captured out, err;
    Report report(out.stream(), err.stream(), options);
    ReportEnd({done_, list_, "gradient", std::nullopt, ReproduceWords(), is_verbose}, report);
    return out.Text();
  }

  TaskList list_;
  std::vector<DoneEvent> done_;
};

TEST_F(SearchReportTest, TheLatencyComesFirst) {
  // 3 * 2 + 1 and 3 * 2 + 2 microseconds.
  const std::string text = Text(false);
  EXPECT_THAT(text, StartsWith("network of 2 tasks: latency 7.000 us known, 8.000 us of this run\n"
                               "  id  task"));
  EXPECT_THAT(text, HasSubstr("\nvector97\n  best    2.000 us"));
  EXPECT_THAT(text, HasSubstr("\nvector89\n  best of this run  2.000 us"));
  EXPECT_THAT(text, HasSubstr("all, by count"));
  EXPECT_THAT(text, Not(HasSubstr("trace 1")));
}

TEST_F(SearchReportTest, TracesAreShownIfAskedFor) {
  EXPECT_THAT(Text(true), HasSubstr("    from(own97)\n"));
  EXPECT_THAT(Text(true), HasSubstr("    from(known)\n"));
}

TEST_F(SearchReportTest, EventsHaveBothLatencies) {
  const std::string text = Text(false, {.json = true});
  EXPECT_THAT(text, StartsWith("{\"event\":\"scheduler\""));
  EXPECT_THAT(text, HasSubstr("\n{\"event\":\"network\",\"latency\":7"));
  EXPECT_THAT(text, HasSubstr("\"latency_of_run\":8"));
}

TEST_F(SearchReportTest, OfOneTaskAloneThereIsNoMore) {
  list_.tasks.pop_back();
  done_.pop_back();
  list_.has_network = false;
  EXPECT_EQ(Text(false), "");
}

}  // namespace
}  // namespace schedulegym
