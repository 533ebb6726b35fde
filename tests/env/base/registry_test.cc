#include "env/base/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

Registry<int> Numbers() {
  return Registry<int>("number",
                       {{"one", "", "the first", 1}, {"two", "twice=true", "the second", 2}});
}

std::string RefusalOf(const Spec& spec) {
  return InputFaultOf([&] { Numbers().Find(spec); });
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

TEST(RegistryTest, OtherNamesEndTheMessage) {
  const Registry<int> numbers("number", {{"one", "", "", 1}}, ", or a digit");
  try {
    numbers.At("seven");
    FAIL() << "expected an InputError";
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "unknown number 'seven': expected one, or a digit");
  }
}

TEST(RegistryTest, EntriesAreFoundByNameWithTheirTexts) {
  const Registry<int> numbers = Numbers();
  EXPECT_TRUE(numbers.Has("two"));
  EXPECT_FALSE(numbers.Has("three"));
  EXPECT_EQ(numbers.At("two").description, "the second");
  EXPECT_THROW(numbers.At("three"), InputError);
  EXPECT_THAT(numbers.names(), testing::ElementsAre("one", "two"));
}

TEST(RegistryTest, AMakerIsReplacedWhereThereIsOne) {
  Registry<int> numbers = Numbers();
  numbers.Replace("two", 22);
  numbers.Replace("three", 33);
  EXPECT_EQ(numbers.Find({"two", {}}), 22);
  EXPECT_EQ(numbers.At("two").parameters, "twice=true");
  EXPECT_FALSE(numbers.Has("three"));
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
  EXPECT_THROW(numbers.Add({"one", "", "", 3}), InputError);
  EXPECT_EQ(numbers.size(), 2u);
  EXPECT_EQ(numbers.Find({"one", {}}), 1);
  const std::vector<RegistryEntry<int>> twice = {{"one", "", "", 1}, {"one", "", "", 2}};
  EXPECT_THROW(Registry<int>("number", twice), InputError);
}

}  // namespace
}  // namespace schedulegym
