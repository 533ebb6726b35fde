// Measured programs of stores, and features of many schedules of one task, for models in Python.
// Traces are replayed and described on all cores, without the interpreter's lock. `ansor` and
// `estimated` have a row for each statement of the lowered program; an observation has one row for
// each schedule. Cost: 25 to 50 us a schedule and core for `estimated`.
#include <pybind11/numpy.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/cost/program_states.h"
#include "agents/parallel.h"
#include "assembly/catalog.h"
#include "assembly/program_data.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "env/features/ansor_features.h"
#include "env/features/state_features.h"
#include "env/gym/actions/action_space.h"
#include "env/gym/observations/builtin_observations.h"
#include "env/measure/store/program_set.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

// A schedule as observations see it, outside of an episode: no action leads on.
class ReplayedPlace final : public EpisodeState {
 public:
  explicit ReplayedPlace(ScheduleState state) : state_(std::move(state)) {}

  // Sets the sketch and the point of the schedule.
  void Place(const KnobSpace* knobs, KnobPoint point, int sketch) {
    knobs_ = knobs;
    point_ = std::move(point);
    sketch_ = sketch;
  }

  std::unique_ptr<EpisodeState> Fork() const override {
    return std::make_unique<ReplayedPlace>(*this);
  }
  void WriteMask(std::span<int8_t> mask) const override { std::ranges::fill(mask, 0); }
  Result<void> Act(int action) override {
    (void)action;
    return Error{ErrorKind::kIllegal, "found a recorded schedule, expected an episode"};
  }
  const Result<ScheduleState>& state() const override { return state_; }
  Result<std::string> Describe(int action) const override {
    (void)action;
    return Error{ErrorKind::kIllegal, "found a recorded schedule, expected an episode"};
  }
  std::string ToText() const override { return state_->TraceText(); }

 private:
  Result<ScheduleState> state_;
};

// Rows of all schedules, one schedule after another.
struct FeatureRows {
  int columns = 0;
  std::vector<int64_t> counts;             // rows of each schedule
  std::vector<std::vector<float>> values;  // of each schedule
};

FeatureRows RowsByStatement(const std::vector<KeyedState>& states, bool is_ansor) {
  FeatureRows rows{is_ansor ? AnsorLayout::kWidth : EstimatedLayout::kWidth, {}, {}};
  rows.values.resize(states.size());
  ParallelFor(static_cast<int>(states.size()), ReplayThreads(), [&](int i) {
    rows.values[i] =
        is_ansor ? AnsorFeatures(states[i].state).values : EstimatedFeatures(states[i].state);
  });
  for (const std::vector<float>& values : rows.values) {
    rows.counts.push_back(std::ssize(values) / rows.columns);
  }
  return rows;
}

// Where the schedule is a point of a sketch of the space.
void FindPoint(const std::vector<Sketch>& sketches, ReplayedPlace& place) {
  for (size_t i = 0; i < sketches.size(); ++i) {
    auto point = sketches[i].knobs->PointOf(*place.state());
    if (point) return place.Place(sketches[i].knobs.get(), *std::move(point), static_cast<int>(i));
  }
}

FeatureRows RowsByObservation(const std::vector<KeyedState>& states, const Task& task,
                              const Observation& observation, const std::vector<Sketch>& sketches) {
  FeatureRows rows{observation.size(), std::vector<int64_t>(states.size(), 1), {}};
  rows.values.resize(states.size());
  ParallelFor(static_cast<int>(states.size()), ReplayThreads(), [&](int i) {
    ReplayedPlace place(states[i].state);
    FindPoint(sketches, place);
    rows.values[i].resize(rows.columns);
    observation.Write({.task = task, .episode = place, .actions = {}}, rows.values[i]);
  });
  return rows;
}

struct RecordedPrograms {
  std::string workload, dag, target, space;
  std::vector<std::string> traces;
};

FeatureRows RowsOf(const RecordedPrograms& programs, const Spec& features) {
  const auto task = TaskOfTexts(programs.workload, programs.dag, programs.target);
  const std::vector<KeyedState> states = ReplayTraces(task, programs.traces);
  const bool is_ansor = features.name == "ansor" && features.options.empty();
  if (is_ansor || features.name == "estimated") {
    SpecReader(features, "features").Finish();
    return RowsByStatement(states, is_ansor);
  }
  const std::unique_ptr<Observation> observation = MakeObservation(features);
  std::vector<Sketch> sketches;
  if (features.name == "knobs") {
    const Spec space = RequireSpec("space", programs.space);
    sketches = NamedSpace(space, BuiltinCatalog())->Sketches(task);
  }
  return RowsByObservation(states, *task, *observation, sketches);
}

py::tuple ProgramFeatures(const RecordedPrograms& programs, const std::string& features) {
  FeatureRows rows;
  {
    const py::gil_scoped_release unlocked;
    rows = RowsOf(programs, RequireSpec("features", features));
  }
  int64_t count = 0;
  for (const int64_t one : rows.counts) count += one;
  py::array_t<float> values(std::vector<py::ssize_t>{count, rows.columns});
  float* next = values.mutable_data();
  for (const std::vector<float>& one : rows.values) next = std::ranges::copy(one, next).out;
  py::array_t<int64_t> counts(std::ssize(rows.counts));
  std::ranges::copy(rows.counts, counts.mutable_data());
  return py::make_tuple(std::move(values), std::move(counts));
}

}  // namespace

void BindProgramFeatures(py::module_& module) {
  module.def(
      "packed_programs",
      [](const std::vector<std::string>& stores) {
        ProgramSet set;
        for (const std::string& store : stores) Append(ReadMeasuredPrograms(store), &set);
        for (const std::string& note : set.notes) {
          if (PyErr_WarnEx(PyExc_UserWarning, note.c_str(), 1) != 0) throw py::error_already_set();
        }
        return ProgramsToText(set);
      },
      "stores"_a,
      Docstring(
          "Reads the measured programs of stores, tables, files of programs, logs of Ansor's.")
          .Arg("stores", "Their files.")
          .Returns("The text of a file of programs, as `records pack` compresses it.")
          .Raises("InputError", "One is none of these, or two machines have one name.")
          .text());
  module.def(
      "program_features",
      [](std::string workload, std::string dag, std::string target, std::vector<std::string> traces,
         const std::string& features,
         std::string space) -> py::typing::Tuple<py::array_t<float>, py::array_t<int64_t>> {
        return ProgramFeatures({std::move(workload), std::move(dag), std::move(target),
                                std::move(space), std::move(traces)},
                               features);
      },
      "workload"_a, "dag"_a, "target"_a, "traces"_a, "features"_a = "estimated",
      "space"_a = "schedulegym",
      Docstring("Describes recorded schedules of one task by numbers, on all cores.")
          .Arg("workload", "The task's name, for messages.")
          .Arg("dag", "The computation as .dag text.")
          .Arg("target", "The machine as a spec.")
          .Arg("traces", "The schedules, each as the text of a trace.")
          .Arg("features",
               "'ansor' or 'estimated': a row for each statement; or an observation, such as "
               "'tokens', 'loops' or 'knobs(most=32)': a row for each schedule.")
          .Arg("space", "Of 'knobs': the search space whose knobs they are.")
          .Returns("Rows as float32 of shape (rows, columns), one schedule after another, and the "
                   "number of rows of each schedule.")
          .Raises("InputError", "A text cannot be read, or a trace does not replay.")
          .text());
}

}  // namespace schedulegym
