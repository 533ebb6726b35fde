#include "agents/learned/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/hash.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

Checkpoint Sample() {
  Checkpoint checkpoint;
  checkpoint.Put("kind", std::string("harl 1"));
  checkpoint.Put("note", std::string("sum of\nfloats x 3\n\0", 18));
  checkpoint.Put("actor.0", Checkpoint::Floats{{2, 3}, {1, -2, 0.1F, 0, -0.0F, 1e-42F}});
  checkpoint.Put("means", Checkpoint::Doubles{{2}, {1.0 / 3, -1e300}});
  checkpoint.Put("rng", Checkpoint::Words{{4}, {1, 2, UINT64_MAX, 0}});
  checkpoint.Put("nothing", Checkpoint::Doubles{{0}, {}});
  return checkpoint;
}

// The error of reading `bytes`; "" if there is none.
std::string Refusal(const std::string& bytes) {
  try {
    ParseCheckpoint(bytes, "a.sgp");
    return "";
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("cannot read 'a.sgp' as a checkpoint: "));
    EXPECT_EQ(std::string(fault.what()).find('\n'), std::string::npos) << "one line";
    return fault.what();
  }
}

// A file with these lines between its first line and its checksum.
std::string Sealed(const std::string& lines) {
  const std::string bytes = "schedulegym checkpoint 1\n" + lines;
  Hasher hasher;
  hasher.Add(bytes);
  return bytes + "sum " + hasher.KeyValue().ToText() + "\n";
}

TEST(CheckpointTest, ReadsWhatItWrote) {
  const Checkpoint sample = Sample();
  const Checkpoint read = ParseCheckpoint(ToBytes(sample), "a.sgp");
  EXPECT_EQ(read, sample);
  EXPECT_EQ(ToBytes(read), ToBytes(sample));
  EXPECT_TRUE(std::signbit(read.FloatsOf("actor.0", {2, 3}).values[4])) << "to the bit";
}

TEST(CheckpointTest, TheFileIsPlain) {
  Checkpoint checkpoint;
  checkpoint.Put("kind", std::string("harl 1"));
  checkpoint.Put("rng", Checkpoint::Words{{1}, {0x4142434445464748}});
  EXPECT_EQ(ToBytes(checkpoint), Sealed("text kind 6\nharl 1\nwords rng 1\nHGFEDCBA\n"));
  EXPECT_EQ(ToBytes(Checkpoint()), Sealed(""));
}

TEST(CheckpointTest, EntriesHaveKindsAndShapes) {
  const Checkpoint sample = Sample();
  EXPECT_EQ(sample.Text("kind"), "harl 1");
  EXPECT_EQ(sample.FloatsOf("actor.0", {2, 3}).values[1], -2);
  EXPECT_EQ(sample.DoublesOf("means", {2}).values[1], -1e300);
  EXPECT_EQ(sample.Numbers("means")[0], 1.0 / 3);
  EXPECT_EQ(sample.WordsOf("rng")[2], UINT64_MAX);
  EXPECT_TRUE(sample.Has("rng"));
  EXPECT_FALSE(sample.Has("rn"));
}

