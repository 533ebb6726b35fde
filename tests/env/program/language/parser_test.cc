#include "env/program/language/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ComputeDag Parsed(const std::string& text,
                  const std::vector<std::pair<std::string, int64_t>>& overrides = {}) {
  auto dag = ParseDag(text, "t.dag", overrides);
  EXPECT_TRUE(dag.ok()) << dag.error().message << "\n" << text;
  return *dag;
}

// The line that defines `name` in the printed text.
std::string Printed(const std::string& text, const std::string& name) {
  const std::string all = Parsed(text).ToText();
  const size_t begin = all.find("\n" + name + "[") + 1;
  return all.substr(begin, all.find('\n', begin) - begin);
}

TEST(ParserTest, ReadsAWholeFile) {
  const ComputeDag dag = Parsed(
      "# a comment\n"
      "param n = 512  # overridden below\n"
      "input A[n, n]\n"
      "input B[n, n]\n"
      "input bias[n]\n"
      "weight W[n, n] : f64\n"
      "C[i:n, j:n] = sum(k:n) A[i, k] * B[k, j]\n"
      "D[i:n, j:n] = max(C[i, j] + bias[j], 0)\n"
      "output D\n"
      "output C\n",
      {{"n", 128}});
  ASSERT_EQ(dag.size(), 6);
  EXPECT_EQ(dag.tensor(0).shape, (std::vector<int64_t>{128, 128}));
  EXPECT_EQ(dag.tensor(3).kind, TensorKind::kWeight);
  EXPECT_EQ(dag.tensor(3).type, DType::kF64);
  EXPECT_EQ(dag.tensor(4).combiner, Combiner::kSum);
  EXPECT_EQ(dag.tensor(4).reduce_axes[0].extent, 128);
  EXPECT_EQ(dag.inputs(), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(dag.outputs(), (std::vector<int>{5, 4}));
}

TEST(ParserTest, TakesLinesInAnyOrderAndBracketsOverLines) {
  const ComputeDag dag = Parsed(
      "output D\nD[i:n] = C[i] +\tC[\n  i] # goes on\r\n"
      "C[\n i:n\n\n # within\n] = (A[i]\n  * 2)\ninput A[n]\nparam n = 7");
  EXPECT_EQ(dag.topological_order(), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(dag.outputs(), (std::vector<int>{0}));
}

TEST(ParserTest, GivesOutputsByDefault) {
  const ComputeDag dag = Parsed("input A[3]\nB[i:3] = A[i]\nC[] = sum(i:3) B[i]\nD[i:3] = B[i]");
  EXPECT_EQ(dag.outputs(), (std::vector<int>{2, 3}));
  EXPECT_TRUE(dag.tensor(2).shape.empty());
  EXPECT_EQ(dag.tensor(2).NumElements(), 1);
}

TEST(ParserTest, KeepsAnUnreadInput) {
  EXPECT_EQ(Parsed("input A[3]\ninput B[]\nC[i:3] = A[i]").inputs().size(), 2u);
}

TEST(ParserTest, ComputesExtents) {
  const ComputeDag dag = Parsed(
      "param n = 7\nparam m = -3\ninput A[n // 2 + n % 2, (n - 1) / 2, -m, min(n, 2)]\n"
      "B[i:1] = A[i, i, i, i]");
  EXPECT_EQ(dag.tensor(0).shape, (std::vector<int64_t>{4, 3, 3, 2}));
}

TEST(ParserTest, LetsAxesShadowParameters) {
  EXPECT_EQ(Printed("param n = 5\ninput A[n]\nB[n:n] = A[n]", "B"), "B[n:5] = A[n]");
}

TEST(ParserTest, GivesLiteralsTheTypeOfTheirNeighbour) {
  EXPECT_EQ(Parsed("input A[3] : i32\nB[i:3] = A[i] * 2 + i").tensor(1).type, DType::kI32);
  EXPECT_EQ(Parsed("input A[3] : f64\nB[i:3] = 1 - A[i]").tensor(1).type, DType::kF64);
  EXPECT_EQ(Parsed("B[i:3] = i").tensor(0).type, DType::kF32);
  EXPECT_EQ(Parsed("B[i:3] = i8(i)").tensor(0).type, DType::kI8);
  EXPECT_EQ(Parsed("input A[3] : bf16\nB[i:3] = f32(A[i])").tensor(1).type, DType::kF32);
  EXPECT_EQ(Parsed("input A[3] : f16\nB[] = sum(i:3) A[i]").tensor(1).type, DType::kF16);
}

TEST(ParserTest, ConvertsWholeArithmeticAtItsEnd) {
  EXPECT_EQ(Printed("input A[3]\nB[i:3] = A[i] * (i // 2 + 1)", "B"),
            "B[i:3] = A[i] * f32(i // 2 + 1)");
  // A division has the type of a value, so each side is converted.
  EXPECT_EQ(Printed("input A[3]\nB[i:3] = A[i] * (i / 2)", "B"), "B[i:3] = A[i] * (f32(i) / 2)");
  EXPECT_EQ(Printed("input A[3] : i32\nB[i:3] = A[i] + i", "B"), "B[i:3] = A[i] + i32(i)");
}

TEST(ParserTest, FoldsConstants) {
  EXPECT_EQ(Printed("param d = 64\ninput A[3]\nB[i:3] = A[i] * (1 / sqrt(d))", "B"),
            "B[i:3] = A[i] * 0.125");
  EXPECT_EQ(Printed("param p = 0\ninput A[3]\nB[i:3] = A[i - p]", "B"), "B[i:3] = A[i]");
  EXPECT_EQ(Printed("input A[3]\nB[i:3] = select(1 < 2, A[i], 0)", "B"), "B[i:3] = A[i]");
}

TEST(ParserTest, FollowsPrecedence) {
  const std::string head = "input A[9]\ninput B[9]\nC[i:9] = ";
  const auto body = [&](const std::string& value) { return Printed(head + value, "C").substr(9); };
  EXPECT_EQ(body("A[i] + B[i] * A[i]"), "A[i] + B[i] * A[i]");
  EXPECT_EQ(body("(A[i] + B[i]) * A[i]"), "(A[i] + B[i]) * A[i]");
  EXPECT_EQ(body("A[i] - (B[i] - A[i])"), "A[i] - (B[i] - A[i])");
  EXPECT_EQ(body("(A[i] - B[i]) - A[i]"), "A[i] - B[i] - A[i]");
  EXPECT_EQ(body("-A[i] * B[i]"), "-A[i] * B[i]");
  EXPECT_EQ(body("-(A[i] * B[i])"), "-(A[i] * B[i])");
  EXPECT_EQ(body("A[i] * -2"), "A[i] * -2.0");
  EXPECT_EQ(body("select(!(i < 3 || i > 5) && i % 2 != 1, A[i], B[i])"),
            "select(!(i < 3 || i > 5) && i % 2 != 1, A[i], B[i])");
}

TEST(ParserTest, ReadsReductions) {
  EXPECT_EQ(Printed("input A[2, 3]\nB[] = max(i:2, j:3) A[i, j]", "B"),
            "B[] = max(i:2, j:3) A[i, j]");
  EXPECT_EQ(Printed("input A[2]\nB[i:2] = max(A[i], 0)", "B"), "B[i:2] = max(A[i], 0)");
  EXPECT_EQ(Parsed("input A[2]\nB[] = prod(i:2) A[i]").tensor(1).combiner, Combiner::kProduct);
  EXPECT_EQ(Parsed("input A[2]\nB[] = min(i:2) A[i]").tensor(1).combiner, Combiner::kMin);
}

TEST(ParserTest, ProvesGuardedReads) {
  Parsed("input X[14]\nP[h:16] = select(h >= 1 && h < 15, X[h - 1], 0)");
  Parsed("input X[14]\nP[h:16] = select(h < 1 || 15 <= h, 0, X[h - 1])");
  Parsed("input X[14]\nP[h:16] = select(!(h >= 1 && h < 15), 0, X[h - 1])");
  Parsed("input X[7]\nP[h:16] = X[h % 14 // 2]");
  Parsed("input X[7]\nP[h:16] = X[min(max(h - 3, 0), 6)]");
  Parsed("input X[4]\nP[h:9] = select(h > 2 && X[(h - 3) % 4] > 0, 1, 0)");
  Parsed("input X[4]\nP[h:9] = select(h < 3 || X[(h - 3) // 2] > 0, 1, 0)");
}

struct Fault {
  const char* text;
  const char* place;    // "line:column"
  const char* message;  // a part of it
};

// One text for each kind of error in the language.
constexpr Fault kFaults[] = {
    // characters and numbers
    {"input A[3]\nB[i:3] = A[i] $ 2", "2:15", "unexpected character '$'"},
    {"input A[3]\nB[i:3] = A[i] + 1x", "2:17", "malformed number '1x'"},
    {"input A[3]\nB[i:3] = A[i] * 1.", "2:17", "malformed number '1.'"},
    {"input A[99999999999999999999]", "1:9", "too large"},
    {"input A[3]\nB[i:3] = A[i] * 1e999", "2:17", "too large"},
    // lines
    {"", "1:1", "nothing is computed"},
    {"# nothing\n\n", "1:1", "nothing is computed"},
    {"input A[3]", "1:1", "nothing is computed"},
    {"3 = 4", "1:1", "expected param, input, weight, output or a definition"},
    {"input A[3] B", "1:12", "found 'B', expected the end of the line"},
    {"input A[3]\nB[i:3] = A[i] A[i]", "2:15", "expected the end of the line"},
    {"input A[3]\nB[i:3] =\n A[i]", "2:9", "found the end of the line, expected a value"},
    {"input A[3]\nB[i:3] = (A[i]", "2:15",
     "found the end of the file, expected an operator or ')'"},
    {"input A[3\nB[i:3] = A[i]", "2:1", "expected ',' or ']'"},
    {"param n = x", "1:11", "found 'x', expected an integer"},
    {"param n 4", "1:9", "expected '='"},
    {"input A[3] : u8\nB[i:3] = A[i]", "1:14", "unknown type 'u8'"},
    {"input A[3] : 8\nB[i:3] = A[i]", "1:14", "found '8', expected one of f32"},
    {"B[i 3] = 1", "1:5", "expected ':'"},
    {"B[3] = 1", "1:3", "expected the name of an axis"},
    // names
    {"input max[3]", "1:7", "'max' is a reserved word"},
    {"sum[i:3] = 1", "1:1", "'sum' is a reserved word"},
    {"param f32 = 1", "1:7", "'f32' is a reserved word"},
    {"B[exp:3] = 1", "1:3", "'exp' is a reserved word"},
    {"input A[3]\ninput A[4]\nB[i:3] = A[i]", "2:7", "tensor 'A' is defined twice"},
    {"input A[3]\nA[i:3] = 1", "2:1", "tensor 'A' is defined twice"},
    {"param n = 1\nparam n = 2", "2:7", "parameter 'n' is defined twice"},
    {"B[i:3, i:4] = 1", "1:8", "axis 'i' is named twice"},
    {"input A[3]\nB[i:3] = sum(i:3) A[i]", "2:14", "axis 'i' is named twice"},
    {"input A[3]\nB[i:3] = A[j]", "2:12", "unknown axis or parameter 'j': expected i"},
    {"input A[3]\nB[i:3] = AA[i]", "2:10", "unknown tensor 'AA'"},
    {"input A[3]\nB[i:3] = A + 1", "2:10", "'A' is a tensor"},
    {"input A[3]\nB[i:3] = expp(A[i])", "2:10", "unknown function 'expp'"},
    {"input A[3]\nB[i:3] = exp(A[i], 1)", "2:10", "'exp' takes 1 argument, found 2"},
    {"input A[3]\nB[i:3] = select(i < 2, A[i])", "2:10", "'select' takes 3 arguments, found 2"},
    {"input A[3]\nB[i:3] = 1 + sum(k:3) A[k]", "2:14", "a reduction within a value"},
    {"input A[3]\nB[i:3] = A[i]\noutput C", "3:8", "unknown definition 'C': expected B"},
    {"input A[3]\nB[i:3] = A[i]\noutput A", "3:8", "unknown definition 'A'"},
    {"input A[3]\nB[i:3] = A[i]\noutput B\noutput B", "4:8", "'B' is an output twice"},
    // structure
    {"A[i:3] = B[i]\nB[i:3] = C[i]\nC[i:3] = B[i]", "3:10", "cycle: B reads C reads B"},
    {"A[i:3] = A[i]", "1:10", "cycle: A reads A"},
    {"input A[3, 4]\nB[i:3] = A[i]", "2:10", "'A' has rank 2, found 1 index"},
    {"input A[3]\nB[i:3] = A[i, i]", "2:10", "'A' has rank 1, found 2 indices"},
    {"input A[3]\ninput I[3] : i32\nB[i:3] = A[I[i]]", "3:12", "the index depends on data"},
    // extents
    {"input A[0]", "1:9", "extent is 0, expected at least 1"},
    {"param n = 2\nB[i:n - 5] = 1", "2:7", "extent of axis 'i' is -3"},
    {"B[i:2, j:i] = 1", "1:10", "unknown axis or parameter 'i'"},
    {"input A[4611686018427387904]", "1:9", "2^60"},
    {"input A[1048576, 1048576, 1048576, 1048576]", "1:7", "too many elements"},
    {"A[i:1048576, j:1048576] = sum(k:1048576, l:1048576) 1", "1:1", "too many iterations"},
    {"input A[1 / 0]", "1:13", "division by zero"},
    {"input A[1.5]", "1:9", "a decimal in an index"},
    // types
    {"input A[3]\ninput B[3] : i32\nC[i:3] = A[i] + B[i]", "3:15", "'+' of f32 and i32"},
    {"input A[3] : i8\ninput B[3] : i32\nC[i:3] = A[i] * B[i]", "3:15", "'*' of i8 and i32"},
    {"input A[3] : i32\nB[i:3] = A[i] * 1.5", "2:15", "i32 or i8 and a decimal"},
    {"input A[3] : i32\nB[i:3] = exp(A[i])", "2:10", "'exp' of i32, expected a floating type"},
    {"input A[3]\nB[i:3] = A[i] // 2", "2:15", "'//' of f32, expected integers"},
    {"input A[3]\nB[i:3] = A[i] % 2", "2:15", "'%' of f32, expected integers"},
    {"input A[3] : i32\nB[i:3] = A[i] / 0", "2:17", "division by zero"},
    {"B[i:3] = i / 2 // 3", "1:16", "'//' of f32, expected integers"},
    {"B[i:3] = i32(1.5 % 2)", "1:18", "'%' of a literal, expected integers"},
    {"input A[3] : i8\nB[i:3] = A[i] + 128", "2:17", "128 does not fit i8"},
    {"B[i:3] = i < 2", "1:12", "the right side is a condition"},
    {"B[i:3] = (i < 2) + 1", "1:13", "'+' of a condition"},
    {"B[i:3] = select(i, 1, 0)", "1:17", "'select' of an integer, expected a condition"},
    {"B[i:3] = select(i < 2 && 1, 1, 0)", "1:26", "'&&' of an integer, expected a condition"},
    {"B[i:3] = select(0 < i < 2, 1, 0)", "1:19", "'<' of a condition"},
    // indices
    {"input A[3]\nB[i:3] = A[1.0]", "2:12", "a decimal in an index"},
    {"input A[3]\nB[i:3] = A[i / 2]", "2:14", "'/' in index arithmetic, expected '//'"},
    {"input A[3]\nB[i:3] = A[i // 0]", "2:17", "division by zero"},
    {"input A[3]\nB[i:3] = A[3 // (i + 1)]", "2:20", "expected a positive constant"},
    {"input A[3]\nB[i:3] = A[abs(i)]", "2:12", "'abs' in an index"},
    {"input A[3]\nB[i:3] = A[i32(i)]", "2:12", "a conversion in an index"},
    {"input A[3]\nB[i:3] = A[i * 1000000000000000000]", "2:14", "2^60"},
    // bounds
    {"input A[3]\nB[i:4] = A[i]", "2:10", "index 0 of 'A'"},
    {"input A[3, 3]\nB[i:3] = A[i, i + 1]", "2:10", "i + 1 is 1 to 3"},
    {"input A[3]\nB[i:3] = A[i - 1]", "2:10", "expected 0 to 2"},
    {"input X[14]\nP[h:16] = select(h >= 1 || h < 15, X[h - 1], 0)", "2:36", "index 0 of 'X'"},
    {"input X[14]\nP[h:16] = select(h >= 1 && h < 16, X[h - 1], 0)", "2:36", "index 0 of 'X'"},
    {"input X[14]\nP[h:16] = select(h >= 1 && h < 15, 0, X[h - 1])", "2:39", "index 0 of 'X'"},
    {"input X[14]\nP[h:15] = select(X[h] > 0, 1, 0)", "2:18", "index 0 of 'X'"},
};

TEST(ParserTest, NamesThePlaceAndTheReasonOfEachFault) {
  for (const Fault& fault : kFaults) {
    const auto dag = ParseDag(fault.text, "dir/t.dag");
    ASSERT_FALSE(dag.ok()) << fault.text;
    const std::string& message = dag.error().message;
    EXPECT_EQ(dag.error().kind, ErrorKind::kParse);
    EXPECT_THAT(message, StartsWith(std::string("dir/t.dag:") + fault.place + ": ")) << fault.text;
    EXPECT_THAT(message, HasSubstr(fault.message)) << fault.text;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_NE(message.back(), '.');
  }
}

TEST(ParserTest, RefusesUnknownOverrides) {
  const auto dag = ParseDag("param n = 2\nparam size = 3\nB[i:n] = 1", "t.dag", {{"sise", 1}});
  ASSERT_FALSE(dag.ok());
  EXPECT_THAT(dag.error().message, HasSubstr("unknown parameter 'sise': expected one of n, size"));
  EXPECT_THAT(dag.error().message, HasSubstr("did you mean 'size'?"));
}

TEST(ParserTest, RefusesWhatWouldExhaustTheStack) {
  const std::string deep(100000, '(');
  const auto brackets = ParseDag("B[i:3] = " + deep, "t.dag");
  ASSERT_FALSE(brackets.ok());
  EXPECT_THAT(brackets.error().message, HasSubstr("nests too deep"));
  std::string sum = "B[i:3] = 1";
  for (int i = 0; i < 100000; ++i) sum += " + i";
  EXPECT_THAT(ParseDag(sum, "t.dag").error().message, HasSubstr("nests too deep"));
}

TEST(ParserTest, NestsThreeHundredLevelsAndTakesAThousandOperators) {
  const auto nested = [](int levels) {
    return "B[i:3] = " + std::string(levels, '(') + "1" + std::string(levels, ')');
  };
  Parsed(nested(299));
  EXPECT_EQ(ParseDag(nested(300), "t.dag").error().message,
            "t.dag:1:310: the expression nests too deep, expected at most 300 levels, and 1000 "
            "operators in a row");
  std::string sum = "B[i:3] = 1";
  for (int i = 0; i < 1000; ++i) sum += " + i";
  Parsed(sum);
  EXPECT_FALSE(ParseDag(sum + " + i", "t.dag").ok());
}

// A file of `count` definitions.
std::string Definitions(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "B" + std::to_string(i) + "[i:3] = 1\n";
  return text;
}

TEST(ParserTest, RefusesMoreThanAnythingElseIsMadeFor) {
  EXPECT_EQ(Parsed(Definitions(2000)).size(), 2000);
  EXPECT_EQ(ParseDag(Definitions(20000), "t.dag").error().message,
            "t.dag:2002:1: found more than 2000 tensors, expected at most 2000");
  std::string sums = "B[i:3] = 0";
  for (int line = 0; line < 200; ++line) {
    sums += "\nC" + std::to_string(line) + "[i:3] = (";
    for (int i = 0; i < 900; ++i) sums += "(0+0+0)+";
    sums += "0)";
  }
  EXPECT_THAT(ParseDag(sums, "t.dag").error().message,
              HasSubstr("found more than 1000000 words and signs"));
}

TEST(ParserTest, RefusesMoreAxesThanAnyoneHas) {
  std::string input = "input A[1", axes = "B[x0:1";
  for (int i = 1; i < 64; ++i) {
    input += ", 1";
    axes += ", x" + std::to_string(i) + ":1";
  }
  EXPECT_EQ(Parsed(input + "]\n" + axes + "] = 1").tensor(1).axes.size(), 64u);
  for (const std::string& text :
       {input + ", 1]", axes + ", j:1] = 1", "B[] = sum" + ("(" + axes.substr(2) + ", j:1) 1")}) {
    EXPECT_THAT(ParseDag(text, "t.dag").error().message,
                HasSubstr("found more than 64 axes of one tensor"));
  }
}

// Any prefix of a legal text gives a result, never an exception.
TEST(ParserTest, AnswersEveryPrefix) {
  const std::string text =
      "param n = 8\ninput A[n, n] : f64\nB[i:n] = sum(k:n) select(k % 2 == 0 && !(i < 3), A[i, k]"
      " * 1.5e1, max(A[k, i], 0))\noutput B\n";
  for (size_t length = 0; length <= text.size(); ++length) {
    const auto dag = ParseDag(text.substr(0, length), "t.dag");
    if (dag.ok()) continue;
    EXPECT_THAT(dag.error().message, StartsWith("t.dag:"));
  }
  Parsed(text);
}

}  // namespace
}  // namespace schedulegym
