// The kinds of files that are JSON: another tuner's T1 and T4, tables and cost models.
#include <fstream>

#include "agents/cost/boosted_trees.h"
#include "env/base/text.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_space.h"
#include "env/gym/tables/tuner_file.h"
#include "env/program/workloads/task_list.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/json_change.h"

namespace schedulegym {
namespace {

constexpr const char* kConfiguration =
    R"({"configuration":{"block":%,"unroll":&,"use":"yes"},"invalidity":"$","correctness":1,)"
    R"("objectives":["time"],"times":{"compilation_time":1000,"framework":0,"validation":0.5,)"
    R"("runtimes":[5.0,5.1,4.9]},"measurements":[{"name":"time","value":!,"unit":"ms"}]})";

std::string Filled(std::string text, const std::vector<std::pair<char, std::string>>& values) {
  for (const auto& [mark, value] : values) {
    const size_t at = text.find(mark);
    text.replace(at, 1, value);
  }
  return text;
}

// A T4 file with a result for each of some configurations.
std::string TunerResults(int blocks) {
  constexpr const char* kKinds[] = {"correct", "correct", "correct",     "compile",
                                    "runtime", "timeout", "correctness", "constraints"};
  std::string rows;
  for (int i = 0; i < 2 * blocks; ++i) {
    if (i > 0) rows += ",";
    rows += Filled(kConfiguration, {{'%', std::to_string(32 << i / 2)},
                                    {'&', std::to_string(i % 2)},
                                    {'$', kKinds[i % 8]},
                                    {'!', i % 3 == 0 ? "[1.5, 2.5]" : std::to_string(1 + i)}});
  }
  return R"({"schema_version":"1.0.0","metadata":{"timeunit":"ms"},"results":[)" + rows + "]}";
}

constexpr const char* kTunerInput =
    R"({"General":{"BenchmarkName":"scale","FormatVersion":1},)"
    R"("ConfigurationSpace":{"TuningParameters":[)"
    R"({"Name":"block","Type":"int","Values":"[32, 64, 128, 256]","Default":64},)"
    R"({"Name":"unroll","Type":"int","Values":"[0, 1]","Default":0},)"
    R"({"Name":"use","Type":"string","Values":"['yes', \"no\"]"}],)"
    R"("Conditions":[{"Expression":"block > 1","Parameters":["block"]}]},)"
    R"("KernelSpecification":{"KernelName":"scale","Device":{"Name":"a card"}}})";

