#include "tests/fuzz/frame_fuzz.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "assembly/messages/agent_messages.h"
#include "backends/runner/sandbox/candidate_process.h"
#include "backends/runner/sandbox/zygote.h"
#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/verify_messages.h"
#include "env/base/rng.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "tests/fuzz/allocation_count.h"

namespace schedulegym {
namespace {

// Allowed allocation of a decoder: a multiple of its input plus a constant; lists grow by doubling.
constexpr int64_t kMostFactor = 16;
constexpr int64_t kMostBeside = 8192;
constexpr int kStreamsPerReading = 256;

// Fills the fields of a message with random values of many kinds.
class RandomFields {
 public:
  explicit RandomFields(Rng& rng) : rng_(rng) {}

  template <std::integral T>
  void Fill(T& value) {
    value = static_cast<T>(rng_.Below(3) == 0 ? rng_.Next() : rng_.Next() % 4);
  }
  void Fill(bool& value) { value = rng_.Below(2) == 1; }
  void Fill(double& value) { value = static_cast<double>(rng_.Below(1000)) * 1e-3; }
  void Fill(float& value) { value = static_cast<float>(rng_.Below(1000)) * 1e-3f; }
  void Fill(std::string& text) {
    text.assign(static_cast<size_t>(rng_.Below(12)), static_cast<char>('a' + rng_.Below(26)));
  }
  template <typename T>
  void Fill(std::vector<T>& list) {
    list.resize(static_cast<size_t>(rng_.Below(4)));
    for (T& item : list) Fill(item);
  }
  template <typename T>
  void Fill(std::optional<T>& value) {
    value.reset();
    if (rng_.Below(2) == 0) Fill(value.emplace());
  }
  template <HasFields T>
  void Fill(T& value) {
    std::apply([&](auto... members) { (Fill(value.*members), ...); }, T::Fields());
  }

 private:
  Rng& rng_;
};

template <typename... Messages>
struct MessageList {
  static constexpr size_t kSize = sizeof...(Messages);

  template <typename Function>
  static void ForEach(const Function& function) {
    (function(std::type_identity<Messages>()), ...);
  }
};
using AllMessages =
    MessageList<CompileRequest, CompileReply, ExportRequest, ExportReply, PrepareRequest,
                PrepareReply, MeasureRequest, MeasureReply, VerifyRequest, VerifyReply,
                ControlRequest, ControlReply, RefusedReply, ToolchainRequest, ToolchainReply,
                TimingNotice, ReferenceReply, TaskSetup, ObjectCode, CandidateEnd, AgentSetupText,
                AgentRequest, AgentLesson, AgentReply, AgentModelState, PluginFile, AgentLines>;

std::string RandomMessage(Rng& rng) {
  const auto wanted = rng.Below(static_cast<int64_t>(AllMessages::kSize));
  int64_t position = 0;
  std::string bytes;
  AllMessages::ForEach([&]<typename Message>(std::type_identity<Message>) {
    if (position++ != wanted) return;
    Message message;
    RandomFields(rng).Fill(message);
    bytes = Encode(message);
  });
  return bytes;
}

size_t Place(Rng& rng, const std::string& bytes) {
  return static_cast<size_t>(rng.Below(static_cast<int64_t>(bytes.size()) + 1));
}

// Writes an edge-case number at a random place, which may be a length or a count.
void PutNumber(Rng& rng, std::string& bytes) {
  constexpr std::array<uint64_t, 7> kNumbers = {0,          1,          2,           0xff,
                                                0x7fffffff, 0xffffffff, ~uint64_t{0}};
  const uint64_t number = kNumbers[static_cast<size_t>(rng.Below(kNumbers.size()))];
  const size_t at = Place(rng, bytes);
  const size_t size = size_t{1} << rng.Below(4);
  for (size_t i = 0; i < size && at + i < bytes.size(); ++i) {
    bytes[at + i] = static_cast<char>(number >> (8 * i) & 0xff);
  }
}

void Mutate(Rng& rng, std::string& bytes) {
  const size_t at = Place(rng, bytes);
  const auto length = static_cast<size_t>(rng.Below(16));
  switch (rng.Below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] ^= static_cast<char>(1 << rng.Below(8));
      break;
    case 1: PutNumber(rng, bytes); break;
    case 2: bytes.erase(at, length); break;
    case 3: bytes.insert(at, length, static_cast<char>(rng.Below(256))); break;
    case 4: bytes.insert(at, bytes.substr(Place(rng, bytes), length)); break;
    case 5: bytes.resize(at); break;
  }
}

// Frames of messages, some damaged before framing, some after.
std::string RandomStream(Rng& rng) {
  std::string stream;
  for (int64_t left = 1 + rng.Below(3); left > 0; --left) {
    Frame frame{static_cast<uint16_t>(rng.Below(9)), rng.Next() >> rng.Below(64),
                RandomMessage(rng)};
    for (int64_t times = rng.Below(3); times > 0; --times) Mutate(rng, frame.payload);
    stream += EncodeFrame(frame);
  }
  for (int64_t times = rng.Below(4); times > 0; --times) Mutate(rng, stream);
  return stream;
}

struct Decoded {
  std::vector<Frame> frames;
  std::optional<std::string> error;