template <typename Read>
std::string Missing(const Read& read) {
  try {
    read(Sample());
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(CheckpointTest, SaysWhatIsMissingOrOtherThanExpected) {
  EXPECT_EQ(Missing([](const Checkpoint& all) { all.Text("age"); }),
            "the checkpoint has no 'age', expected text");
  EXPECT_EQ(Missing([](const Checkpoint& all) { all.Numbers("actor.0"); }),
            "the checkpoint's 'actor.0' is floats 2x3, expected doubles");
  EXPECT_EQ(Missing([](const Checkpoint& all) { all.WordsOf("kind"); }),
            "the checkpoint's 'kind' is text, expected words");
  EXPECT_EQ(Missing([](const Checkpoint& all) {
              all.FloatsOf("actor.0", {3, 2});
            }),
            "the checkpoint's 'actor.0' is 2x3, expected 3x2");
}

TEST(CheckpointTest, APlaceIsPutOnceAndHoldsWhatAReaderTakes) {
  Checkpoint checkpoint = Sample();
  const auto put = [&](const std::string& name, Checkpoint::Entry entry) {
    checkpoint.Put(name, std::move(entry));
  };
  EXPECT_THROW(put("kind", std::string()), std::logic_error);
  EXPECT_THROW(put("Kind", std::string()), std::logic_error);
  EXPECT_THROW(put("", std::string()), std::logic_error);
  EXPECT_THROW(put(std::string(65, 'a'), std::string()), std::logic_error);
  EXPECT_NO_THROW(put(std::string(64, 'a'), std::string()));
  EXPECT_THROW(put("a", Checkpoint::Floats{{2}, {1}}), std::logic_error);
  EXPECT_THROW(put("a", Checkpoint::Floats{{}, {1}}), std::logic_error);
  EXPECT_THROW(put("a", Checkpoint::Floats{{-1, -1}, {1}}), std::logic_error);
  EXPECT_THROW(put("a", Checkpoint::Floats{{1}, {std::nanf("")}}), std::logic_error);
  EXPECT_THROW(put("a", Checkpoint::Doubles{{1}, {std::numeric_limits<double>::infinity()}}),
               std::logic_error);
}

TEST(CheckpointTest, RefusesOtherFiles) {
  EXPECT_THAT(Refusal(""), HasSubstr("it does not begin with 'schedulegym checkpoint 1'"));
  EXPECT_THAT(Refusal("schedulegym checkpoint 2\n"), HasSubstr("does not begin with"));
  EXPECT_THAT(Refusal("schedulegym checkpoint 1\n"), HasSubstr("it ends too early"));
  EXPECT_THAT(Refusal(Sealed("") + "x"), HasSubstr("something follows its checksum"));
  EXPECT_THAT(Refusal(Sealed("text a 1\n")), HasSubstr("an entry is longer"));
}

TEST(CheckpointTest, RefusesEntriesThatMakeNoSense) {
  EXPECT_THAT(Refusal(Sealed("numbers a 1\nx\n")),
              HasSubstr("expected text, floats, doubles or words"));
  EXPECT_THAT(Refusal(Sealed("text A 1\nx\n")), HasSubstr("expected a kind, a name and a size"));
  EXPECT_THAT(Refusal(Sealed("text a\n")), HasSubstr("expected a kind, a name and a size"));
  EXPECT_THAT(Refusal(Sealed("text a 1\nx\ntext a 1\nx\n")), HasSubstr("'a' stands in it twice"));
  EXPECT_THAT(Refusal(Sealed("text a 1x1\nx\n")), HasSubstr("a text has one size"));
  for (const char* size : {"-1", "1x", "x1", "1xx1", "a", "1x1x1x1x1", "99999999999999999999"}) {
    EXPECT_THAT(Refusal(Sealed(std::string("floats a ") + size + "\nabcd\n")),
                HasSubstr("expected one such as 128x96"))
        << size;
  }
  EXPECT_THAT(Refusal(Sealed("floats a 1\n\xff\xff\xff\xff\n")),
              HasSubstr("numbers are not finite"));
  EXPECT_THAT(Refusal(Sealed(std::string(300, 'a'))), HasSubstr("a line without an end"));
}

TEST(CheckpointTest, SizesBeyondTheFileTakeNoMemory) {
  for (const char* size : {"9223372036854775807", "4611686018427387904x4", "3037000500x3037000500",
                           "2", "0x9000000000x2"}) {
    EXPECT_NE(Refusal(Sealed(std::string("floats a ") + size + "\nabcd\n")), "") << size;
  }
  EXPECT_NE(Refusal(Sealed("text a 9223372036854775807\nabcd\n")), "");
}

TEST(CheckpointTest, EveryDamageIsSeen) {
  const std::string bytes = ToBytes(Sample());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_NE(Refusal(damaged), "") << i;
    EXPECT_NE(Refusal(bytes.substr(0, i)), "") << i;
  }
}

TEST(CheckpointTest, ThereIsAnEndToEntries) {
  std::string lines;
  for (int i = 0; i < 4097; ++i) lines += "text a" + std::to_string(i) + " 0\n\n";
  EXPECT_THAT(Refusal(Sealed(lines)), HasSubstr("more than 4096 entries"));
}

TEST(CheckpointTest, FilesAppearWhole) {
  const std::string path = testing::TempDir() + "checkpoint_" + std::to_string(getpid()) + ".sgp";
  WriteCheckpoint(path, Checkpoint());
  WriteCheckpoint(path, Sample());
  EXPECT_EQ(ReadCheckpoint(path), Sample());
  std::filesystem::resize_file(path, 40);
  EXPECT_THROW(ReadCheckpoint(path), InputError);
  std::filesystem::remove(path);
  EXPECT_THROW(ReadCheckpoint(path), InputError);
}

}  // namespace
}  // namespace schedulegym
