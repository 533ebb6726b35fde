// The printed options of `mcts`: parsed again, and compared with the rows of assembly/options.
#include "agents/mcts/mcts_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "agents/builtin_agents.h"
#include "tests/agents/decisions/agent_search.h"

namespace schedulegym {
namespace {

std::vector<SpecOption> ParametersOf(const std::string& text) {
  return MctsParameters(ReadMctsOptions(ParseSpec(text).value()));
}

// With any other options.
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
    // The given options are among them.
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

// --- the rows of assembly/options ---

struct Row {
  std::string improved, faithful, range;
};

std::string Trimmed(const std::string& cell) {
  const size_t begin = cell.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return cell.substr(begin, cell.find_last_not_of(' ') - begin + 1);
}

// Owner, key, type, default, published default and range of each row, in both files.
std::vector<std::vector<std::string>> OptionRows() {
  std::vector<std::vector<std::string>> rows;
  for (const char* name : {"tree_search_options.cc", "agent_options.cc"}) {
    std::ifstream file(std::string(SG_SOURCE_DIR) + "/assembly/options/" + name);
    for (std::string line; std::getline(file, line);) {
      if (line.find(" | ") == std::string::npos) continue;
      std::vector<std::string>& cells = rows.emplace_back();
      std::istringstream parts(line);
      for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(Trimmed(cell));
    }
  }
  return rows;
}

// Rows of uct by key, without `mode` and `tree`, which MctsParameters leaves out.
std::map<std::string, Row> RowsOfUct() {
  std::map<std::string, Row> rows;
  for (const std::vector<std::string>& cells : OptionRows()) {
    if (cells.at(0) == "mcts") rows[cells.at(1)] = {cells.at(3), cells.at(4), cells.at(5)};
  }
  rows.erase("mode");
  rows.erase("tree");
  return rows;
}

std::optional<double> NumberIn(const std::string& text) {
  if (text == "sqrt 2") return std::sqrt(2.0);
  std::istringstream stream(text);
  double number = 0;
  if (stream >> number && stream.eof()) return number;
  return std::nullopt;
}

TEST(MctsParametersTest, RowsHaveEachAsItActs) {
  const auto rows = RowsOfUct();
  // Widening is off in one of the two modes, and is listed where it has an effect.
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

// The error of an agent with this option value; "none" if it is valid.
std::string RefusalWith(const std::string& agent, const std::string& key,
                        const std::string& value) {
  Spec spec = ParseSpec(agent).value();
  spec.options.push_back(ParseSpec("x(" + key + "=" + value + ")").value().options.at(0));
  return RefusalOf(spec.ToText());
}

// The expected range at the end of the error for a value.
std::string RangeFor(const std::string& agent, const std::string& key, const std::string& value) {
  const std::string what = RefusalWith(agent, key, value);
  const size_t expected = what.rfind("expected ");
  return expected == std::string::npos ? "nothing" : what.substr(expected + 9);
}

std::pair<std::optional<double>, std::optional<double>> EndsOf(const std::string& range) {
  const size_t middle = range.find(" to ");
  if (middle == std::string::npos) return {};
  return {NumberIn(range.substr(0, middle)), NumberIn(range.substr(middle + 4))};
}

TEST(MctsParametersTest, RowsHaveTheRangeOfEachNumber) {
  int numbers = 0;
  for (const auto& [key, row] : RowsOfUct()) {
    if (!NumberIn(row.improved)) continue;
    ++numbers;
    const auto listed = EndsOf(row.range.substr(0, row.range.find(',')));
    EXPECT_TRUE(listed.first && listed.second) << key << ": " << row.range;
    for (const char* far : {"-1000000000", "1000000000"}) {
      EXPECT_EQ(listed, EndsOf(RangeFor("mcts", key, far))) << key;
    }
  }
  EXPECT_EQ(numbers, 15);
}

// --- the other forms and agents ---

// The default numbers of an agent.
std::map<std::string, double> NumbersOfMcts(const std::string& agent) {
  const MctsOptions options = ReadMctsOptions(ParseSpec(agent).value());
  const SelectionRule& measured = options.measured.tree.selection;
  if (options.form == MctsForm::kMeasured) {
    return {{"constant", measured.constant}, {"temperature", measured.temperature}};
  }
  const ProtunerOptions& protuner = options.protuner;
  if (protuner.ensemble.tree.selection.kind == SelectionKind::kAdditive) {
    return {{"constant", protuner.ensemble.tree.selection.constant}};
  }
  return {{"trees", protuner.ensemble.trees},
          {"greedy", protuner.ensemble.greedy},
          {"iterations", protuner.iterations},
          {"seconds", protuner.seconds},
          {"measure", protuner.measured}};
}

// Listed numbers, which equal the used ones (builtin_agents_test.cc).
std::map<std::string, double> ListedNumbers(const std::string& agent) {
  const AgentEntry entry = BuiltinAgents().At(agent);
  std::map<std::string, double> numbers;
  const Spec listed = ParseSpec("x(" + entry.parameters + ")").value();
  for (const SpecOption& one : listed.options) {
    if (const auto number = NumberIn(one.value.ToText())) numbers[one.key] = *number;
  }
  return numbers;
}

// The only width with which a measuring beam proposes the same as by default; 0 if several do.
double ActingWidthOfMeasuredBeam() {
  const TwoSketchSpace space;
  const auto keys = [&](const std::string& spec) {
    return KeysOf(SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 100, TwoSketchSeconds));
  };
  const std::vector<Key> standard = keys("beam(reward=measured)");
  double found = 0;
  int count = 0;
  for (int width = 1; width <= 8; ++width) {
    if (keys("beam(reward=measured, width=" + std::to_string(width) + ")") != standard) continue;
    found = width;
    ++count;
  }
  return count == 1 ? found : 0;
}

std::map<std::string, double> ActingNumbers(const std::string& agent) {
  if (agent.starts_with("mcts")) return NumbersOfMcts(agent);
  if (agent.starts_with("beam(")) return {{"width", ActingWidthOfMeasuredBeam()}};
  return ListedNumbers(agent);
}

TEST(MctsParametersTest, RowsHaveEachNumberOfOtherFormsAndAgents) {
  const std::set<std::string> agents = {"mcts(form=puct)",
                                        "mcts(form=measured)",
                                        "mcts(form=protuner)",
                                        "mcts(form=protuner,selection=additive)",
                                        "beam",
                                        "beam(reward=measured)",
                                        "greedy",
                                        "guided"};
  std::map<std::string, std::map<std::string, double>> listed;
  for (const std::vector<std::string>& cells : OptionRows()) {
    const std::string &agent = cells.at(0), &key = cells.at(1), &standard = cells.at(3);
    if (!agents.contains(agent)) continue;
    const std::optional<double> number = NumberIn(standard);
    if (!number) {
      EXPECT_EQ(RefusalWith(agent, key, standard), "") << agent << ": " << key;
      continue;
    }
    listed[agent][key] = *number;
    const auto ends = EndsOf(cells.at(5).substr(0, cells.at(5).find(',')));
    for (const char* far : {"-1000000000", "1000000000"}) {
      EXPECT_EQ(ends, EndsOf(RangeFor(agent, key, far))) << agent << ": " << key;
    }
  }
  for (const char* agent :
       {"mcts(form=measured)", "mcts(form=protuner)", "mcts(form=protuner,selection=additive)",
        "beam", "beam(reward=measured)", "greedy", "guided"}) {
    EXPECT_EQ(listed[agent], ActingNumbers(agent)) << agent;
  }
}

}  // namespace
}  // namespace schedulegym
