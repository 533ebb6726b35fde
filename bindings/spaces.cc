// Search spaces, and the chance that draws from them.
#include "assembly/catalog.h"
#include "bindings/bindings_internal.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

void BindRng(py::module_& module) {
  py::class_<Rng>(module, "Rng", "A seeded source of chance.")
      .def(py::init<uint64_t>(), "seed"_a, "Equal seeds give equal streams.")
      .def("next", &Rng::Next, "64 uniform bits.")
      .def(
          "below",
          [](Rng& self, int64_t bound) {
            if (bound < 1) throw InputError("bound: found a number below 1");
            return self.Below(bound);
          },
          "bound"_a, "Uniform among 0, ..., bound - 1.")
      .def("uniform", &Rng::Uniform, "Uniform in [0, 1).")
      .def("split", &Rng::Split, "An independent stream.");
}

// Some draws lead nowhere; the last one's reason is told where all do.
template <typename Draw>
ScheduleState Drawn(const Draw& draw) {
  constexpr int kDraws = 100;
  Result<ScheduleState> state = draw();
  for (int i = 1; i < kDraws && !state; ++i) state = draw();
  return OrRefuse(std::move(state));
}

}  // namespace

void BindSpaces(py::module_& module) {
  BindRng(module);
  py::class_<SearchSpace, std::shared_ptr<SearchSpace>>(module, "SearchSpace",
                                                        "Which schedules of a task may be chosen.")
      .def(py::init([](const std::string& spec) {
             return std::shared_ptr<SearchSpace>(
                 NamedSpace(RequireSpec("space", spec), BuiltinCatalog()));
           }),
           "spec"_a = "schedulegym",
           "Such as 'schedulegym', 'ansor(rfactor=false)', or 'table(file=FILE)', of what a table "
           "knows: an AgentSetup's `space`.")
      .def_property_readonly("name", &SearchSpace::Name, "As a spec, with its options.")
      .def(
          "sample",
          [](const SearchSpace& self, const TaskHandle& task, Rng& rng) {
            return Drawn([&] { return self.Sample(task.task, rng); });
          },
          "task"_a, "rng"_a,
          "A complete schedule at random; ScheduleError where draws lead nowhere.")
      .def(
          "mutate",
          [](const SearchSpace& self, const ScheduleState& state, Rng& rng) {
            return Drawn([&] { return self.Mutate(state, rng); });
          },
          "state"_a, "rng"_a, "One decision made anew; ScheduleError where draws lead nowhere.")
      .def(
          "admit",
          [](const SearchSpace& self, const ScheduleState& state) -> std::optional<std::string> {
            const Result<void> admitted = self.Admit(state);
            if (admitted) return std::nullopt;
            return admitted.error().message;
          },
          "state"_a, "None where it is worth measuring, else why it is not.")
      .def("__repr__",
           [](const SearchSpace& self) { return "SearchSpace('" + self.Name() + "')"; });
  module.def(
      "spaces", [] { return Listed(BuiltinCatalog().spaces); },
      "The search spaces: name to parameters with their defaults.");
  module.def(
      "reference_schedule", [](const TaskHandle& task) { return ReferenceSchedule(task.task); },
      "task"_a, "The fixed schedule with which candidates of a task are timed in pairs.");
}

}  // namespace schedulegym
