// The kinds of files that searches write: recorded curves, search trees, schedulers' learned state.
#include <cmath>

#include "agents/decisions/tree_view.h"
#include "agents/schedulers/simulation/curve_file.h"
#include "agents/task_scheduler.h"
#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/model_state_file.h"
#include "env/base/text.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/json_change.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

constexpr int kTasks = 3;

Measurement SomeMeasurement(double ratio, Rng& rng) {
  Measurement measurement;
  measurement.outcome = rng.Chance(0.2) ? Outcome::kWrongOutput : Outcome::kOk;
  measurement.phases = {rng.Uniform(), rng.Uniform(), rng.Uniform()};
  if (measurement.outcome != Outcome::kOk) return measurement;
  measurement.timing = Timing{.seconds = 1e-3 / ratio, .ratio = {ratio, ratio, ratio}};
  return measurement;
}

RecordedCurve SomeCurve(int task, Rng& rng) {
  RecordedCurve curve;
  curve.task = "matmul(m=" + std::to_string(8 << task) + ")";
  curve.agent = "ansor";
  curve.search = "seed 0";
  curve.scheduler = "linear";
  curve.facts = {{1.0 + task}, 1e6, "alike"};
  curve.reference = 1e-3;
  for (int turn = 0; turn < 3; ++turn) {
    const std::vector<Measurement> trials = {SomeMeasurement(1 + turn, rng),
                                             SomeMeasurement(1.5 + turn, rng)};
    curve.whole.AddTurn(trials, 0.25, 2);
    curve.places.push_back(turn * kTasks + task);
  }
  return curve;
}

// Changes, removes or doubles a line.
std::string ChangedCurves(const std::vector<std::string>& seeds, Rng& rng) {
  std::vector<std::string> lines = SplitLines(AnyOf(seeds, rng));
  const auto at = static_cast<size_t>(rng.Below(std::ssize(lines)));
  if (rng.Chance(0.8)) {
    lines[at] = ChangedJson(lines[at], rng);
  } else if (rng.Chance(0.5)) {
    lines.push_back(lines[at]);
  } else {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return Join(lines, "\n") + "\n";
}

void UseCurves(const std::string& path) {
  const std::vector<RecordedCurve> curves = ReadCurveFiles({&path, 1});
  for (const RecordedCurve& curve : curves) {
    if (!std::isfinite(curve.reference.value_or(0)) || curve.trials() < 1) {
      throw std::logic_error("a curve that says nothing was read");
    }
  }
  if (ParseCurves(CurveText(curves), path).size() != curves.size()) {
    throw std::logic_error("written, they read as other curves");
  }
}

TreeView SomeTree(Rng& rng) {
  TreeView tree = {.task = "matmul(m=8)", .values = "log of predicted speed", .trace = "trace 1\n"};
  for (int node = 0; node < 12; ++node) {
    ViewNode view = {.parent = node - 1, .visits = 12 - node};
    if (node > 0) view = {static_cast<int>(rng.Below(node)), "a word", 12 - node, {}, {}, {}};
    if (rng.Chance(0.7)) view.mean = view.best = rng.Uniform();
    if (rng.Chance(0.3)) view.seconds = 1e-3 * rng.Uniform();
    tree.nodes.push_back(view);
  }
  return tree;
}

void UseTrees(const std::string& path) {
  const std::vector<TreeView> trees = ParseTreeViews(ReadUntrustedFile(path, kTreeFile), path);
  for (const TreeView& tree : trees) (void)PrincipalVariation(tree);
  if (ParseTreeViews(ToText(trees), path).size() != trees.size()) {
    throw std::logic_error("written, they read as other trees");
  }
}

SchedulerContext SomeTasks() {
  SchedulerContext context = {.batch = 2};
  for (int task = 0; task < kTasks; ++task) context.tasks.push_back({{1.0 + task}, 1e6, "alike"});
  return context;
}

// Runs `turns` turns of a search.
void Play(TaskScheduler& scheduler, int turns, Rng& rng) {
  const SchedulerContext context = SomeTasks();
  std::vector<TaskCurve> curves(context.tasks.size());
  for (int turn = 0; turn < turns; ++turn) {
    const auto task = scheduler.Next({context.tasks, curves, turn * 2.0, 1000});
    if (!task) return;
    const std::vector<Measurement> trials = {SomeMeasurement(1 + turn, rng),
                                             SomeMeasurement(1.5 + turn, rng)};
    curves.at(*task).AddTurn(trials, 0.25, 2);
  }
}

std::string SomeModelState(const std::string& name, Rng& rng) {
  const auto scheduler = MakeTaskScheduler({name, {}}, SomeTasks());
  Play(*scheduler, 10, rng);
  return ToBytes({scheduler->memory()->Kind(), scheduler->memory()->Save().value()});
}

// Mostly keeps the line with the kind of the file.
std::string ChangedMemory(const std::vector<std::string>& seeds, Rng& rng) {
  std::string seed = AnyOf(seeds, rng);
  if (rng.Chance(0.05)) ChangeBytes(seed, rng);
  const size_t text = seed.find('\n') + 1;
  return seed.substr(0, text) + ChangedJson(seed.substr(text), rng);
}

// Resumes the scheduler that the file names.
void UseModelState(const std::string& path) {
  const bool is_gradient =
      ReadModelState(path, kModelFile, {"swucb 1", "gradient 1"}).kind[0] == 'g';
  const Spec spec = {is_gradient ? "gradient" : "swucb", {{"model", {path}}}};
  Rng rng(1);
  Play(*MakeTaskScheduler(spec, SomeTasks()), 8, rng);
}

}  // namespace

FileTarget MakeCurveTarget() {
  FileTarget target = {.kind = "curves", .suffix = ".curves"};
  Rng rng(17);
  for (int file = 0; file < 2; ++file) {
    std::vector<RecordedCurve> curves;
    for (int task = 0; task < kTasks; ++task) curves.push_back(SomeCurve(task, rng));
    target.seeds.push_back(CurveText(curves));
  }
  target.change = ChangedCurves;
  target.read = [](const std::string& path) {
    return ReadOrRefuse([&] { UseCurves(path); },
                        {"found no JSON object", "nests deeper", "found no curve", "of version",
                         "holds nothing", "cannot read"});
  };
  return target;
}

// A JSON text is past the syntax: the reader reports any text without a tree by one line.
FileTarget MakeTreeTarget() {
  FileTarget target = {.kind = "tree", .suffix = ".json"};
  Rng rng(19);
  target.seeds = {ToText({SomeTree(rng)}), ToText({SomeTree(rng), SomeTree(rng)})};
  target.change = [](const std::vector<std::string>& seeds, Rng& chance) {
    return ChangedJson(AnyOf(seeds, chance), chance);
  };
  target.read = [](const std::string& path) {
    Reading reading = ReadOrRefuse([&] { UseTrees(path); }, {"found version", "cannot read"});
    reading.past_header = reading.past_header && IsJson(ReadUntrustedFile(path, kTreeFile));
    return reading;
  };
  return target;
}

FileTarget MakeSchedulerTarget() {
  FileTarget target = {.kind = "scheduler", .suffix = ".model"};
  Rng rng(23);
  target.seeds = {SomeModelState("swucb", rng), SomeModelState("gradient", rng)};
  target.change = ChangedMemory;
  target.read = [](const std::string& path) {
    return ReadOrRefuse([&] { UseModelState(path); },
                        {"found no file of tune", "found kind", "nests deeper", "cannot read"});
  };
  return target;
}

}  // namespace schedulegym
