// Environments for Python: single ones, which make fresh arrays at each step.
// A step gives up the interpreter's lock only where it measures: a model's step takes no longer
// than giving up the lock. Closing moves the episode to equal parts without the evaluator, by its
// text.
#include "bindings/gym_internal.h"

#include <unistd.h>

#include <algorithm>

#include "assembly/measuring/measurer_factory.h"
#include "bindings/bindings_internal.h"
#include "bindings/locked_store.h"
#include "env/base/text.h"
#include "env/gym/builtin_environments.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

class GymEnvironment {
 public:
  GymEnvironment(const EnvironmentRequest& request, const ObservationForm& form)
      : shape_(std::make_shared<const GymShape>(MakeEnvironmentParts(request, BuiltinCatalog()),
                                                form)),
        environment_(shape_->parts) {}

  void Seed(uint64_t seed) { environment_.Seed(seed); }

  Viewed Reset(std::optional<int> task) {
    const auto count = static_cast<int>(shape_->parts->tasks.size());
    if (task && (*task < 0 || *task >= count)) {
      throw InputError("workload: found position " + std::to_string(*task) + ", expected 0 to " +
                       std::to_string(count - 1));
    }
    WithoutLock([&] { environment_.Reset(task); });
    const bool evaluated = !environment_.evaluations().empty();
    return py::make_tuple(shape_->Observe(environment_), shape_->Info(environment_, evaluated));
  }

  Stepped Step(py::handle action_given) {
    CheckRuns();
    const int action = ToAction(action_given, shape_->parts->actions->size());
    const size_t before = environment_.evaluations().size();
    StepResult result;
    WithoutLock([&] { result = environment_.Step(action); });
    const bool evaluated = environment_.evaluations().size() > before;
    return py::make_tuple(shape_->Observe(environment_), result.reward, result.ended, false,
                          shape_->Info(environment_, evaluated));
  }

  // Releases the measurer and its workers, unless a fork uses it. The place can still be read.
  void Close() {
    const auto parts = WithoutMeasuring(*shape_->parts);
    if (!parts) return;
    environment_ = MovedTo(parts, environment_);
    shape_ = std::make_shared<GymShape>(parts, shape_->form);
  }

  GymEnvironment Fork() const { return *this; }

  const Environment& environment() const { return environment_; }
  // Throws InputError before the first episode.
  const Environment& Begun() const {
    if (!environment_.has_begun()) throw InputError("found no episode, expected reset() before");
    return environment_;
  }
  const GymShape& shape() const { return *shape_; }

  void Resume(const std::string& text) {
    const Result<void> resumed = environment_.Resume(text);
    if (!resumed) throw InputError("text of an environment: " + resumed.error().message);
  }

 private:
  void CheckRuns() const {
    if (!Begun().has_ended()) return;
    throw InputError("found an episode that has ended, expected reset() before another step");
  }

  // Releases the interpreter's lock only for measurements; a model takes no longer than the release
  // itself.
  template <typename Act>
  void WithoutLock(const Act& act) const {
    std::optional<py::gil_scoped_release> unlocked;
    if (shape_->parts->has_shared_measurer()) unlocked.emplace();
    act();
  }

  std::shared_ptr<const GymShape> shape_;
  Environment environment_;
};

std::vector<py::dict> EvaluationResultsOf(const GymEnvironment& self) {
  std::vector<py::dict> all;
  for (const EvaluationResult& evaluation : self.environment().evaluations()) {
    self.shape().AddEvaluationResult(evaluation, all.emplace_back());
  }
  return all;
}

std::optional<double> ClockOf(const GymEnvironment& self) {
  const auto& clock = self.shape().parts->clock;
  if (!clock) return std::nullopt;
  return clock();
}

// An open one is of the process that opened it: a connection does not outlive a fork.
void RecordIn(EnvironmentRequest& request,
              const std::variant<const StoreHandle*, std::filesystem::path>& store) {
  if (const auto* path = std::get_if<std::filesystem::path>(&store)) {
    request.open_store = [name = path->string()] {
      return MakeLocked(OpenStore(name, StoreMode::kWrite));
    };
    return;
  }
  const StoreHandle& handle = *std::get<const StoreHandle*>(store);
  const pid_t process = getpid();
  request.open_store = [open = handle.Open(), path = handle.path, process] {
    if (path.empty() || process == getpid()) return open;
    throw InputError("store '" + path +
                     "': found one that another process opened, expected a path");
  };
}

