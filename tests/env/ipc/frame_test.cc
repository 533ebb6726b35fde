#include "env/ipc/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

using testing::HasSubstr;

const std::vector<Frame>& Samples() {
  static const std::vector<Frame> samples = {
      {1, 7, "payload"}, {0xffff, ~uint64_t{0}, ""}, {2, 0, std::string(300, '\0')}};
  return samples;
}

std::string StreamOf(const std::vector<Frame>& frames) {
  std::string stream;
  for (const Frame& frame : frames) stream += EncodeFrame(frame);
  return stream;
}

std::vector<Frame> TakeAll(FrameDecoder& decoder) {
  std::vector<Frame> frames;
  while (true) {
    Result<std::optional<Frame>> frame = decoder.Next();
    EXPECT_TRUE(frame.ok());
    if (!frame || !*frame) return frames;
    frames.push_back(**frame);
  }
}

std::string ErrorOf(const std::string& stream) {
  FrameDecoder decoder;
  decoder.Feed(stream);
  const Result<std::optional<Frame>> frame = decoder.Next();
  return frame.ok() ? "" : frame.error().message;
}

// A header with arbitrary fields, in wire format.
std::string Header(const std::string& magic, uint16_t version, uint32_t length) {
  std::string header = magic;
  const auto put = [&](uint64_t value, int size) {
    for (int i = 0; i < size; ++i) header.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  };
  put(version, 2);
  put(3, 2);
  put(4, 8);
  put(length, 4);
  return header;
}

TEST(FrameTest, TheBytesAreAsDocumented) {
  const std::string bytes = EncodeFrame({0x0102, 0x1122334455667788, "ab"});
  EXPECT_EQ(bytes,
            std::string("SGYM\x01\x00\x02\x01\x88\x77\x66\x55\x44\x33\x22\x11\x02\x00\x00\x00"
                        "ab",
                        22));
  EXPECT_EQ(bytes.size(), kFrameHeaderBytes + 2);
}

TEST(FrameTest, EverySplitInTwoGivesTheSameFrames) {
  const std::string stream = StreamOf(Samples());
  for (size_t split = 0; split <= stream.size(); ++split) {
    FrameDecoder decoder;
    decoder.Feed(stream.substr(0, split));
    std::vector<Frame> frames = TakeAll(decoder);
    decoder.Feed(stream.substr(split));
    for (const Frame& frame : TakeAll(decoder)) frames.push_back(frame);
    EXPECT_EQ(frames, Samples()) << split;
  }
}

TEST(FrameTest, BytesOneByOneGiveTheSameFrames) {
  FrameDecoder decoder;
  std::vector<Frame> frames;
  for (char byte : StreamOf(Samples())) {
    decoder.Feed({&byte, 1});
    for (const Frame& frame : TakeAll(decoder)) frames.push_back(frame);
  }
  EXPECT_EQ(frames, Samples());
}

TEST(FrameTest, NothingComesOutOfAnUnfinishedFrame) {
  const std::string stream = EncodeFrame({1, 2, "three"});
  FrameDecoder decoder;
  for (size_t i = 0; i + 1 < stream.size(); ++i) {
    decoder.Feed(stream.substr(i, 1));
    EXPECT_TRUE(TakeAll(decoder).empty());
  }
}

TEST(FrameTest, SaysWhatIsNoFrame) {
  EXPECT_THAT(ErrorOf("X"), HasSubstr("begin no frame"));
  EXPECT_THAT(ErrorOf("SGYX"), HasSubstr("begin no frame"));
  EXPECT_THAT(ErrorOf(Header("GET ", 1, 0)), HasSubstr("begin no frame"));
  EXPECT_THAT(ErrorOf(Header("SGYM", 9, 0)), HasSubstr("version 9, expected version 1"));
  EXPECT_THAT(ErrorOf(Header("SGYM", 1, 0xffffffff)), HasSubstr("4294967295 bytes, expected"));
  EXPECT_THAT(ErrorOf(Header("SGYM", 1, kMostPayloadBytes + 1)), HasSubstr("expected at most"));
  EXPECT_EQ(ErrorOf(Header("SGYM", 1, kMostPayloadBytes)), "");
}

TEST(FrameTest, AfterAFaultNothingCountsAnyMore) {
  FrameDecoder decoder;
  decoder.Feed(EncodeFrame({1, 2, "good"}) + "bad bytes");
  EXPECT_TRUE(decoder.Next()->has_value());
  const std::string fault = decoder.Next().error().message;
  decoder.Feed(EncodeFrame({1, 2, "good"}));
  ASSERT_FALSE(decoder.Next().ok());
  EXPECT_EQ(decoder.Next().error().message, fault);
}

// The decoder keeps at most a block of consumed bytes, however long the stream.
TEST(FrameTest, LongStreamsOfLargeFramesComeThrough) {
  FrameDecoder decoder;
  for (uint64_t id = 0; id < 200; ++id) {
    const Frame frame{1, id, std::string(10000 + id, static_cast<char>(id))};
    const std::string bytes = EncodeFrame(frame);
    decoder.Feed(bytes.substr(0, 5000));
    decoder.Feed(bytes.substr(5000) + (id % 2 == 0 ? "" : EncodeFrame({2, id, ""})));
    std::vector<Frame> expected = {frame};
    if (id % 2 != 0) expected.push_back({2, id, ""});
    EXPECT_EQ(TakeAll(decoder), expected);
  }
}

TEST(FrameTest, TooLongAPayloadIsABug) {
  EXPECT_THROW(EncodeFrame({1, 1, std::string(kMostPayloadBytes + 1, 'x')}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
