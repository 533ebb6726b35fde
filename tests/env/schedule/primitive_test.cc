#include "env/schedule/primitive.h"

#include <gtest/gtest.h>

#include <set>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

const StageNames kNames = {"A", "B", "C", "C.local", "P_1"};

std::string ErrorOf(std::string_view line) {
  const auto primitive = ParsePrimitive(line, kNames);
  if (primitive) return "";
  EXPECT_EQ(primitive.error().kind, ErrorKind::kParse);
  return primitive.error().message;
}

// Draws a value for any field, legal or not.
class Drawing {
 public:
  explicit Drawing(Rng& rng) : rng_(rng) {}

  void operator()(StageRef& stage) { stage.id = static_cast<int>(rng_.Below(5)); }
  void operator()(int& value) { value = static_cast<int>(rng_.Below(200)) - 100; }
  void operator()(int64_t& value) { value = rng_.Below(int64_t{1} << 50) - (int64_t{1} << 49); }
  void operator()(bool& value) { value = rng_.Chance(0.5); }
  void operator()(std::string& value) { value = rng_.Chance(0.5) ? "auto_unroll_max_step" : "x"; }
  void operator()(MemoryScope& scope) { scope = static_cast<MemoryScope>(rng_.Below(3)); }
  void operator()(Annotation& thread) {
    thread = static_cast<Annotation>(static_cast<int>(Annotation::kVthread) + rng_.Below(7));
  }
  template <typename T>
  void operator()(std::vector<T>& values) {
    values.resize(rng_.Below(5));
    for (T& value : values) (*this)(value);
  }

 private:
  Rng& rng_;
};

template <typename P>
Primitive Drawn(Rng& rng) {
  P primitive;
  Drawing draw(rng);
  ForEachField<P>([&](const auto& field) { draw(primitive.*field.member); });
  return primitive;
}

template <size_t... I>
std::vector<Primitive> DrawnOfEveryKind(Rng& rng, std::index_sequence<I...>) {
  return {Drawn<std::variant_alternative_t<I, Primitive>>(rng)...};
}

std::vector<Primitive> DrawnOfEveryKind(Rng& rng) {
  return DrawnOfEveryKind(rng, std::make_index_sequence<std::variant_size_v<Primitive>>{});
}

TEST(PrimitiveTest, TextIsReadBack) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    for (const Primitive& primitive : DrawnOfEveryKind(rng)) {
      const std::string text = ToText(primitive, kNames);
      const auto read = ParsePrimitive(text, kNames);
      ASSERT_TRUE(read.ok()) << text << ": " << read.error().message;
      ASSERT_TRUE(*read == primitive) << text;
      ASSERT_EQ(HashOf(*read), HashOf(primitive)) << text;
      ASSERT_EQ(ToText(*read, kNames), text);
    }
  }
}

TEST(PrimitiveTest, EqualsAndHashesByContent) {
  Rng rng(2);
  std::vector<Primitive> drawn;
  for (int trial = 0; trial < 40; ++trial) {
    for (Primitive& primitive : DrawnOfEveryKind(rng)) drawn.push_back(std::move(primitive));
  }
  std::set<uint64_t> hashes;
  std::set<std::string> texts;
  for (const Primitive& primitive : drawn) {
    hashes.insert(HashOf(primitive));
    texts.insert(ToText(primitive, kNames));
  }
  EXPECT_EQ(hashes.size(), texts.size());
  for (size_t i = 1; i < drawn.size(); ++i) {
    EXPECT_EQ(drawn[i] == drawn[i - 1], ToText(drawn[i], kNames) == ToText(drawn[i - 1], kNames));
  }
}

TEST(PrimitiveTest, LeavesOutDefaultFlags) {
  EXPECT_EQ(ToText(Split{{2}, 1, {4}}, kNames), "split(stage=C, loop=1, lengths=[4])");
  EXPECT_EQ(ToText(Split{{2}, 1, {4}, false}, kNames),
            "split(stage=C, loop=1, lengths=[4], inner_to_outer=false)");
}

