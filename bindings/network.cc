// Environments over the tasks of a network for Python.
// A slot searches one task for a batch of trials without the interpreter's lock; its observer lets
// Python's signal handlers run between trials, and what they raise ends the slot. One thread at a
// time may use an environment: a second one is refused while a step is under way.
#include <pybind11/numpy.h>

#include <atomic>

#include "agents/network/network_environment.h"
#include "agents/network/network_observation.h"
#include "assembly/environment_request.h"
#include "bindings/bindings_internal.h"
#include "bindings/gym_internal.h"
#include "bindings/interruption_internal.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

// Lets Python's signal handlers run between trials.
class SignalObserver : public TuneObserver {
 public:
  void OnTurn(const TurnEvent&) override { Check(); }
  void OnTrial(const TrialEvent&) override { Check(); }

  const std::atomic<bool>* flag() const { return interruption_.flag(); }
  // Throws the exception that is kept, and clears it.
  void Raise() { interruption_.Raise(); }

 private:
  void Check() {
    const py::gil_scoped_acquire lock;
    interruption_.CheckSignals();
  }

  Interruption interruption_;
};

class GymNetwork {
 public:
  explicit GymNetwork(const NetworkRequest& request)
      : environment_(MakeNetworkParts(request, BuiltinCatalog()), {signals_, signals_.flag()}) {}

  void Seed(uint64_t seed) {
    CheckIdle();
    environment_.Seed(seed);
  }

  Viewed Reset() {
    Unlocked([&] { environment_.Reset(); });
    return py::make_tuple(Observe(), Info());
  }

  Stepped Step(py::handle action_given) {
    if (Begun().has_ended()) {
      throw InputError("found an episode that has ended, expected reset() before another step");
    }
    const int action = ToAction(action_given, environment_.action_count());
    StepResult result;
    Unlocked([&] { result = environment_.Step(action); });
    return py::make_tuple(Observe(), result.reward, result.ended, false, Info());
  }

  // Throws InputError before the first episode.
  const NetworkEnvironment& Begun() const {
    if (!environment().has_begun()) throw InputError("found no episode, expected reset() before");
    return environment_;
  }
  const NetworkEnvironment& environment() const {
    CheckIdle();
    return environment_;
  }

  py::array_t<int8_t> Mask() const {
    const NetworkEnvironment& environment = Begun();
    py::array_t<int8_t> mask(environment.action_count());
    environment.WriteMask({mask.mutable_data(), static_cast<size_t>(mask.size())});
    return mask;
  }

  py::array_t<float> Observe() const {
    const NetworkEnvironment& environment = Begun();
    py::array_t<float> numbers(NetworkObservationSize(environment.parts().rows));
    environment.WriteObservation({numbers.mutable_data(), static_cast<size_t>(numbers.size())});
    return numbers;
  }

  py::dict Info() const {
    const NetworkEnvironment& environment = Begun();
    const NetworkEpisode& episode = environment.episode();
    const double latency = episode.Latency();
    py::dict info("action_mask"_a = Mask(), "illegal_actions"_a = environment.illegal_actions(),
                  "latency"_a = latency, "speed"_a = episode.ReferenceLatency() / latency,
                  "trials"_a = episode.trials());
    if (!environment.reason().empty()) info["illegal"] = environment.reason();
    return info;
  }

  void Resume(const std::string& text) {
    Result<void> resumed;
    Unlocked([&] { resumed = environment_.Resume(text); });
    if (!resumed) throw InputError("text of an environment: " + resumed.error().message);
  }

  // Ends the measurer; results can still be read.
  void Close() {
    CheckIdle();
    const auto& rest = environment_.parts().rest;
    if (!rest) return;
    const py::gil_scoped_release unlocked;
    rest();
  }

 private:
  void CheckIdle() const {
    if (!busy_) return;
    throw InputError("found a step that another thread takes, expected one thread at a time");
  }

  // Releases the interpreter's lock while it measures; Ctrl-C ends it.
  template <typename Work>
  void Unlocked(const Work& work) {
    CheckIdle();
    busy_ = true;
    try {
      const py::gil_scoped_release unlocked;
      work();
    } catch (...) {
      busy_ = false;
      throw;
    }
    busy_ = false;
    signals_.Raise();
  }

  SignalObserver signals_;
  NetworkEnvironment environment_;
  bool busy_ = false;
};

std::vector<double> LatenciesOf(const GymNetwork& self) {
  std::vector<double> latencies;
  const NetworkEpisode& episode = self.Begun().episode();
  for (int i = 0; i < std::ssize(episode.parts().tasks); ++i) {
    latencies.push_back(episode.Latency(i));
  }
  return latencies;
}

