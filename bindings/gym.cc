// Environments for Python: single ones, which make fresh arrays at each step.
#include "bindings/gym_internal.h"

#include <unistd.h>

#include <algorithm>

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

  py::tuple Reset(std::optional<int> task) {
    const auto count = static_cast<int>(shape_->parts->tasks.size());
    if (task && (*task < 0 || *task >= count)) {
      throw InputError("workload: found position " + std::to_string(*task) + ", expected 0 to " +
                       std::to_string(count - 1));
    }
    WithoutLock([&] { environment_.Reset(task); });
    const bool evaluated = !environment_.evaluations().empty();
    return py::make_tuple(shape_->Observe(environment_), shape_->Info(environment_, evaluated));
  }

  py::tuple Step(py::handle action_given) {
    CheckRuns();
    const int action = ToAction(action_given, shape_->parts->actions->size());
    const size_t before = environment_.evaluations().size();
    StepResult result;
    WithoutLock([&] { result = environment_.Step(action); });
    const bool evaluated = environment_.evaluations().size() > before;
    return py::make_tuple(shape_->Observe(environment_), result.reward, result.ended, false,
                          shape_->Info(environment_, evaluated));
  }

  // With the evaluator go its workers, once no fork has it; the place stays to be looked at.
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

  // Measuring takes long: others may run meanwhile. Models take no longer than giving up the lock.
  template <typename Act>
  void WithoutLock(const Act& act) const {
    const Evaluator* evaluator = shape_->parts->evaluator.get();
    std::optional<py::gil_scoped_release> unlocked;
    if (evaluator != nullptr && evaluator->is_shared()) unlocked.emplace();
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

// Threads that Python does not know run no signal handlers.
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
  py::class_<R>(module, "EnvironmentRequest",
                "What an environment is asked for; make() fills it in.")
      .def(py::init(&FreshRequest))
      .def_property(
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
      .def_readwrite("actions", &R::actions,
                     "'construct', 'modify' or, of another tuner's table, 'file'.")
      .def_readwrite("source", &R::source, "Of reward: 'model', 'measured' or 'table'.")
      .def_readwrite("space", &R::space, "Spec of the space whose sketches modify walks.")
      .def_readwrite("start", &R::start, "Of modify: 'random' or 'origin'.")
      .def_readwrite("model", &R::model, "'analytical', or the path of a saved model.")
      .def_readwrite("table", &R::table, "Of source 'table': a file.")
      .def_readwrite("target", &R::target, "Of source 'table': that it has to be for; None: any.")
      .def_readwrite("input", &R::input, "T1 file of a table that is a T4 file, or ''.")
      .def_readwrite("reward", &R::reward, "A spec; see rewards().")
      .def_readwrite("protocol", &R::protocol, "Spec of how candidates are timed.")
      .def_readwrite("measuring_seed", &R::measuring_seed, "Of interleaving.")
      .def_readwrite("observations", &R::observations, "Specs of those that are numbers.")
      .def_readwrite("horizon", &R::horizon, "Actions of an episode, at most.")
      .def("record_in", &RecordIn, "store"_a,
           "Measurements go into a store: a file's path, or one that is open for writing.");
  py::class_<ObservationForm>(module, "ObservationForm", "How observations are handed out.")
      .def(py::init<std::vector<std::string>, bool>(), "names"_a, "as_dict"_a)
      .def_readonly("names", &ObservationForm::names, "In order; 'text' among them is a text.")
      .def_readonly("as_dict", &ObservationForm::as_dict, "By name, or the one alone.");
}

// What is to be known of an environment and of where its episode stands.
void AddViews(py::class_<GymEnvironment>& environment) {
  using E = GymEnvironment;
  environment
      .def(
          "state", [](const E& self) { return OrRefuse(self.Begun().episode().state()); },
          "The schedule of this place.")
      .def(
          "loops", [](const E& self) { return LoopText(self.Begun()); }, "The loop nests as text.")
      .def_property_readonly("clock", &ClockOf,
                             "Seconds that measuring would have taken so far, forks included; None "
                             "but of tables.")
      .def(
          "task",
          [](const E& self) {
            return TaskHandle{self.shape().parts->tasks[self.Begun().task_index()]};
          },
          "Of this episode.")
      .def("judgements", &EvaluationResultsOf, "What was judged so far, in order.")
      .def_property_readonly(
          "ended", [](const E& self) { return self.environment().has_ended(); },
          "Whether the episode has ended.")
      .def(
          "legend",
          [](const E& self, size_t which) {
            return self.shape().parts->observations.at(which)->FeatureNames();
          },
          "which"_a, "What the numbers of an observation are.");
}

void BindEnvironment(py::module_& module) {
  using E = GymEnvironment;
  py::class_<E> environment(module, "GymEnvironment", "An environment without Gymnasium's face.");
  BindEpisode(environment);
  environment
      .def(py::init<const EnvironmentRequest&, const ObservationForm&>(), "request"_a, "form"_a)
      .def("seed", &E::Seed, "seed"_a, "What follows depends on it alone.")
      .def("reset", &E::Reset, "task"_a = py::none(), "Observation and info of a new episode.")
      .def("step", &E::Step, "action"_a, "Observation, reward, terminated, truncated, info.")
      .def("close", &E::Close, "Lets go of all that measures.")
      .def("fork", &E::Fork, "An episode of its own that stands where this one does.")
      .def("resume", &E::Resume, "text"_a, "Goes on where the environment of the text stood.")
      .def(
          "to_text", [](const E& self) { return self.environment().ToText(); },
          "All of the episode.")
      .def(
          "mask", [](const E& self) { return self.shape().Mask(self.Begun()); },
          "One byte for each action, 1 where it is legal.")
      .def(
          "observe", [](const E& self) { return self.shape().Observe(self.Begun()); },
          "What is seen now.")
      .def(
          "legal_actions",
          [](const E& self) {
            return LegalActions(*self.shape().parts->actions, self.Begun().episode());
          },
          "Rising.")
      .def(
          "describe",
          [](const E& self, py::handle action) {
            return OrRefuse(self.Begun().episode().Describe(
                ToAction(action, self.shape().parts->actions->size())));
          },
          "action"_a, "What a legal action does here.")
      .def(
          "find",
          [](const E& self, const std::string& text) {
            return FindAction(*self.shape().parts->actions, self.Begun().episode(), text);
          },
          "text"_a, "The legal action that is described so, or None.");
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
                             {"description", entry.description}};
        }
        return all;
      },
      "The environments of the ids ScheduleGym/NAME-v0: name to what is known of each.");
  module.def(
      "observations", [] { return Listed(BuiltinCatalog().observations); },
      "The observations: name to parameters with their defaults.");
  module.def(
      "rewards", [] { return Listed(BuiltinCatalog().rewards); },
      "The rewards: name to parameters with their defaults.");
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