// Python runs signal handlers on its own threads only.
void CheckSignals() {
  if (PyGILState_GetThisThreadState() == nullptr) return;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

EnvironmentRequest FreshRequest() {
  EnvironmentRequest request;
  request.check = CheckSignals;
  return request;
}

void BindRequest(py::module_& module) {
  using R = EnvironmentRequest;
  py::class_<R> request(module, "EnvironmentRequest",
                        "What an environment is asked for; make() fills it in.");
  request.def(py::init(&FreshRequest))
      .def("record_in", &RecordIn, "store"_a,
           Docstring("Lets measurements go into a store.")
               .Arg("store", "A file's path, or a RecordStore that is open for writing.")
               .Raises("InputError", "The store is closed.")
               .text());
  PythonFields(request)
      .Add(
          "tasks",
          [](const R& self) {
            std::vector<TaskHandle> tasks;
            for (const auto& task : self.tasks) tasks.push_back({task});
            return tasks;
          },
          [](R& self, const std::vector<TaskHandle>& tasks) {
            self.tasks.clear();
            for (const TaskHandle& task : tasks) self.tasks.push_back(task.task);
          },
          "Of which each episode draws one.")
      .Add("actions", &R::actions, "'construct', 'modify' or, of another tuner's table, 'file'.")
      .Add("source", &R::source, "Of reward: 'model', 'measured' or 'table'.")
      .Add("space", &R::space, "Spec of the space whose sketches modify walks.")
      .Add("start", &R::start, "Of modify: 'random' or 'origin'.")
      .Add("model", &R::model, "'analytical', or the path of a saved model.")
      .Add("measurer", &R::measurer,
           "Spec of a measurer of the kind that `source` says, for its options; '': the usual one.")
      .Add("table", &R::table, "Of source 'table': a file.")
      .Add("target", &R::target, "Of source 'table': that it has to be for; None: any.")
      .Add("input", &R::input, "T1 file of a table that is a T4 file, or ''.")
      .Add("reward", &R::reward, "A spec; see rewards().")
      .Add("protocol", &R::protocol, "Spec of how candidates are timed.")
      .Add("measuring_seed", &R::measuring_seed, "Of interleaving.")
      .Add("observations", &R::observations, "Specs of those that are numbers.")
      .Add("horizon", &R::horizon, "Actions of an episode, at most.");
  py::class_<ObservationForm>(module, "ObservationForm", "How observations are handed out.")
      .def(py::init<std::vector<std::string>, bool>(), "names"_a, "as_dict"_a,
           Docstring("Says which observations are handed out.")
               .Arg("names", "In order; 'text' is the loop nests as text.")
               .Arg("as_dict", "Whether by name; else there is one name, and it comes alone.")
               .text())
      .def_readonly("names", &ObservationForm::names, "In order; 'text' among them is a text.")
      .def_readonly("as_dict", &ObservationForm::as_dict, "By name, or the one alone.");
}

// Properties of an environment and of the current place.
void AddViews(py::class_<GymEnvironment>& environment) {
  using E = GymEnvironment;
  environment
      .def(
          "state", [](const E& self) { return OrRefuse(self.Begun().episode().state()); },
          Docstring("Finds the schedule of this place.")
              .Returns("A ScheduleState.")
              .Raises("InputError", "No episode has begun, or the place has no schedule.")
              .Raises("ScheduleError", "The place has no legal schedule.")
              .text())
      .def(
          "loops", [](const E& self) { return LoopText(self.Begun()); },
          Docstring("Prints the loop nests.")
              .Returns("Lines of text, or why there is no schedule.")
              .Raises("InputError", "No episode has begun.")
              .text())
      .def_property_readonly("clock", &ClockOf,
                             "Seconds that measuring would have taken so far, forks included; None "
                             "but of tables.")
      .def(
          "task",
          [](const E& self) {
            return TaskHandle{self.shape().parts->tasks[self.Begun().task_index()]};
          },
          Docstring("Finds the task of this episode.")
              .Returns("A Task.")
              .Raises("InputError", "No episode has begun.")
              .text())
      .def("judgements", &EvaluationResultsOf,
           Docstring("Lists the evaluations of this episode.")
               .Returns("In order: dicts of `outcome`, `speed` (a ratio to the reference schedule, "
                        "None of a failure) and, where known, `seconds`.")
               .text())
      .def_property_readonly(
          "ended", [](const E& self) { return self.environment().has_ended(); },
          "Whether the episode has ended.")
      .def(
          "legend",
          [](const E& self, size_t which) {
            return self.shape().parts->observations.at(which)->FeatureNames();
          },
          "which"_a,
          Docstring("Says what the numbers of an observation are.")
              .Arg("which", "The observation's position among those of numbers.")
              .Returns("A line for each number, or for each range of them.")
              .Raises("IndexError", "There is no such observation.")
              .text());
}

void BindSteps(py::class_<GymEnvironment>& environment) {
  using E = GymEnvironment;
  environment
      .def(py::init<const EnvironmentRequest&, const ObservationForm&>(), "request"_a, "form"_a,
           Docstring("Makes an environment without an episode.")
               .Arg("request", "What it is asked for.")
               .Arg("form", "How observations are handed out.")
               .Raises("InputError", "Something that is asked for does not exist or does not fit.")
               .Raises("MachineError", "Nothing can be measured for the target here.")
               .text())
      .def("seed", &E::Seed, "seed"_a,
           Docstring("Seeds what follows, which depends on nothing else.")
               .Arg("seed", "0 to 2**64 - 1.")
               .text())
      .def("reset", &E::Reset, "task"_a = py::none(),
           Docstring("Begins an episode.")
               .Arg("task", "The position of its task; None draws one.")
               .Returns("Observation and info.")
               .Raises("InputError", "There is no such task.")
               .text())
      .def("step", &E::Step, "action"_a,
           Docstring("Takes an action.")
               .Arg("action", "A whole number from 0 to action_count - 1.")
               .Returns("Observation, reward, terminated, truncated (never) and info.")
               .Raises("InputError", "It is no such number, or no episode is under way.")
               .text())
      .def("close", &E::Close, "Lets go of all that measures.")
      .def("fork", &E::Fork,
           Docstring("Copies the episode.")
               .Returns("An environment that stands where this one does.")
               .text())
      .def("resume", &E::Resume, "text"_a,
           Docstring("Goes on where another environment stood.")
               .Arg("text", "Its to_text().")
               .Raises("InputError", "The text is of an environment that was asked for otherwise.")
               .text())
      .def(
          "to_text", [](const E& self) { return self.environment().ToText(); },
          Docstring("Writes the episode.").Returns("Lines of text, for resume().").text());
}

void BindActions(py::class_<GymEnvironment>& environment) {
  using E = GymEnvironment;
  environment
      .def(
          "mask", [](const E& self) { return self.shape().Mask(self.Begun()); },
          Docstring("Says which actions are legal.")
              .Returns("int8 of shape (action_count,), 1 where legal.")
              .Raises("InputError", "No episode has begun.")
              .text())
      .def(
          "observe", [](const E& self) { return self.shape().Observe(self.Begun()); },
          Docstring("Observes this place.")
              .Returns("As reset() does: a float32 array, a text, or a dict of these.")
              .Raises("InputError", "No episode has begun.")
              .text())
      .def(
          "legal_actions",
          [](const E& self) {
            return LegalActions(*self.shape().parts->actions, self.Begun().episode());
          },
          Docstring("Lists the legal actions.")
              .Returns("Their numbers, rising.")
              .Raises("InputError", "No episode has begun.")
              .text())
      .def(
          "describe",
          [](const E& self, py::handle action) {
            return OrRefuse(self.Begun().episode().Describe(
                ToAction(action, self.shape().parts->actions->size())));
          },
          "action"_a,
          Docstring("Says what a legal action does here.")
              .Arg("action", "A whole number from 0 to action_count - 1.")
              .Returns("A primitive as traces write it, or words.")
              .Raises("InputError", "The action is not legal here, or no such number.")
              .text())
      .def(
          "find",
          [](const E& self, const std::string& text) {
            return FindAction(*self.shape().parts->actions, self.Begun().episode(), text);
          },
          "text"_a,
          Docstring("Finds an action.")
              .Arg("text", "What describe() says of it.")
              .Returns("The legal action that is described so, or None.")
              .Raises("InputError", "No episode has begun.")
              .text());
}

void BindEnvironment(py::module_& module) {
  py::class_<GymEnvironment> environment(module, "GymEnvironment",
                                         "An environment without Gymnasium's face.");
  BindEpisode(environment);
  BindSteps(environment);
  BindActions(environment);
  BindSpaces(environment);
  AddViews(environment);
}

}  // namespace

