#include "assembly/messages/record_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "env/ipc/encoding.h"
#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Record> Shared(Record record) {
  return std::make_shared<const Record>(std::move(record));
}

struct Letter {
  static constexpr const char* kName = "letter";
  WireRecords records;

  static constexpr auto Fields() { return std::tuple(&Letter::records); }
};

// Encodes and decodes the records.
RecordList Sent(const RecordList& records) {
  const Result<Letter> letter = Decode<Letter>(Encode(Letter{ToWire(records)}));
  Result<RecordList> back = FromWire(letter->records, records.size());
  EXPECT_TRUE(back.ok()) << back.error().message;
  return *std::move(back);
}

// A record with all optional fields.
Record FullRecord(uint64_t task, int64_t index) {
  Record record = SampleRecord(SampleTask(task), index, SampleOfSession(2, 7 + index));
  record.space = "ansor";
  record.note = "refine(of=\"00\")";
  record.extra = R"({"aux":{"b":[1,2.5]}})";
  record.seed = std::numeric_limits<uint64_t>::max();
  record.started = 1.5e9 + 1.0 / 3;
  record.suspect = true;
  record.id = RecordId(record);
  return record;
}

TEST(RecordMessagesTest, EveryFieldSurvives) {
  Record bare = SampleRecord(SampleTask(2), 1, SampleTiming(0.5));
  bare.trace += '\xff';  // not valid text in JSON
  bare.measurement.timing->samples.clear();
  bare.id = RecordId(bare);
  const RecordList records = {Shared(FullRecord(1, 0)), nullptr, Shared(bare),
                              Shared(SampleRecord(SampleTask(2), 2, SampleFailure())), nullptr};
  const RecordList back = Sent(records);
  ASSERT_EQ(back.size(), records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    ASSERT_EQ(back[i] == nullptr, records[i] == nullptr);
    if (records[i] == nullptr) continue;
    EXPECT_EQ(*back[i], *records[i]);
    EXPECT_EQ(back[i]->suspect, records[i]->suspect);
  }
}

TEST(RecordMessagesTest, NoRecordsAreSomeToo) {
  EXPECT_TRUE(Sent({}).empty());
  EXPECT_EQ(Sent({nullptr, nullptr}), RecordList(2));
}

TEST(RecordMessagesTest, WhatRecordsShareIsToldOnceAndSharedAgain) {
  Record first = FullRecord(1, 0), second = FullRecord(1, 1), third = FullRecord(1, 2);
  second.task = first.task;
  second.measurement.session = first.measurement.session;
  const RecordList records = {Shared(first), Shared(second), Shared(third)};
  const WireRecords wire = ToWire(records);
  EXPECT_EQ(wire.tasks.size(), 2U);
  EXPECT_EQ(wire.sessions.size(), 2U);
  const RecordList back = Sent(records);
  EXPECT_EQ(back[0]->task, back[1]->task);
  EXPECT_EQ(back[0]->measurement.session, back[1]->measurement.session);
  EXPECT_NE(back[0]->task, back[2]->task);
}

std::string FaultAfter(const std::function<void(WireRecord&)>& change) {
  WireRecords wire = ToWire({Shared(FullRecord(1, 0))});
  change(wire.records[0]);
  const Result<RecordList> records = FromWire(wire, 1);
  return records ? "" : records.error().message;
}

TEST(RecordMessagesTest, WhatCannotBeIsRefused) {
  EXPECT_EQ(FaultAfter([](WireRecord&) {}), "");
  for (const int64_t none : {int64_t{-1}, int64_t{1}, std::numeric_limits<int64_t>::max()}) {
    const auto refused = HasSubstr("found a record of no trial, task or session");
    EXPECT_THAT(FaultAfter([&](WireRecord& one) { one.place = none; }), refused);
    EXPECT_THAT(FaultAfter([&](WireRecord& one) { one.task = none; }), refused);
    EXPECT_THAT(FaultAfter([&](WireRecord& one) { one.session = none; }), refused);
  }
  EXPECT_THAT(FaultAfter([](WireRecord& one) { one.measured.outcome = "odd"; }),
              HasSubstr("found the outcome 'odd'"));
  EXPECT_THAT(FaultAfter([](WireRecord& one) { one.measured.timing.reset(); }),
              HasSubstr("without a timing"));
  EXPECT_THAT(FaultAfter([](WireRecord& one) { one.trace += "x"; }), HasSubstr("its id is not"));
  EXPECT_THAT(FaultAfter([](WireRecord& one) { one.measured.timing->seconds = -1; }),
              HasSubstr("seconds"));
}

}  // namespace
}  // namespace schedulegym
