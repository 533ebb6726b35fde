// Search spaces, and the chance that draws from them. A draw may lead nowhere: up to 100 are made,
// and the last one's reason becomes a ScheduleError. Generators are Rng's (env/base/rng.h), so that
// a seed gives the same schedules as in C++.
#include "assembly/catalog.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_noise.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

void BindRng(py::module_& module) {
  py::class_<Rng>(module, "Rng",
                  Docstring("A seeded source of chance.")
                      .Example(">>> Rng(1).below(100) == Rng(1).below(100)")
                      .Example("True")
                      .text())
      .def(py::init<uint64_t>(), "seed"_a,
           Docstring("Begins a stream.")
               .Arg("seed", "0 to 2**64 - 1; equal seeds give equal streams.")
               .text())
      .def("next", &Rng::Next, Docstring("Draws bits.").Returns("64 uniform bits.").text())
      .def(
          "below",
          [](Rng& self, int64_t bound) {
            if (bound < 1) throw InputError("bound: found a number below 1");
            return self.Below(bound);
          },
          "bound"_a,
          Docstring("Draws a whole number.")
              .Arg("bound", "At least 1.")
              .Returns("Uniform among 0, ..., bound - 1.")
              .Raises("InputError", "`bound` is below 1.")
              .text())
      .def("uniform", &Rng::Uniform,
           Docstring("Draws a number.").Returns("Uniform in [0, 1).").text())
      .def("split", &Rng::Split,
           Docstring("Begins another stream.").Returns("An independent Rng.").text());
}

// Draws may fail; the last one's reason is thrown where all do.
template <typename Draw>
ScheduleState Drawn(const Draw& draw) {
  constexpr int kDraws = 100;
  Result<ScheduleState> state = draw();
  for (int i = 1; i < kDraws && !state; ++i) state = draw();
  return OrRefuse(std::move(state));
}

void BindFunctions(py::module_& module) {
  module.def(
      "spaces", [] { return Listed(BuiltinCatalog().spaces); },
      Docstring("Lists the search spaces.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
  module.def(
      "reference_schedule", [](const TaskHandle& task) { return ReferenceSchedule(task.task); },
      "task"_a,
      Docstring("Makes the fixed schedule with which candidates of a task are timed in pairs.")
          .Arg("task", "What it schedules.")
          .Returns("A ScheduleState.")
          .text());
  module.def(
      "noise_ceiling",
      [](const std::string& table) { return NoiseCeilingOf(HalvedSpeedsOf(ReadTable(table))); },
      "table"_a,
      Docstring("How well a table's own samples distinguish its best schedules.")
          .Arg("table", "A file of a table.")
          .Returns("Share of the best speed that the ten best by half of the rounds have by the "
                   "rest: 1 without noise; None without raw samples.")
          .Raises("InputError", "It cannot be read, or is no table.")
          .text());
}

void BindSpace(py::module_& module) {
  py::class_<SearchSpace, std::shared_ptr<SearchSpace>>(
      module, "SearchSpace",
      Docstring("Which schedules of a task may be chosen.")
          .Example(">>> space, rng = SearchSpace('ansor'), Rng(0)")
          .Example(">>> state = space.sample(Task('matmul(m=64,n=64,k=64)'), rng)")
          .Example(">>> space.mutate(state, rng).task == state.task")
          .Example("True")
          .text())
      .def(py::init([](const std::string& spec) {
             return std::shared_ptr<SearchSpace>(
                 NamedSpace(RequireSpec("space", spec), BuiltinCatalog()));
           }),
           "spec"_a = "schedulegym",
           Docstring("Makes a space of a spec.")
               .Arg("spec",
                    "Such as 'schedulegym', 'ansor(rfactor=false)', or 'table(file=FILE)', "
                    "of what a table knows: an AgentSetup's `space`.")
               .Raises("InputError", "There is no such space, or an option is not one of its.")
               .text())
      .def_property_readonly("name", &SearchSpace::Name, "As a spec, with its options.")
      .def(
          "sample",
          [](const SearchSpace& self, const TaskHandle& task, Rng& rng) {
            return Drawn([&] { return self.Sample(task.task, rng); });
          },
          "task"_a, "rng"_a,
          Docstring("Draws a complete schedule.")
              .Arg("task", "What it schedules.")
              .Arg("rng", "The stream that is drawn from.")
              .Returns("A ScheduleState.")
              .Raises("ScheduleError", "100 draws in a row led nowhere.")
              .text())
      .def(
          "mutate",
          [](const SearchSpace& self, const ScheduleState& state, Rng& rng) {
            return Drawn([&] { return self.Mutate(state, rng); });
          },
          "state"_a, "rng"_a,
          Docstring("Makes one decision of a schedule anew.")
              .Arg("state", "A schedule of this space.")
              .Arg("rng", "The stream that is drawn from.")
              .Returns("A neighbour of the state.")
              .Raises("ScheduleError", "100 draws in a row led nowhere.")
              .text())
      .def(
          "admit",
          [](const SearchSpace& self, const ScheduleState& state) -> std::optional<std::string> {
            const Result<void> admitted = self.Admit(state);
            if (admitted) return std::nullopt;
            return admitted.error().message;
          },
          "state"_a,
          Docstring("Whether a schedule passes the filters of the space.")
              .Arg("state", "Any schedule.")
              .Returns("None where it is, else why it is not.")
              .text())
      .def("__repr__",
           [](const SearchSpace& self) { return "SearchSpace('" + self.Name() + "')"; });
}

}  // namespace

void BindSpaces(py::module_& module) {
  BindRng(module);
  BindSpace(module);
  BindFunctions(module);
}

}  // namespace schedulegym
