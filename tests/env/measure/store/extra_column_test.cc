#include "env/measure/store/record_rows.h"

#include <gtest/gtest.h>

#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

Record With(const std::string& extra, const std::string& note) {
  Record record = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  record.extra = extra;
  record.note = note;
  return record;
}

TEST(ExtraColumnTest, IsAnObjectOfBoth) {
  EXPECT_EQ(ToExtraColumn(With("", "")), "");
  EXPECT_EQ(ToExtraColumn(With(R"({"a":1})", "")), R"({"a":1})");
  EXPECT_EQ(ToExtraColumn(With("", "track(step=1)")), R"j({"note":"track(step=1)"})j");
  EXPECT_EQ(ToExtraColumn(With(R"({"z":1})", "t")), R"({"note":"t","z":1})");
}

TEST(ExtraColumnTest, ReadsBack) {
  for (const char* extra : {"", R"({"a":{"note":2}})", R"({"later":[1,2]})"}) {
    for (const char* note : {"", "refine(of=\"00\")", "\xff"}) {
      const Record written = With(extra, note);
      Record read = With("something", "else");
      FromExtraColumn(ToExtraColumn(written), read);
      EXPECT_EQ(read, written) << extra << note;
    }
  }
}

TEST(ExtraColumnTest, HoldsTheResourcesOfKernels) {
  Record written = With(R"({"z":1})", "t");
  written.measurement.resources = {{"kernel_0", 40, 8, 12, 16, 4096, 1}};
  EXPECT_EQ(ToExtraColumn(written),
            R"({"note":"t","resources":[{"barriers":1,"kernel":"kernel_0","registers":40,)"
            R"("shared_bytes":4096,"spill_load_bytes":12,"spill_store_bytes":8,"stack_bytes":16}],)"
            R"("z":1})");
  Record read = With("", "");
  FromExtraColumn(ToExtraColumn(written), read);
  EXPECT_EQ(read, written);
  FromExtraColumn(R"({"resources":[{"kernel":"kernel_0"}]})", read);
  EXPECT_TRUE(read.measurement.resources.empty());
  EXPECT_EQ(read.extra, R"({"resources":[{"kernel":"kernel_0"}]})");
}

TEST(ExtraColumnTest, TakesAnyText) {
  for (const char* column : {"\"note\"", "{\"note\":5}", "[\"note\"]", "{\"note\":"}) {
    Record read = With("", "");
    FromExtraColumn(column, read);
    EXPECT_EQ(read.extra, column);
    EXPECT_EQ(read.note, "");
  }
  EXPECT_EQ(ToExtraColumn(With("[1]", "lost")), "[1]") << "what was there stays";
}

}  // namespace
}  // namespace schedulegym
