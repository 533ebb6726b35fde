// Environments over the tasks of a network for Python.
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
  // Throws what was raised, and forgets it.
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

  py::tuple Reset() {
    Unlocked([&] { environment_.Reset(); });
    return py::make_tuple(Observe(), Info());
  }

  py::tuple Step(py::handle action_given) {
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

  // Ends what measures; what was found stays to be looked at.
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

  // Measuring takes long: others may run meanwhile, and Ctrl-C ends it.
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
  py::class_<R>(module, "NetworkRequest", "What a network's environment is asked for.")
      .def(py::init<>())
      .def_property(
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
      .def_readwrite("tables", &R::tables, "Files of tables, and how often each; not with tasks.")
      .def_readwrite("curves", &R::curves, "Files of recorded curves; not with tasks or tables.")
      .def_readwrite("half", &R::half, "Of the curves' tasks: 'all', 'development', 'heldout'.")
      .def_readwrite("target", &R::target, "That tables have to be for; None: any.")
      .def_readwrite("source", &R::source, "Of times: 'model', 'measured' or 'table'.")
      .def_readwrite("agent", &R::agent, "Spec of what proposes schedules.")
      .def_readwrite("space", &R::space, "Spec of the space that they are of.")
      .def_readwrite("reward", &R::reward, "A spec; see rewards().")
      .def_readwrite("protocol", &R::protocol, "Spec of how candidates are timed.")
      .def_readwrite("measuring_seed", &R::measuring_seed, "Of interleaving.")
      .def_readwrite("slots", &R::slots, "Actions of an episode, at most.")
      .def_readwrite("batch", &R::batch, "Trials of a slot, at most.")
      .def_readwrite("warm_up", &R::warm_up, "Whether an episode begins with a slot for each task.")
      .def_readwrite("max_tasks", &R::max_tasks, "Rows; None: as many as there are tasks.")
      .def_readwrite("plugins", &R::plugins, "Shared libraries whose agents may be named.");
}

py::class_<GymNetwork> BindActing(py::module_& module) {
  using E = GymNetwork;
  return py::class_<E>(module, "GymNetwork", "A network's environment without Gymnasium's face.")
      .def(py::init<const NetworkRequest&>(), "request"_a)
      .def("seed", &E::Seed, "seed"_a, "What follows depends on it alone.")
      .def("reset", &E::Reset, "Observation and info of a new episode.")
      .def("step", &E::Step, "action"_a, "Observation, reward, terminated, truncated, info.")
      .def("close", &E::Close, "Ends what measures.")
      .def("resume", &E::Resume, "text"_a, "Plays the episode of the text again.")
      .def(
          "to_text", [](const E& self) { return OrRefuse(self.environment().ToText()); },
          "All of the episode.");
}

void BindSeeing(py::class_<GymNetwork> environment) {
  using E = GymNetwork;
  BindEpisode(environment);
  environment.def("mask", &E::Mask, "One byte for each action, 1 where it is legal.")
      .def("observe", &E::Observe, "What is seen now.")
      .def("info", &E::Info, "What a step says beside it.")
      .def("legal_actions", &LegalActionsOf, "Rising.")
      .def(
          "describe",
          [](const E& self, py::handle action) {
            const NetworkEnvironment& environment = self.Begun();
            return OrRefuse(environment.Describe(ToAction(action, environment.action_count())));
          },
          "action"_a, "The task that a legal action gives a slot to, or 'stop'.")
      .def("latencies", &LatenciesOf, "Seconds of one call of each task's best.")
      .def("trials", &TrialsOf, "Of each task in this episode.")
      .def_property_readonly("tasks", &TasksOf,
                             "And how often the network runs each; none of recorded curves.")
      .def_property_readonly("layers", &LayersOf,
                             "The names of all tasks, and how often the network runs each.")
      .def_property_readonly(
          "clock", &ClockOf,
          "Seconds that measuring would have taken so far; None but of tables and curves.")
      .def("records", &RecordsOf, "Of each task's best; None without a success, and of curves.")
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
