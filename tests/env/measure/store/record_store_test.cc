#include "env/measure/store/record_store.h"
#include "env/measure/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The contract of every store.
class RecordStoreTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<RecordStore> Make() {
    if (std::string(GetParam()) == "memory") return MakeMemoryStore();
    return OpenStore(folder_.Path("store.db"), StoreMode::kWrite);
  }

  TemporaryFolder folder_;
};

TEST_P(RecordStoreTest, GivesBackWhatWasAppended) {
  const auto store = Make();
  const Record ok = SampleRecord(SampleTask(1), 0, SampleTiming(2));
  const Record failed = SampleRecord(SampleTask(1), 1, SampleFailure());
  const Record other = SampleRecord(SampleTask(2), 0, SampleTiming(1));
  store->Append(std::vector<Record>{ok, failed});
  store->Append(std::vector<Record>{other});
  EXPECT_THAT(store->ForTask(Key{1, ~uint64_t{1}}), ElementsAre(ok, failed));
  EXPECT_THAT(store->ForTask(Key{3, 3}), IsEmpty());
  EXPECT_EQ(store->ById(failed.id), failed);
  EXPECT_EQ(store->ById("0123"), std::nullopt);
  std::vector<Record> all;
  store->ForEach([&](const Record& record) { all.push_back(record); });
  EXPECT_THAT(all, ElementsAre(ok, failed, other));
}

TEST_P(RecordStoreTest, KnowsWhichReferencesWereFoundRight) {
  const auto store = Make();
  const Key task = {1, 2};
  EXPECT_FALSE(store->IsVerified(task, "llvm 1"));
  const VerifiedReference first = {task, "llvm 1", 0.5, 1000};
  const VerifiedReference second = {task, "llvm 2", 0.25, 2000};
  const VerifiedReference other = {{3, 4}, "llvm 1", 1, 3000};
  store->Write({.verified = std::vector<VerifiedReference>{first, other}});
  store->Write({.verified = {&second, 1}});
  EXPECT_TRUE(store->IsVerified(task, "llvm 1"));
  EXPECT_FALSE(store->IsVerified(task, "llvm 3"));
  EXPECT_FALSE(store->IsVerified({5, 6}, "llvm 1"));
  EXPECT_THAT(store->Verified(task), ElementsAre(first, second));
  // Stored once per toolchain.
  const VerifiedReference again = {task, "llvm 1", 9, 9000};
  store->Write({.verified = {&again, 1}});
  EXPECT_THAT(store->Verified(task), ElementsAre(first, second));
}

TEST_P(RecordStoreTest, KnowsHowTheLatestSearchEndedOfARecord) {
  const auto store = Make();
  EXPECT_EQ(store->Ending("a"), std::nullopt);
  const std::vector<SearchEnding> first = {{"a", "seconds"}, {"b", "trials"}};
  store->Write({.endings = first});
  EXPECT_EQ(store->Ending("a"), "seconds");
  EXPECT_EQ(store->Ending("b"), "trials");
  const SearchEnding later = {"a", "exhausted"};
  store->Write({.endings = {&later, 1}});
  EXPECT_EQ(store->Ending("a"), "exhausted");
  EXPECT_EQ(store->Ending("c"), std::nullopt);
}

TEST_P(RecordStoreTest, VisitsWhatIsAskedFor) {
  const auto store = Make();
  const Record one = SampleRecord(SampleTask(1), 0, SampleTiming(2));
  const Record two = SampleRecord(SampleTask(2), 0, SampleTiming(1));
  store->Append(std::vector<Record>{one, two});
  const auto visited = [&](const RecordFilter& filter) {
    std::vector<Record> found;
    store->Visit(filter, [&](const Record& record) { found.push_back(record); });
    return found;
  };
  EXPECT_THAT(visited({}), ElementsAre(one, two));
  EXPECT_THAT(visited({.task = two.task->key}), ElementsAre(two));
  EXPECT_THAT(visited({.id = one.id}), ElementsAre(one));
  EXPECT_THAT(visited({.task = two.task->key, .id = one.id}), IsEmpty());
}