void BindGym(py::module_& module) {
  BindRequest(module);
  BindEnvironment(module);
  module.def(
      "environments",
      [] {
        std::map<std::string, std::map<std::string, std::string>> all;
        for (const EnvironmentEntry& entry : BuiltinEnvironments()) {
          all[entry.name] = {{"actions", entry.actions},
                             {"source", entry.source},
                             {"parameters", entry.parameters},
                             {"description", entry.description},
                             {"version_1", entry.version_1}};
        }
        return all;
      },
      Docstring("Lists the environments of the ids ScheduleGym/NAME-v0.")
          .Returns(
              "By NAME: `actions`, `source`, `parameters` and `description`, as text, and "
              "`version_1`, the arguments that ScheduleGym/NAME-v1 has beside them, empty where "
              "there is no such id.")
          .text());
  module.def(
      "source_of",
      [](const std::string& measure) {
        return SourceOf(RequireMeasurer("measure", measure), BuiltinCatalog());
      },
      "measure"_a,
      Docstring("Says what a measurer is as the source of an environment.")
          .Arg("measure", "A spec; see measurers().")
          .Returns("'measured', 'table' or 'model'. Tables are not read.")
          .Raises("InputError", "There is no such measurer, or an option of it is wrong.")
          .text());
  module.def(
      "protocol_warnings",
      [](const std::string& protocol) {
        return OldNamesOfProtocol(RequireSpec("protocol", protocol));
      },
      "protocol"_a,
      Docstring("Says what is outdated in a protocol.")
          .Arg("protocol", "A spec.")
          .Returns("A line for each old name, with the new one.")
          .Raises("InputError", "It is no spec.")
          .text());
  module.def(
      "observations", [] { return Listed(BuiltinCatalog().observations); },
      Docstring("Lists the observations.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
  module.def(
      "rewards", [] { return Listed(BuiltinCatalog().rewards); },
      Docstring("Lists the rewards.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
}

namespace py = pybind11;

int ToAction(py::handle action, int size) {
  const auto refuse = [&]() -> int {
    throw InputError("action: found " + std::string(py::str(py::repr(action))) +
                     ", expected a whole number from 0 to " + std::to_string(size - 1));
  };
  if (PyBool_Check(action.ptr()) || !PyIndex_Check(action.ptr())) return refuse();
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(action.ptr()));
  if (!number) {
    PyErr_Clear();
    return refuse();
  }
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || value < 0 || value >= size) return refuse();
  return static_cast<int>(value);
}

Autoreset ToAutoreset(const std::string& mode) {
  const std::vector<std::string> names = {"NextStep", "SameStep", "Disabled"};
  const auto found = std::find(names.begin(), names.end(), mode);
  if (found == names.end()) throw InputError(UnknownName("autoreset mode", mode, names));
  return static_cast<Autoreset>(found - names.begin());
}

int CheckedCount(const std::string& argument, int value, int most) {
  if (value >= 1 && value <= most) return value;
  throw InputError(argument + ": found " + std::to_string(value) + ", expected 1 to " +
                   std::to_string(most));
}

int CheckedAction(int64_t action, int position, int size) {
  if (action >= 0 && action < size) return static_cast<int>(action);
  throw InputError("actions: found " + std::to_string(action) + " at " + std::to_string(position) +
                   ", expected whole numbers from 0 to " + std::to_string(size - 1));
}

std::vector<int64_t> ToNumbers(const std::string& argument, const py::array& array,
                               std::optional<int> size) {
  const char kind = array.dtype().kind();
  const bool fits = array.ndim() == 1 && (!size || array.shape(0) == *size);
  if ((kind != 'i' && kind != 'u') || !fits) {
    throw InputError(argument + ": found an array of " + std::string(py::str(array.dtype())) +
                     " of shape " + std::string(py::str(array.attr("shape"))) +
                     ", expected whole numbers" +
                     (size ? " of shape (" + std::to_string(*size) + ",)" : " in one row"));
  }
  const py::array_t<int64_t, py::array::c_style | py::array::forcecast> numbers(array);
  return {numbers.data(), numbers.data() + numbers.size()};
}

std::vector<int> CheckedWorkloads(const std::vector<int>& workload_of, int count,
                                  const EnvironmentParts& parts) {
  if (workload_of.empty()) return {};
  const auto most = static_cast<int>(parts.tasks.size()) - 1;
  if (std::ssize(workload_of) != count) {
    throw InputError("workload_of: found " + std::to_string(workload_of.size()) +
                     " positions, expected one for each of " + std::to_string(count) +
                     " environments");
  }
  for (int position : workload_of) {
    if (position >= 0 && position <= most) continue;
    throw InputError("workload_of: found " + std::to_string(position) +
                     ", expected positions of workloads, 0 to " + std::to_string(most));
  }
  return workload_of;
}

}  // namespace schedulegym
