#include "assembly/measuring/measurer_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "tests/assembly/shipped_table.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

TEST(TableCacheTest, ReadsAFileOnce) {
  TableCache tables;
  const auto states = tables.Read(ShippedTable("conv2d"));
  EXPECT_GT(states->rows().size(), 100u);
  EXPECT_EQ(tables.Read(ShippedTable("conv2d")), states);
  EXPECT_NE(tables.Read(ShippedTable("matmul")), states);
  EXPECT_NE(TableCache().Read(ShippedTable("conv2d")), states);
}

TEST(TableCacheTest, ReadsAgainWhatHasChanged) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("some.table");
  fs::copy_file(ShippedTable("conv2d"), path);
  TableCache tables;
  const auto before = tables.Read(path);
  fs::copy_file(ShippedTable("matmul"), path, fs::copy_options::overwrite_existing);
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(5));
  const auto after = tables.Read(path);
  EXPECT_NE(after->table().task()->name, before->table().task()->name);
  std::ofstream(path) << "no table";
  EXPECT_THROW(tables.Read(path), InputError);
  fs::remove(path);
  EXPECT_THROW(tables.Read(path), InputError);
}

TEST(TableCacheTest, ATableWithoutTheReferencesTimeIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("some.table");
  std::string text = ReadPackedFile(ShippedTable("conv2d"), kTableFile);
  const std::string key = "\"reference_seconds\":";
  const size_t begin = text.find(key) + key.size();
  ASSERT_LT(begin, text.size());
  text.replace(begin, text.find_first_of(",}", begin) - begin, "0");
  std::ofstream(path) << text;
  try {
    TableCache().Read(path);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), testing::HasSubstr(path + ": found no time of the reference"));
  }
}

}  // namespace
}  // namespace schedulegym