TEST_P(RecordStoreTest, TheBestIsTheFastestAndEarliestSuccess) {
  const auto store = Make();
  EXPECT_EQ(store->Best(Key{1, ~uint64_t{1}}), std::nullopt);
  EXPECT_THAT(store->BestOfEach(), IsEmpty());
  const Record slow = SampleRecord(SampleTask(1), 0, SampleTiming(1.5));
  const Record fast = SampleRecord(SampleTask(1), 1, SampleTiming(2.5));
  const Record equal = SampleRecord(SampleTask(1), 2, SampleTiming(2.5));
  const Record failed = SampleRecord(SampleTask(1), 3, SampleFailure());
  const Record hopeless = SampleRecord(SampleTask(7), 0, SampleFailure());
  const Record other = SampleRecord(SampleTask(2), 0, SampleTiming(9));
  store->Append(std::vector<Record>{slow, hopeless, other, fast, equal, failed});
  EXPECT_EQ(store->Best(Key{1, ~uint64_t{1}}), fast);
  EXPECT_EQ(store->Best(Key{7, ~uint64_t{7}}), std::nullopt);
  EXPECT_THAT(store->BestOfEach(), ElementsAre(fast, other));
}

TEST_P(RecordStoreTest, KeepsSessionsCountersAndUnknownFields) {
  const auto store = Make();
  const Record full = SampleRecord(SampleTask(1), 0, SampleOfSession(2, 7));
  Record failed = SampleRecord(SampleTask(1), 1, SampleFailure());
  failed.measurement.session = SampleSession();
  failed.measurement.stderr_tail = "what(): \xff";
  failed.extra = R"({"later":[1,2]})";
  failed.note = "track(step=17)";
  store->Append(std::vector<Record>{full, failed});
  EXPECT_THAT(store->ForTask(full.task->key), ElementsAre(full, failed));
}

TEST_P(RecordStoreTest, WhatABadSentinelJudgedIsNeverTheBest) {
  const auto store = Make();
  std::vector<Record> records;
  for (int i = 1; i <= 6; ++i) {
    records.push_back(SampleRecord(SampleTask(1), i, SampleOfSession(10 - i, i)));
  }
  const Record other = SampleRecord(SampleTask(1), 9, SampleOfSession(1.5, 1, "0ther"));
  records.push_back(other);
  store->Append(records);
  EXPECT_EQ(store->Best(Key{1, ~uint64_t{1}}), records[0]);
  // The first control measurement applies to the first three records.
  const std::vector<ControlMeasurement> controls = {SampleControl(3, false),
                                                    SampleControl(4, true)};
  const StoreCounts counts = store->Write({.controls = controls});
  EXPECT_EQ(counts.controls, 2);
  EXPECT_EQ(store->Best(Key{1, ~uint64_t{1}}), records[3]);
  EXPECT_THAT(store->BestOfEach(), ElementsAre(records[3]));
  const std::vector<ControlMeasurement> more = {SampleControl(9, false), SampleControl(4, false)};
  EXPECT_EQ(store->Write({.controls = more}).controls, 1) << "what is stored never changes";
  EXPECT_EQ(store->Best(Key{1, ~uint64_t{1}}), records[3]);
  store->Write({.controls = std::vector<ControlMeasurement>{SampleControl(1, false, "0ther")}});
  EXPECT_EQ(store->Best(Key{1, ~uint64_t{1}}), records[3]);
  std::vector<bool> suspect;
  for (const Record& record : store->ForTask(Key{1, ~uint64_t{1}})) {
    suspect.push_back(record.suspect);
  }
  EXPECT_THAT(suspect, ElementsAre(true, true, true, false, true, true, true));
  EXPECT_TRUE(store->ById(records[0].id)->suspect);
  EXPECT_FALSE(store->ById(records[3].id)->suspect);
}

// A later measurement of the same candidate.
Record Again(Record record, Measurement measurement) {
  record.measurement = std::move(measurement);
  record.started += 60;
  record.id = RecordId(record);
  return record;
}

