#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/output_file.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using namespace std::string_literals;

class KeptFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void Put(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }
  KeptFile KindOf(const std::string& content) const {
    Put(content);
    return KeptFileAt(path_);
  }
  std::string Refusal(KeptFile written) const {
    return InputFaultOf([&] { OutputFile file(path_, written); });
  }

  std::string path_ = testing::TempDir() + "kept_file_test";
};

// The first bytes, from the documentation of each format.
const std::string kStoreBytes = "SQLite format 3\0\x10\0\x02\x02"s;
const std::string kTableBytes = "{\"schedulegym_table\":1,\"kind\":\"knobs\"}\n";

TEST_F(KeptFileTest, IsToldByItsFirstBytes) {
  EXPECT_EQ(KindOf(kStoreBytes), KeptFile::kStore);
  EXPECT_EQ(KindOf("\x37\x7f\x06\x82\x00\x2d\xe2\x18"s), KeptFile::kStore);
  EXPECT_EQ(KindOf("\x37\x7f\x06\x83\x00\x2d\xe2\x18"s), KeptFile::kStore);
  EXPECT_EQ(KindOf(kTableBytes), KeptFile::kTable);
  EXPECT_EQ(KindOf(Gzip(kTableBytes)), KeptFile::kTable);
  EXPECT_EQ(KindOf("schedulegym checkpoint 1\n"), KeptFile::kLearned);
  EXPECT_EQ(KindOf("schedulegym memory: boosted 1\n{}"), KeptFile::kLearned);
}

TEST_F(KeptFileTest, AnythingElseIsNone) {
  EXPECT_EQ(KindOf(""), KeptFile::kNone);
  EXPECT_EQ(KindOf("trace 1\n"), KeptFile::kNone);
  EXPECT_EQ(KindOf("SQLite"), KeptFile::kNone);
  EXPECT_EQ(KindOf(Gzip("{\"schedulegym_curve\":1}")), KeptFile::kNone);
  EXPECT_EQ(KindOf(Gzip(kTableBytes).substr(0, 20)), KeptFile::kNone);
  EXPECT_EQ(KeptFileAt(path_ + ".none"), KeptFile::kNone);
  EXPECT_EQ(KeptFileAt(testing::TempDir()), KeptFile::kNone);
}

TEST_F(KeptFileTest, IsReplacedByItsOwnKindAlone) {
  Put(kTableBytes);
  EXPECT_EQ(Refusal(KeptFile::kTable), "");
  for (KeptFile written : {KeptFile::kNone, KeptFile::kLearned}) {
    EXPECT_EQ(Refusal(written), "cannot write '" + path_ +
                                    "': found a table, which this output would replace; expected "
                                    "another place");
  }
  Put(kStoreBytes);
  EXPECT_NE(Refusal(KeptFile::kNone), "");
  Put("trace 1\n");
  EXPECT_EQ(Refusal(KeptFile::kNone), "");
}

TEST_F(KeptFileTest, IsNotReplacedEitherWhereItCameMeanwhile) {
  OutputFile file(path_);
  file.Write("trace 1\n");
  Put(kStoreBytes);
  EXPECT_THROW(file.Commit(), InputError);
  EXPECT_EQ(KeptFileAt(path_), KeptFile::kStore);
}

}  // namespace
}  // namespace schedulegym