// Changes one line, and mostly corrects the number of rows in the first line.
std::string ChangedTable(const std::vector<std::string>& seeds, Rng& rng) {
  std::vector<std::string> lines =
      SplitLines(seeds[static_cast<size_t>(rng.Below(std::ssize(seeds)))]);
  const auto at = static_cast<size_t>(rng.Chance(0.4) ? 0 : rng.Below(std::ssize(lines)));
  const std::string before = lines[at];
  if (rng.Chance(0.8)) {
    lines[at] = ChangedJson(before, rng);
  } else if (rng.Chance(0.5)) {
    lines.push_back(before);
  } else {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (rng.Chance(0.8) && !lines.empty()) {
    const size_t rows = lines[0].find("\"rows\":");
    const size_t end = lines[0].find_first_of(",}", rows);
    if (rows != std::string::npos && end != std::string::npos) {
      lines[0].replace(rows + 7, end - rows - 7, std::to_string(lines.size() - 1));
    }
  }
  return Join(lines, "\n") + "\n";
}

EvaluationResult SomeEvaluationResult(Rng& rng) {
  if (rng.Chance(0.2)) return FailedEvaluationResult(Outcome::kCompileError);
  const double speed = 0.5 + rng.Uniform();
  return {Outcome::kOk, {speed, speed * 0.9, speed * 1.1}, 1e-5 / speed};
}

TableFacts SomeFacts() { return {"schedulegym", 0, "cpu1", "box", "llvm 19", 1e-5}; }

// A grid of two knobs, with random schedules.
std::string GridTable(const std::shared_ptr<const Task>& task, Rng& rng) {
  KnobRows knobs;
  knobs.knobs = {{"tile", {"1", "2", "4"}}, {"unroll", {"0", "16"}}, {"order", {"ijk", "ikj"}}};
  knobs.tiles = {{"tile", 16, {0, -1}, {{1, 2, 4}, {4}}}};
  std::vector<TableRow> rows;
  for (int i = 0; i < 12; ++i) {
    knobs.points.push_back({i / 4, i / 2 % 2, i % 2});
    knobs.traces.push_back(RandomSchedule(task, rng).TraceText());
    rows.push_back({SomeEvaluationResult(rng), rng.Uniform()});
  }
  return TableText(Table(task, SomeFacts(), std::move(rows), std::move(knobs)));
}

// The steps of some schedules, from the naive program on.
std::string TreeTable(const std::shared_ptr<const Task>& task, Rng& rng) {
  TreeRows tree = {{-1}, {""}};
  std::vector<TableRow> rows = {{SomeEvaluationResult(rng), 0.5}};
  for (int i = 0; i < 4; ++i) {
    int at = 0;
    const std::vector<std::string> lines = SplitLines(RandomSchedule(task, rng).TraceText());
    for (size_t step = 1; step < lines.size(); ++step) {
      bool is_known = false;
      for (size_t row = 1; row < rows.size() && !is_known; ++row) {
        is_known = tree.parents[row] == at && tree.steps[row] == lines[step];
        if (is_known) at = static_cast<int>(row);
      }
      if (is_known) continue;
      tree.parents.push_back(at);
      tree.steps.push_back(lines[step]);
      at = static_cast<int>(rows.size());
      rows.push_back({SomeEvaluationResult(rng), rng.Uniform()});
    }
  }
  return TableText(Table(task, SomeFacts(), std::move(rows), std::move(tree)));
}

// Uses a table like commands and environments: facts, the best row, and a few steps on it.
void UseTable(Table read) {
  const auto table = std::make_shared<const Table>(std::move(read));
  const std::optional<int64_t> best = table->Best();
  (void)table->TraceText(best.value_or(0));
  const auto space = MakeTableSpace(table);
  Rng rng(1);
  const auto episode = space->Start(table->task(), rng);
  std::vector<int8_t> mask(static_cast<size_t>(space->size()));
  for (int step = 0; step < 4; ++step) {
    episode->WriteMask(mask);
    for (size_t action = 1; action < mask.size(); ++action) {
      if (mask[action] == 0) continue;
      (void)episode->Act(static_cast<int>(action));
      break;
    }
  }
}

constexpr int kColumns = 5;
constexpr const char* kMeaning = "fuzz 1";

std::string SomeModel(uint64_t seed) {
  Rng rng(seed);
  FeatureMatrix features{{}, kColumns, kMeaning};
  RowGroups row_groups;
  for (int i = 0; i < 40; ++i) {
    for (int column = 0; column < kColumns; ++column) {
      features.values.push_back(static_cast<float>(rng.Uniform()));
    }
    row_groups.Add(1, 0.1 + 0.8 * rng.Uniform());
  }
  return BoostedTrees::Train(features, row_groups, {.max_depth = 3, .most_rounds = 4}).ToText();
}

void UseModel(const std::string& path) {
  const BoostedTrees trees = BoostedTrees::Load(path, kColumns, kMeaning);
  (void)trees.Predict({{0.1f, 0.9f, 0.5f, -1e30f, 1e30f}, kColumns, kMeaning});
}

std::string ChangedSeed(const std::vector<std::string>& seeds, Rng& rng) {
  return ChangedJson(seeds[static_cast<size_t>(rng.Below(std::ssize(seeds)))], rng);
}

}  // namespace

FileTarget MakeTunerInputTarget(const std::string& folder) {
  const std::string results = folder + "/results.json";
  std::ofstream(results) << TunerResults(4);
  FileTarget target = {.kind = "t1", .suffix = ".json", .seeds = {kTunerInput}};
  target.change = ChangedSeed;
  target.read = [results](const std::string& path) {
    return ReadOrRefuse(
        [&] { UseTable(ReadAnyTable(results, path)); },
        {"found another file beside", "the T1 file has parameter", "nests deeper", "cannot read"});
  };
  return target;
}

FileTarget MakeTunerResultsTarget() {
  FileTarget target = {.kind = "t4", .suffix = ".json"};
  target.seeds = {TunerResults(2), TunerResults(5)};
  target.change = ChangedSeed;
  target.read = [](const std::string& path) {
    return ReadOrRefuse([&] { UseTable(ReadAnyTable(path)); },
                        {"is no JSON", "nests deeper", "found no results", "cannot read"});
  };
  return target;
}

FileTarget MakeTableTarget() {
  FileTarget target = {.kind = "table", .suffix = ".table"};
  Rng rng(5);
  const Target machine = MakeTarget(Spec{"interpreter", {}});
  for (const char* word : {"matmul(m=16,n=16,k=16)", "softmax(m=16,n=16)"}) {
    const auto task = LoadTask(word, machine);
    target.seeds.push_back(GridTable(task, rng));
    target.seeds.push_back(TreeTable(task, rng));
  }
  target.change = ChangedTable;
  target.read = [](const std::string& path) {
    return ReadOrRefuse([&] { UseTable(ReadAnyTable(path)); },
                        {"is no JSON", "nests deeper", "is no table", "holds nothing", "of version",
                         "its dag", "its target", "found a table of task", "of kind",
                         ":1: found a field", "cannot read", "found no results"});
  };
  return target;
}

FileTarget MakeModelTarget() {
  FileTarget target = {.kind = "model", .suffix = ".json", .seeds = {SomeModel(1), SomeModel(2)}};
  target.change = ChangedSeed;
  target.read = [](const std::string& path) {
    return ReadOrRefuse([&] { UseModel(path); }, {"it is no model", "cannot read"});
  };
  return target;
}

}  // namespace schedulegym