TEST_P(RecordStoreTest, OfSeveralMeasurementsOfACandidateTheLatestCounts) {
  const auto store = Make();
  const Key task{1, ~uint64_t{1}};
  const Record lucky = SampleRecord(SampleTask(1), 0, SampleTiming(3));
  const Record second = SampleRecord(SampleTask(1), 1, SampleTiming(2));
  const Record third = SampleRecord(SampleTask(1), 2, SampleTiming(1.5));
  store->Append(std::vector<Record>{lucky, second, third});
  const Record sober = Again(lucky, SampleTiming(1.75));
  store->Append(std::vector<Record>{sober});
  EXPECT_EQ(store->Best(task), second);
  store->Append(std::vector<Record>{Again(second, SampleFailure())});
  EXPECT_EQ(store->Best(task), sober);
  EXPECT_THAT(store->BestOfEach(), ElementsAre(sober));
  EXPECT_EQ(store->ForTask(task).size(), 5u) << "all are kept";
}

// Each toolchain also compiles the reference, so ratios of two toolchains are not comparable.
TEST_P(RecordStoreTest, TheBestIsOneOfTheToolchainThatMeasuredLast) {
  const auto store = Make();
  const Key task{1, ~uint64_t{1}};
  const Record old = SampleRecord(SampleTask(1), 0, SampleOfToolchain(5, "generator 9"));
  store->Append(std::vector<Record>{old});
  EXPECT_EQ(store->Best(task), old);
  store->Append(std::vector<Record>{Again(old, SampleFailure())});
  EXPECT_EQ(store->Best(task), old) << "what failed compares with nothing";
  const Record renewed = Again(Again(old, SampleFailure()), SampleOfToolchain(2, "generator 10"));
  const Record other = SampleRecord(SampleTask(2), 0, SampleOfToolchain(4, "generator 9"));
  store->Append(std::vector<Record>{renewed, other});
  EXPECT_EQ(store->Best(task), renewed);
  EXPECT_THAT(store->BestOfEach(), ElementsAre(renewed, other)) << "of each task by itself";
  Record imported = SampleRecord(SampleTask(1), 1, SampleOfToolchain(7, "generator 9"));
  imported.started -= 60;
  imported.id = RecordId(imported);
  store->Append(std::vector<Record>{imported});
  EXPECT_EQ(store->Best(task), renewed) << "when it was measured counts, not when it came";
}

// For any estimated speed, and any time of the record.
TEST_P(RecordStoreTest, WhatWasNotMeasuredIsNeverTheBest) {
  const auto store = Make();
  Measurement estimate = SampleOfToolchain(9, "analytical");
  MeasuringSession session = *estimate.session;
  session.protocol = kAnalyticalName;
  estimate.session = std::make_shared<const MeasuringSession>(session);
  Measurement recorded = estimate;
  session.protocol = kTableName;
  session.toolchain = SampleSession()->toolchain;
  recorded.session = std::make_shared<const MeasuringSession>(session);
  Measurement predicted = estimate;
  session.protocol = kModelName;
  predicted.session = std::make_shared<const MeasuringSession>(session);
  const Record first = SampleRecord(SampleTask(1), 0, estimate);
  store->Append(std::vector<Record>{first});
  EXPECT_EQ(store->Best(first.task->key), std::nullopt);
  EXPECT_THAT(store->BestOfEach(), IsEmpty());
  const Record measured = SampleRecord(SampleTask(1), 1, SampleOfToolchain(2, session.toolchain));
  store->Append(std::vector<Record>{measured, SampleRecord(SampleTask(1), 2, estimate),
                                    SampleRecord(SampleTask(1), 3, recorded),
                                    SampleRecord(SampleTask(1), 4, predicted)});
  EXPECT_EQ(store->Best(first.task->key), measured);
  EXPECT_THAT(store->ForTask(first.task->key), testing::SizeIs(5));
}

TEST_P(RecordStoreTest, TheBestEstimateIsOfTheLatestFormula) {
  const auto store = Make();
  const auto estimated = [](int64_t index, double ratio, const std::string& formula) {
    Measurement estimate = SampleOfToolchain(ratio, formula);
    MeasuringSession session = *estimate.session;
    session.protocol = kAnalyticalName;
    estimate.session = std::make_shared<const MeasuringSession>(session);
    Record record = SampleRecord(SampleTask(1), index, estimate);
    record.started += static_cast<double>(index);
    record.id = RecordId(record);
    return record;
  };
  const Record measured = SampleRecord(SampleTask(1), 9, SampleTiming(99));
  const Key task = measured.task->key;
  store->Append(std::vector<Record>{measured});
  EXPECT_EQ(store->BestEstimated(task), std::nullopt);
  const Record best = estimated(2, 3, "formula 2");
  store->Append(std::vector<Record>{estimated(0, 8, "formula 1"), estimated(1, 2, "formula 2"),
                                    best, estimated(3, 1, "formula 2")});
  EXPECT_EQ(store->BestEstimated(task), best);
}

