#include "tests/env/gym/tables/made_tables.h"

#include "env/gym/tables/knob_thinning.h"
#include "env/gym/tables/tree_growth.h"
#include "env/gym/tables/tuner_file.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr double kReference = 0.002;

TableFacts MadeFacts() {
  return {"made, sketch 0", 3, "cpu1(rounds=9)", "probe(grade=\"A\")", "llvm 0", kReference};
}

std::vector<TableRow> MadeRows(size_t count) {
  std::vector<TableRow> rows;
  for (size_t i = 0; i < count; ++i) rows.push_back(MadeRow(static_cast<int64_t>(i)));
  return rows;
}

std::string Tried(const std::string& block, const std::string& unroll, const std::string& how) {
  return R"({"timestamp": "2026-01-02T03:04:05", "configuration": {"block": )" + block +
         R"(, "unroll": )" + unroll + R"(, "filter": 15}, "objectives": ["time"], )" + how + "}";
}

std::string Success(const std::string& milliseconds) {
  return R"("times": {"compilation": 100, "benchmark": 20, "validation": 5, "framework": 1000,
      "search_algorithm": 1000, "runtimes": [1, 2, 3]}, "invalidity": "correct", "correctness": 1,
      "measurements": [{"name": "GFLOP/s", "value": 7, "unit": ""},
                       {"name": "time", "value": )" +
         milliseconds + R"(, "unit": "ms"}])";
}

}  // namespace

TableRow MadeRow(int64_t row) {
  if (row % 7 == 6) return {FailedEvaluationResult(Outcome::kWrongOutput), 0.125};
  const double seconds = 0.001 * static_cast<double>(1 + (row * 37) % 5003);
  const double ratio = kReference / seconds;
  return {{Outcome::kOk, {ratio, 0.875 * ratio, 1.125 * ratio}, seconds}, 0.25};
}

std::shared_ptr<const Table> WithSamples(const Table& table) {
  std::vector<TableRow> rows;
  for (int64_t i = 0; i < table.size(); ++i) {
    TableRow row = table.row(i);
    for (int round = -4; round <= 4 && row.evaluation.ok(); ++round) {
      const double seconds = *row.evaluation.seconds;
      const double reference = seconds * row.evaluation.speed.median;
      row.samples.candidate.push_back(static_cast<float>(seconds * (1 + 0.01 * round)));
      row.samples.reference.push_back(static_cast<float>(reference));
    }
    rows.push_back(std::move(row));
  }
  TableFacts facts = table.facts();
  facts.command = "made";
  if (table.tree() != nullptr) {
    return std::make_shared<const Table>(table.task(), facts, std::move(rows), *table.tree());
  }
  return std::make_shared<const Table>(table.task(), facts, std::move(rows), *table.knobs());
}

std::shared_ptr<const Table> MadeGrid(const std::shared_ptr<const Task>& task, int64_t points) {
  const std::vector<Sketch> sketches = MakeSpace(ParseSpec("ansor").value())->Sketches(task);
  Rng rng(3);
  const ThinGrid grid =
      ThinOut(sketches.at(0).knobs->With(InvalidPointPolicy::kLower), points, rng);
  KnobRows rows = {grid.knobs, grid.tiles, {}, {}};
  for (size_t i = 0; i < grid.points.size(); ++i) {
    if (i % 5 == 4) continue;
    rows.points.push_back(grid.points[i]);
    rows.traces.push_back(grid.states[i].TraceText());
  }
  auto answers = MadeRows(rows.points.size());
  return std::make_shared<const Table>(task, MadeFacts(), std::move(answers), std::move(rows));
}

std::shared_ptr<const Table> MadeTree(const std::shared_ptr<const Task>& task, int64_t points) {
  Rng rng(3);
  GrownTree tree = GrowTree(task, {.rows = points}, rng);
  auto answers = MadeRows(tree.states.size());
  return std::make_shared<const Table>(task, MadeFacts(), std::move(answers), std::move(tree.rows));
}

std::string MadeResults() {
  const std::string failure =
      R"("times": {"compilation": 50, "runtimes": []}, "invalidity": "compile", "correctness": 0,
         "measurements": [])";
  return R"({"schema_version": "1.0.0", "results": [)" + Tried("32", "0", Success("4")) + "," +
         Tried("32", "1", Success("[3, 2, 1]")) + "," + Tried("64", "0", failure) + "," +
         Tried("64", "1", Success("1.0")) + "," + Tried("128", "0", Success("3")) + "]}";
}

std::string MadeInput() {
  return R"({"General": {"BenchmarkName": "blur"},
    "ConfigurationSpace": {"TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[64, 32, 128]", "Default": 32},
      {"Name": "unroll", "Type": "int", "Values": "[0, 1]", "Default": 0},
      {"Name": "filter", "Type": "int", "Values": "[15]", "Default": 15}]},
    "KernelSpecification": {"Language": "CUDA", "KernelName": "blur_kernel",
                            "Device": {"Name": "Example GPU"}}})";
}

std::shared_ptr<const Table> MadeTunerTable() {
  return std::make_shared<const Table>(ParseTunerFile(MadeResults(), MadeInput(), "blur.json"));
}

}  // namespace schedulegym