std::vector<std::pair<TaskHandle, int64_t>> TasksOf(const GymNetwork& self) {
  std::vector<std::pair<TaskHandle, int64_t>> tasks;
  for (const NetworkTask& task : self.environment().parts().tasks) {
    if (task.task) tasks.push_back({{task.task}, static_cast<int64_t>(task.weight)});
  }
  return tasks;
}

std::vector<std::pair<std::string, double>> LayersOf(const GymNetwork& self) {
  std::vector<std::pair<std::string, double>> layers;
  for (const NetworkTask& task : self.environment().parts().tasks) {
    layers.emplace_back(task.name, task.weight);
  }
  return layers;
}

std::optional<double> ClockOf(const GymNetwork& self) {
  const NetworkEnvironment& environment = self.environment();
  if (!environment.parts().curves.empty()) {
    return environment.has_begun() ? environment.episode().seconds() : 0;
  }
  const auto& clock = self.environment().parts().clock;
  return clock ? std::optional(clock()) : std::nullopt;
}

std::vector<int64_t> TrialsOf(const GymNetwork& self) {
  std::vector<int64_t> trials;
  const NetworkEpisode& episode = self.Begun().episode();
  for (int i = 0; i < std::ssize(episode.parts().tasks); ++i) {
    trials.push_back(episode.curve(i).trials());
  }
  return trials;
}

std::vector<std::optional<Record>> RecordsOf(const GymNetwork& self) {
  std::vector<std::optional<Record>> records;
  const NetworkEpisode& episode = self.Begun().episode();
  for (int i = 0; i < std::ssize(episode.parts().tasks); ++i) {
    const bool is_played = !episode.parts().curves.empty();
    records.push_back(is_played ? std::nullopt : episode.run(i).done.best);
  }
  return records;
}

std::vector<int> LegalActionsOf(const GymNetwork& self) {
  const py::array_t<int8_t> mask = self.Mask();
  std::vector<int> legal;
  for (int i = 0; i < mask.size(); ++i) {
    if (mask.at(i) != 0) legal.push_back(i);
  }
  return legal;
}

void BindNetworkRequest(py::module_& module) {
  using R = NetworkRequest;
  py::class_<R> request(module, "NetworkRequest", "What a network's environment is asked for.");
  request.def(py::init<>());
  PythonFields(request)
      .Add(
          "tasks",
          [](const R& self) {
            std::vector<std::pair<TaskHandle, int64_t>> tasks;
            for (const auto& [task, count] : self.tasks) tasks.push_back({{task}, count});
            return tasks;
          },
          [](R& self, const std::vector<std::pair<TaskHandle, int64_t>>& tasks) {
            self.tasks.clear();
            for (const auto& [task, count] : tasks) self.tasks.emplace_back(task.task, count);
          },
          "And how often the network runs each.")
      .Add("tables", &R::tables, "Files of tables, and how often each; not with tasks.")
      .Add("curves", &R::curves, "Files of recorded curves; not with tasks or tables.")
      .Add("half", &R::half, "Of the curves' tasks: 'all', 'development', 'heldout'.")
      .Add("target", &R::target, "That tables have to be for; None: any.")
      .Add("source", &R::source, "Of times: 'model', 'measured' or 'table'.")
      .Add("measurer", &R::measurer,
           "Spec of a measurer of the kind that `source` says, for its options; '': the usual one.")
      .Add("agent", &R::agent, "Spec of what proposes schedules.")
      .Add("space", &R::space, "Spec of the space that they are of.")
      .Add("reward", &R::reward, "A spec; see rewards().")
      .Add("protocol", &R::protocol, "Spec of how candidates are timed.")
      .Add("measuring_seed", &R::measuring_seed, "Of interleaving.")
      .Add("slots", &R::slots, "Actions of an episode, at most.")
      .Add("batch", &R::batch, "Trials of a slot, at most.")
      .Add("warm_up", &R::warm_up, "Whether an episode begins with a slot for each task.")
      .Add("max_tasks", &R::max_tasks, "Rows; None: as many as there are tasks.")
      .Add("plugins", &R::plugins, "Shared libraries whose agents may be named.");
}