  bool operator==(const Decoded&) const = default;
};

// Returns false if the decoder has no more output.
bool TakeOne(FrameDecoder& decoder, Decoded& decoded) {
  Result<std::optional<Frame>> frame = decoder.Next();
  if (!frame) {
    decoded.error = frame.error().message;
    return false;
  }
  if (!*frame) return false;
  decoded.frames.push_back(**std::move(frame));
  return true;
}

Decoded DecodeWhole(const std::string& stream) {
  FrameDecoder decoder;
  decoder.Feed(stream);
  Decoded decoded;
  while (TakeOne(decoder, decoded)) {
  }
  return decoded;
}

Decoded DecodeInPieces(const std::string& stream, Rng& rng) {
  FrameDecoder decoder;
  Decoded decoded;
  for (size_t at = 0; at < stream.size();) {
    const auto size = static_cast<size_t>(1 + rng.Below(1 + rng.Below(64)));
    decoder.Feed(std::string_view(stream).substr(at, size));
    at += size;
    while (TakeOne(decoder, decoded)) {
    }
  }
  return decoded;
}

class FrameFuzzer {
 public:
  explicit FrameFuzzer(uint64_t seed) : rng_(seed) {}

  FrameFuzzReport Run(double seconds, const Clock& clock, const ProgressCallback& watch) {
    const double begin = clock.Now();
    while (!report_.diagnostic && clock.Now() - begin < seconds &&
           GoesOn(watch, report_.executions, 0)) {
      for (int i = 0; i < kStreamsPerReading && !report_.diagnostic; ++i) Try(RandomStream(rng_));
    }
    report_.seconds = clock.Now() - begin;
    return std::move(report_);
  }

 private:
  void Expect(bool right, const std::string& stream, const std::string& message) {
    if (right || report_.diagnostic) return;
    report_.diagnostic = stream;
    report_.message = message;
  }

  void ExpectFrugal(int64_t before, const std::string& stream, const std::string& what) {
    const int64_t allowed = kMostFactor * static_cast<int64_t>(stream.size()) + kMostBeside;
    Expect(AllocatedBytes() - before <= allowed, stream, what + " asks for too much memory");
  }

  void Try(const std::string& stream) {
    ++report_.executions;
    const int64_t before = AllocatedBytes();
    const Decoded whole = DecodeWhole(stream);
    ExpectFrugal(before, stream, "the frame decoder");
    Expect(whole == DecodeInPieces(stream, rng_), stream,
           "pieces give other frames than the whole");
    std::string again;
    for (const Frame& frame : whole.frames) again += EncodeFrame(frame);
    Expect(stream.starts_with(again), stream, "frames do not encode to what they were");
    report_.refused += whole.error ? 1 : 0;
    for (const Frame& frame : whole.frames) TryMessages(frame.payload);
  }

  void TryMessages(const std::string& payload) {
    ++report_.frames;
    AllMessages::ForEach([&]<typename Message>(std::type_identity<Message>) {
      const int64_t before = AllocatedBytes();
      const Result<Message> message = Decode<Message>(payload);
      ExpectFrugal(before, payload, Message::kName);
      if (!message) return;
      ++report_.messages;
      Expect(Encode(*message) == payload, payload,
             std::string(Message::kName) + " does not encode to what it was");
      if constexpr (std::is_same_v<Message, MeasureReply>) TryMeasurement(*message, payload);
      if constexpr (std::is_same_v<Message, AgentLesson>) TryLesson(*message, payload);
    });
  }

  void TryMeasurement(const MeasureReply& reply, const std::string& payload) {
    const Result<Measurement> measurement = FromWire(reply);
    if (!measurement) return;
    const Result<Measurement> again = FromWire(ToWire(*measurement));
    Expect(again.ok(), payload, "a measurement does not survive the way back");
  }

  // Its records are refused or survive the round trip; the same with positions that fit.
  void TryLesson(AgentLesson lesson, const std::string& payload) {
    TryRecords(lesson, payload);
    WireRecords& wire = lesson.records;
    wire.tasks.resize(1);
    wire.sessions.clear();
    lesson.trials.resize(wire.records.size());
    for (size_t i = 0; i < wire.records.size(); ++i) {
      wire.records[i].place = static_cast<int64_t>(i);
      wire.records[i].task = 0;
      wire.records[i].session.reset();
    }
    TryRecords(lesson, payload);
  }

  void TryRecords(const AgentLesson& lesson, const std::string& payload) {
    const Result<RecordList> records = FromWire(lesson.records, lesson.trials.size());
    if (!records) return;
    const Result<RecordList> again = FromWire(ToWire(*records), records->size());
    Expect(again && SameRecords(*records, *again), payload, "records do not survive the way back");
  }

  static bool SameRecords(const RecordList& left, const RecordList& right) {
    return std::ranges::equal(left, right, [](const auto& a, const auto& b) {
      return a == nullptr || b == nullptr ? a == b : *a == *b;
    });
  }

  Rng rng_;
  FrameFuzzReport report_;
};

}  // namespace

FrameFuzzReport FuzzFrames(uint64_t seed, double seconds, const Clock& clock,
                           const ProgressCallback& watch) {
  return FrameFuzzer(seed).Run(seconds, clock, watch);
}

}  // namespace schedulegym