TEST_P(RecordStoreTest, ASuspectMeasurementMakesNoToolchainTheLatest) {
  const auto store = Make();
  const Key task{1, ~uint64_t{1}};
  const Record old = SampleRecord(SampleTask(1), 0, SampleOfToolchain(5, "generator 9"));
  const Record later = Again(old, SampleOfSession(9, 1, "1ater"));
  store->Append(std::vector<Record>{old, later});
  EXPECT_EQ(store->Best(task), later);
  store->Write({.controls = std::vector<ControlMeasurement>{SampleControl(1, false, "1ater")}});
  EXPECT_EQ(store->Best(task), old);
}

TEST_P(RecordStoreTest, ALaterMeasurementThatSaysNothingTakesNothingBack) {
  const auto store = Make();
  const Key task{1, ~uint64_t{1}};
  const Record best = SampleRecord(SampleTask(1), 0, SampleOfSession(3, 1));
  Measurement noisy = SampleFailure();
  noisy.outcome = Outcome::kNoisy;
  store->Append(std::vector<Record>{best, Again(best, noisy)});
  EXPECT_EQ(store->Best(task), best);
  Record doubtful = Again(best, SampleOfSession(1, 5));
  doubtful.started += 60;
  doubtful.id = RecordId(doubtful);
  store->Append(std::vector<Record>{doubtful});
  EXPECT_EQ(store->Best(task), doubtful);
  const std::vector<ControlMeasurement> controls = {SampleControl(2, true),
                                                    SampleControl(6, false)};
  store->Write({.controls = controls});
  EXPECT_EQ(store->Best(task), best);
}

TEST_P(RecordStoreTest, CountsWhatIsNew) {
  const auto store = Make();
  const std::vector<Record> records = {SampleRecord(SampleTask(1), 0, SampleTiming(1)),
                                       SampleRecord(SampleTask(1), 1, SampleTiming(1))};
  const std::vector<ForeignRecord> foreign = {SampleForeign("a"), SampleForeign("b")};
  EXPECT_EQ(store->Write({.records = std::span(records).first(1)}).records, 1);
  const StoreCounts counts = store->Write({.records = records, .foreign = foreign});
  EXPECT_EQ(counts.records, 1);
  EXPECT_EQ(counts.foreign, 2);
  EXPECT_EQ(store->Write({.foreign = foreign}).foreign, 0);
}

TEST_P(RecordStoreTest, AppendingTwiceChangesNothing) {
  const auto store = Make();
  const Record record = SampleRecord(SampleTask(1), 0, SampleTiming(2));
  store->Append(std::vector<Record>{record});
  Record changed = record;
  changed.measurement = SampleFailure();
  store->Append(std::vector<Record>{changed, record});
  EXPECT_THAT(store->ForTask(record.task->key), ElementsAre(record));
}

TEST_P(RecordStoreTest, OneKeyMayHaveSeveralNames) {
  const auto store = Make();
  TaskInfo renamed = *SampleTask(1);
  renamed.workload = "file.dag(n=1)";
  const Record a = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  const Record b = SampleRecord(std::make_shared<const TaskInfo>(renamed), 1, SampleTiming(2));
  store->Append(std::vector<Record>{a, b});
  EXPECT_THAT(store->ForTask(a.task->key), ElementsAre(a, b));
  EXPECT_THAT(store->BestOfEach(), ElementsAre(b));
}

TEST_P(RecordStoreTest, TextsMayHoldAnything) {
  const auto store = Make();
  Record record = SampleRecord(SampleTask(1), 0, SampleFailure());
  record.measurement.message = "a 'quoted' \"text\"; DROP TABLE task;\n\xc3\xa9";
  record.agent = "";
  record.trace = std::string("with\0zero", 9);
  record.id = RecordId(record);
  store->Append(std::vector<Record>{record});
  EXPECT_EQ(store->ById(record.id), record);
}

INSTANTIATE_TEST_SUITE_P(Both, RecordStoreTest, testing::Values("memory", "sqlite"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace schedulegym