py::class_<GymNetwork> BindActing(py::module_& module) {
  using E = GymNetwork;
  return py::class_<E>(module, "GymNetwork", "A network's environment without Gymnasium's face.")
      .def(py::init<const NetworkRequest&>(), "request"_a,
           Docstring("Makes an environment without an episode.")
               .Arg("request", "What it is asked for.")
               .Raises("InputError", "Something that is asked for does not exist or does not fit.")
               .Raises("MachineError", "Nothing can be measured for the target here.")
               .text())
      .def("seed", &E::Seed, "seed"_a,
           Docstring("Seeds what follows, which depends on nothing else.")
               .Arg("seed", "0 to 2**64 - 1.")
               .text())
      .def("reset", &E::Reset,
           Docstring("Begins an episode, and warms it up.")
               .Returns("Observation and info.")
               .Raises("MachineError", "Measuring failed.")
               .text())
      .def("step", &E::Step, "action"_a,
           Docstring("Gives a slot of trials to a task, or stops.")
               .Arg("action", "0 stops; i gives a slot to task i - 1.")
               .Returns("Observation, reward, terminated, truncated (never) and info.")
               .Raises("InputError", "It is no such number, or no episode is under way.")
               .Raises("MachineError", "Measuring failed.")
               .text())
      .def("close", &E::Close, "Ends what measures; what was found stays to be looked at.")
      .def("resume", &E::Resume, "text"_a,
           Docstring("Plays an episode again.")
               .Arg("text", "The to_text() of an environment that was asked for alike.")
               .Raises("InputError", "The text is of another environment.")
               .text())
      .def(
          "to_text", [](const E& self) { return OrRefuse(self.environment().ToText()); },
          Docstring("Writes the episode.")
              .Returns("Seed and actions as lines of text, for resume().")
              .Raises("InputError", "It is measured, and would not repeat.")
              .text());
}

void BindSeeing(py::class_<GymNetwork> environment) {
  using E = GymNetwork;
  BindEpisode(environment);
  environment
      .def("mask", &E::Mask,
           Docstring("Says which actions are legal.")
               .Returns("int8 of shape (action_count,), 1 where legal.")
               .Raises("InputError", "No episode has begun, or another thread takes a step.")
               .text())
      .def("observe", &E::Observe,
           Docstring("Observes the episode.")
               .Returns("float32 of the shape (size,) that `box` has.")
               .Raises("InputError", "No episode has begun, or another thread takes a step.")
               .text())
      .def(
          "info", &E::Info,
          Docstring("Says what a step says beside the observation.")
              .Returns("`action_mask`, `illegal_actions`, `latency` (seconds), `speed` (a ratio to "
                       "reference schedules), `trials` and, of an illegal action, `illegal`.")
              .Raises("InputError", "No episode has begun, or another thread takes a step.")
              .text())
      .def("legal_actions", &LegalActionsOf,
           Docstring("Lists the legal actions.")
               .Returns("Their numbers, rising.")
               .Raises("InputError", "No episode has begun, or another thread takes a step.")
               .text())
      .def(
          "describe",
          [](const E& self, py::handle action) {
            const NetworkEnvironment& environment = self.Begun();
            return OrRefuse(environment.Describe(ToAction(action, environment.action_count())));
          },
          "action"_a,
          Docstring("Says what a legal action does.")
              .Arg("action", "A whole number from 0 to action_count - 1.")
              .Returns("The task that gets a slot, or 'stop'.")
              .Raises("InputError", "The action is not legal here, or no such number.")
              .text())
      .def("latencies", &LatenciesOf,
           Docstring("Lists the latencies of the tasks.")
               .Returns("Seconds of one call of each task's best schedule.")
               .Raises("InputError", "No episode has begun, or another thread takes a step.")
               .text())
      .def("trials", &TrialsOf,
           Docstring("Lists the trials of the tasks.")
               .Returns("How many each has had in this episode.")
               .Raises("InputError", "No episode has begun, or another thread takes a step.")
               .text())
      .def_property_readonly("tasks", &TasksOf,
                             "And how often the network runs each; none of recorded curves.")
      .def_property_readonly("layers", &LayersOf,
                             "The names of all tasks, and how often the network runs each.")
      .def_property_readonly(
          "clock", &ClockOf,
          "Seconds that measuring would have taken so far; None but of tables and curves.")
      .def("records", &RecordsOf,
           Docstring("Lists the best records of the tasks.")
               .Returns("A Record for each task; None without a success, and of curves.")
               .Raises("InputError", "No episode has begun, or another thread takes a step.")
               .text())
      .def_property_readonly(
          "action_count", [](const E& self) { return self.environment().action_count(); },
          "How many actions there are.")
      .def_property_readonly(
          "box",
          [](const E& self) {
            return std::make_tuple(NetworkObservationSize(self.environment().parts().rows),
                                   kNetworkBounds.low, kNetworkBounds.high);
          },
          "Size, low and high of the observation.")
      .def_property_readonly_static(
          "legend", [](const py::object&) { return NetworkFeatureNames(); },
          "What the numbers of the observation are.");
}

}  // namespace

void BindNetwork(py::module_& module) {
  BindNetworkRequest(module);
  BindSeeing(BindActing(module));
}

}  // namespace schedulegym
