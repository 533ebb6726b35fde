// The options of `mcts` as they are said: read again, and beside the table of docs/tree-search.md.
#include "agents/tree/mcts_parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

std::vector<SpecOption> ParametersOf(const std::string& text) {
  return MctsParameters(ReadMctsOptions(ParseSpec(text).value()));
}

// Whatever else they are said beside.
TEST(MctsParametersTest, SaidAgainAreTheSame) {
  for (const char* text :
       {"mcts", "mcts(mode=faithful)", "mcts(form=puct)", "mcts(actions=modify, depth=5)",
        "mcts(model=random, scaled=false)", "mcts(model=\"a/b.json\", branching=3, growth=0.25)",
        "mcts(trees=5, greedy=2, leaves=8, virtual_loss=3, depth=4, order=structure)",
        "mcts(iterations=77, reuse=false, near=0.5, round=9, local=0.3, epsilon=0.4, doubted=0.1)",
        "mcts(waits=false, joins=false, value=best, floor=0.25, constant=3, features=ansor)"}) {
    const std::vector<SpecOption> said = ParametersOf(text);
    for (const char* mode : {"improved", "faithful"}) {
      Spec again = {"mcts", said};
      again.options.push_back({"mode", {Spec{mode, {}}}});
      EXPECT_EQ((Spec{"x", MctsParameters(ReadMctsOptions(again))}.ToText()),
                (Spec{"x", said}.ToText()));
    }
    // What was said stands among them.
    const Spec given = ParseSpec(text).value();
    for (const SpecOption& one : given.options) {
      if (one.key == "mode") continue;
      const auto found = std::ranges::find(said, one.key, &SpecOption::key);
      ASSERT_NE(found, said.end()) << one.key;
      const auto* whole = std::get_if<int64_t>(&one.value.value);
      const auto* number = std::get_if<double>(&found->value.value);
      if (whole != nullptr && number != nullptr) {
        EXPECT_EQ(static_cast<double>(*whole), *number) << one.key;
      } else {
        EXPECT_EQ(one.value.ToText(), found->value.ToText()) << one.key;
      }
    }
  }
}

// --- the page ---

// Of a row, without the marks of code.
struct Row {
  std::string improved, faithful, range;
};

std::string Plain(std::string cell) {
  std::erase(cell, '`');
  const size_t begin = cell.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return cell.substr(begin, cell.find_last_not_of(' ') - begin + 1);
}

// By key; but for `mode`, which is none of them.
std::map<std::string, Row> RowsOfThePage() {
  std::map<std::string, Row> rows;
  std::ifstream page(std::string(SG_SOURCE_DIR) + "/docs/tree-search.md");
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| key | improved |")) is_inside = true;
    if (line.empty()) is_inside = false;
    if (!is_inside || !line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(Plain(cell));
    rows[cells.at(1)] = {cells.at(2), cells.at(3), cells.at(4)};
  }
  rows.erase("mode");
  return rows;
}

std::optional<double> NumberIn(const std::string& text) {
  if (text == "sqrt 2") return std::sqrt(2.0);
  std::istringstream stream(text);
  double number = 0;
  if (stream >> number && stream.eof()) return number;
  return std::nullopt;
}

TEST(MctsParametersTest, ThePageHasEachAsItActs) {
  const auto rows = RowsOfThePage();
  // Widening, which is off in one of the two, is said where it acts.
  for (const std::string mode : {"improved", "faithful"}) {
    const auto acting = ParametersOf("mcts(mode=" + mode + ", branching=2)");
    EXPECT_EQ(rows.size(), acting.size());
    for (const SpecOption& one : ParametersOf("mcts(mode=" + mode + ")")) {
      ASSERT_TRUE(rows.contains(one.key)) << one.key;
      const Row& row = rows.at(one.key);
      const std::string& listed = mode == "improved" ? row.improved : row.faithful;
      const std::string acts = one.value.ToText();
      if (NumberIn(acts)) {
        ASSERT_TRUE(NumberIn(listed)) << one.key << " lists " << listed;
        EXPECT_DOUBLE_EQ(*NumberIn(listed), *NumberIn(acts)) << one.key << ", " << mode;
      } else {
        EXPECT_EQ(listed, acts) << one.key << ", " << mode;
      }
    }
    const auto growth = std::ranges::find(acting, "growth", &SpecOption::key);
    ASSERT_NE(growth, acting.end());
    const Row& row = rows.at("growth");
    EXPECT_EQ(NumberIn(mode == "improved" ? row.improved : row.faithful),
              NumberIn(growth->value.ToText()));
  }
}

// The end of what refuses a value.
std::string RangeFor(const std::string& key, const std::string& value) {
  try {
    ReadMctsOptions(ParseSpec("mcts(" + key + "=" + value + ")").value());
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.rfind("expected ") + 9);
  }
  return "nothing";
}

std::pair<std::optional<double>, std::optional<double>> EndsOf(const std::string& range) {
  const size_t middle = range.find(" to ");
  if (middle == std::string::npos) return {};
  return {NumberIn(range.substr(0, middle)), NumberIn(range.substr(middle + 4))};
}

TEST(MctsParametersTest, ThePageHasTheRangeOfEachNumber) {
  int numbers = 0;
  for (const auto& [key, row] : RowsOfThePage()) {
    if (!NumberIn(row.improved)) continue;
    ++numbers;
    const auto listed = EndsOf(row.range.substr(0, row.range.find(',')));
    EXPECT_TRUE(listed.first && listed.second) << key << ": " << row.range;
    for (const char* far : {"-1000000000", "1000000000"}) {
      EXPECT_EQ(listed, EndsOf(RangeFor(key, far))) << key;
    }
  }
  EXPECT_EQ(numbers, 15);
}

}  // namespace
}  // namespace schedulegym
