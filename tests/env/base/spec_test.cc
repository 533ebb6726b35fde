#include "env/base/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

Spec Parsed(const std::string& text) {
  const auto spec = ParseSpec(text);
  EXPECT_TRUE(spec.ok()) << text;
  return *spec;
}

std::string FaultOf(const std::string& text) {
  const auto spec = ParseSpec(text);
  return spec.ok() ? "none" : spec.error().message;
}

TEST(SpecTest, ReadsEveryKindOfValue) {
  const Spec spec =
      Parsed(" ppo ( lr = 3e-4,n=-7, on=true,off=false,\n name=\"a, \\\"b\\\"\", net=mlp(d=2)) ");
  ASSERT_EQ(spec.options.size(), 6u);
  EXPECT_EQ(spec.name, "ppo");
  EXPECT_EQ(std::get<double>(spec.options[0].value.value), 3e-4);
  EXPECT_EQ(std::get<int64_t>(spec.options[1].value.value), -7);
  EXPECT_EQ(std::get<bool>(spec.options[2].value.value), true);
  EXPECT_EQ(std::get<bool>(spec.options[3].value.value), false);
  EXPECT_EQ(std::get<std::string>(spec.options[4].value.value), "a, \"b\"");
  EXPECT_EQ(std::get<Spec>(spec.options[5].value.value).options[0].key, "d");
}

TEST(SpecTest, TakesPathsAndWords) {
  EXPECT_EQ(Parsed("../a-b/c_1.dag(n=128)").name, "../a-b/c_1.dag");
  EXPECT_EQ(std::get<Spec>(Parsed("a(b=inf)").options[0].value.value).name, "inf");
  EXPECT_EQ(std::get<Spec>(Parsed("a(b=x86-64-v3)").options[0].value.value).name, "x86-64-v3");
  EXPECT_TRUE(Parsed("a()").options.empty());
}

TEST(SpecTest, NamesWhatItFound) {
  EXPECT_THAT(FaultOf(""), HasSubstr("column 1: found the end, expected a name"));
  EXPECT_THAT(FaultOf("a("), HasSubstr("column 3: found the end, expected a key"));
  EXPECT_THAT(FaultOf("a(b)"), HasSubstr("column 4: found ')', expected '=' after key 'b'"));
  EXPECT_THAT(FaultOf("a(b=)"), HasSubstr("found ')', expected a value"));
  EXPECT_THAT(FaultOf("a(b=1"), HasSubstr("found the end, expected ',' or ')'"));
  EXPECT_THAT(FaultOf("a(b=1) c"), HasSubstr("found 'c', expected the end"));
  EXPECT_THAT(FaultOf("a(b=\"x)"), HasSubstr("expected a closing '\"'"));
  EXPECT_THAT(FaultOf("a(b=1,b=2)"), HasSubstr("key 'b' stands twice"));
  EXPECT_THAT(FaultOf("é(ü=1;"), HasSubstr("column 6: found ';', expected ',' or ')'"));
  EXPECT_THAT(FaultOf(std::string("a(b=\"x\0y\")", 11)), HasSubstr("column 7: found '\\x00'"));
  EXPECT_EQ(ParseSpec("\ufeffé(b=1)")->ToText(), "é(b=1)");
}

TEST(SpecTest, RefusesEndlessNesting) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "a(b=";
  EXPECT_THAT(FaultOf(text), HasSubstr("fewer brackets"));
}

TEST(SpecTest, PrintsWhatParsesBack) {
  for (const char* text : {"a", "a(b=1,c=2.5,d=true)", "a(b=\"q \\\"\\\\\\n\",c=d(e=-1e-09))"}) {
    const Spec spec = Parsed(text);
    EXPECT_EQ(spec.ToText(), text);
    EXPECT_TRUE(Parsed(spec.ToText()) == spec);
  }
  EXPECT_EQ(Parsed("a ( b = 2e0 )").ToText(), "a(b=2.0)");
}

TEST(SpecReaderTest, ReadsWithDefaults) {
  SpecReader reader(Parsed("x(i=3,whole=4.0,f=2,w=word,s=\"text\",on=true,sub=y(z=1))"), "thing");
  EXPECT_EQ(reader.Integer("i", 0), 3);
  EXPECT_EQ(reader.Integer("whole", 0), 4);
  EXPECT_EQ(reader.Integer("absent", 9), 9);
  EXPECT_EQ(reader.Number("f", 0), 2);
  EXPECT_EQ(reader.Number("none", 1.5), 1.5);
  EXPECT_EQ(reader.Word("w", ""), "word");
  EXPECT_EQ(reader.Choice("s", "a", {"a", "text"}), "text");
  EXPECT_TRUE(reader.Flag("on", false));
  EXPECT_EQ(reader.OptionalSpec("sub")->name, "y");
  EXPECT_FALSE(reader.OptionalSpec("other"));
  EXPECT_FALSE(reader.OptionalInteger("nothing"));
  EXPECT_EQ(reader.RequiredInteger("i"), 3);
  EXPECT_NO_THROW(reader.Finish());
}

TEST(SpecReaderTest, NamesKeyValueAndExpectation) {
  const Spec spec = Parsed("x(i=word,n=1.5,size=2)");
  const auto read = [&](auto call) {
    return InputFaultOf([&] {
      SpecReader reader(spec, "thing");
      call(reader);
    });
  };
  EXPECT_EQ(read([](SpecReader& r) { r.Integer("i", 0); }),
            "thing 'x': key 'i' is word, expected an integer");
  EXPECT_EQ(read([](SpecReader& r) { r.Integer("n", 0); }),
            "thing 'x': key 'n' is 1.5, expected an integer");
  EXPECT_EQ(read([](SpecReader& r) { r.Flag("size", false); }),
            "thing 'x': key 'size' is 2, expected true or false");
  EXPECT_EQ(read([](SpecReader& r) { r.RequiredInteger("m"); }),
            "thing 'x': key 'm' is missing, expected an integer");
  EXPECT_EQ(read([](SpecReader& r) {
              r.Choice("i", "a", {"worm", "a"});
            }),
            "thing 'x': unknown i 'word': expected one of worm, a (did you mean 'worm'?)");
  EXPECT_EQ(read([](SpecReader& r) {
              r.Word("i", "");
              r.Number("n", 0);
              r.Integer("sise", 0);
              r.Finish();
            }),
            "thing 'x': unknown key 'size': expected one of i, n, sise (did you mean 'sise'?)");
}

}  // namespace
}  // namespace schedulegym