TEST(PrimitiveTest, ReadsFieldsInAnyOrder) {
  const auto primitive = ParsePrimitive(" split ( lengths = [ 4 ,8 ], stage=C,loop=1 ) ", kNames);
  EXPECT_TRUE(primitive.value() == Primitive(Split({2}, 1, {4, 8})));
}

TEST(PrimitiveTest, SaysWhatIsWrongWithALine) {
  EXPECT_EQ(ErrorOf("split"), "found 'split', expected name(field=value, ...)");
  EXPECT_EQ(ErrorOf(""), "found '', expected name(field=value, ...)");
  EXPECT_EQ(ErrorOf("unroll(stage=C, loop=1"),
            "found 'unroll(stage=C, loop=1', expected name(field=value, ...)");
  EXPECT_EQ(ErrorOf("unroll(stage=C, 1)"), "found '1', expected field=value");
  EXPECT_EQ(ErrorOf("unroll(stage=C)"), "unroll lacks its field 'loop'");
  EXPECT_EQ(ErrorOf("unroll(stage=C, loop=1, loop=2)"), "field 'loop' stands twice");
  EXPECT_EQ(ErrorOf("unroll(stage=C, loop=1.5)"), "loop: found '1.5', expected an integer");
  EXPECT_EQ(ErrorOf("unroll(stage=C, loop=)"), "loop: found '', expected an integer");
  EXPECT_EQ(ErrorOf("unroll(stage=C, loop=4294967296)"),
            "loop: found '4294967296', expected an integer");
  EXPECT_EQ(ErrorOf("split(stage=C, loop=1, lengths=4)"),
            "lengths: found '4', expected a list [...]");
  EXPECT_EQ(ErrorOf("split(stage=C, loop=1, lengths=[4, x])"),
            "lengths: found 'x', expected an integer");
  EXPECT_EQ(ErrorOf("split(stage=C, loop=1, lengths=[4], inner_to_outer=no)"),
            "inner_to_outer: found 'no', expected true or false");
}

TEST(PrimitiveTest, NamesWhatExists) {
  EXPECT_EQ(ErrorOf("unrol(stage=C, loop=1)").substr(0, 75),
            "unknown primitive 'unrol': expected one of split, fuse, reorder, follow_spl");
  EXPECT_NE(ErrorOf("unrol(stage=C, loop=1)").find("(did you mean 'unroll'?)"), std::string::npos);
  EXPECT_EQ(ErrorOf("unroll(stage=C, lop=1)"),
            "unknown field of unroll 'lop': expected one of stage, loop (did you mean 'loop'?)");
  EXPECT_EQ(ErrorOf("unroll(stage=C.locl, loop=1)"),
            "stage: unknown stage 'C.locl': expected one of A, B, C, C.local, P_1 (did you mean "
            "'C.local'?)");
  EXPECT_EQ(ErrorOf("cache_write(stage=C, scope=locale)"),
            "scope: unknown scope 'locale': expected one of global, shared, local (did you mean "
            "'local'?)");
  EXPECT_EQ(ErrorOf("bind(stage=C, loop=0, thread=blockIdx.w)").substr(0, 80),
            "thread: unknown thread 'blockIdx.w': expected one of vthread, blockIdx.x, blockI");
}

// The closed set, by the names of the fields.
TEST(PrimitiveTest, ListsAll) {
  std::set<std::string> names;
  for (const PrimitiveEntry& entry : AllPrimitives()) {
    names.insert(entry.name);
    EXPECT_FALSE(entry.help.empty());
    EXPECT_FALSE(entry.fields.empty());
    EXPECT_EQ(entry.fields[0].first, "stage");
    for (const auto& [name, help] : entry.fields) EXPECT_FALSE(help.empty()) << name;
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"split", "fuse", "reorder", "follow_split", "follow_fused_split",
                                   "parallel", "vectorize", "unroll", "bind", "pragma",
                                   "storage_align", "compute_at", "compute_inline", "compute_root",
                                   "cache_read", "cache_write", "rfactor", "pack"}));
}

}  // namespace
}  // namespace schedulegym
