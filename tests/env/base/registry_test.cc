#include "env/base/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

Registry<int> Numbers() {
  Registry<int> numbers("number");
  numbers.Add({"one", "", "the first"}, 1);
  numbers.Add({"two", "twice=true", "the second"}, 2);
  return numbers;
}

std::string RefusalOf(const Spec& spec) {
  try {
    Numbers().Find(spec);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "none";
}

TEST(RegistryTest, FindsByName) {
  EXPECT_EQ(Numbers().Find({"one", {}}), 1);
  EXPECT_EQ(Numbers().Find({"two", {{"twice", {true}}}}), 2);
}

TEST(RegistryTest, AnUnknownNameIsRefusedWithThoseThatExist) {
  const std::string refusal = RefusalOf({"twoo", {}});
  EXPECT_THAT(refusal, HasSubstr("unknown number 'twoo'"));
  EXPECT_THAT(refusal, HasSubstr("one, two"));
  EXPECT_THAT(refusal, HasSubstr("did you mean 'two'"));
}

TEST(RegistryTest, LinesKeepTheirOrder) {
  const std::vector<CatalogLine> lines = Numbers().lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].name, "one");
  EXPECT_EQ(lines[1].parameters, "twice=true");
  EXPECT_EQ(lines[1].description, "the second");
}

TEST(RegistryTest, ANameIsTakenOnce) {
  Registry<int> numbers = Numbers();
  EXPECT_THROW(numbers.Add({"one", "", ""}, 3), InputError);
  EXPECT_EQ(numbers.lines().size(), 2u);
  EXPECT_EQ(numbers.Find({"one", {}}), 1);
}

}  // namespace
}  // namespace schedulegym
