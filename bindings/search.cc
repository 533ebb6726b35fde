// A search for Python: the tuner's loop, which tells of its trials and stops for signals.
#include "agents/builtin_agents.h"
#include "agents/search_plan.h"
#include "backends/interpreter/interpreter.h"
#include "backends/runner/host_measurer.h"
#include "bindings/bindings_internal.h"
#include "bindings/interruption_internal.h"
#include "bindings/python_agent_internal.h"
#include "spaces/builtin_spaces.h"
#include "spaces/reference.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

// What a search is asked for, as Python sets it.
struct SearchRequest {
  std::string agent = "ansor";  // of a Python object: how records name it
  std::string space = "schedulegym";
  std::string scheduler = "round_robin";
  std::optional<std::string> refine;
  std::string protocol = "cpu1";
  int64_t trials = 1000;
  std::optional<double> seconds;
  std::optional<int> finalists;
  uint64_t seed = 0;
  bool resume = true;
  py::object agent_object = py::none();
  py::object on_trial = py::none();   // called with a dict
  py::object on_remark = py::none();  // called with a text
};

std::optional<double> SecondsOf(const std::optional<Record>& record) {
  if (!record || !record->measurement.timing) return std::nullopt;
  return record->measurement.timing->seconds;
}

py::dict DictOf(const TrialEvent& event) {
  const Measurement& measurement = event.record.measurement;
  py::dict fields("workload"_a = event.record.task->workload, "index"_a = event.record.index,
                  "outcome"_a = OutcomeName(measurement.outcome), "message"_a = measurement.message,
                  "record"_a = event.record.id, "seconds"_a = SecondsOf(event.record),
                  "gflops"_a = event.gflops, "ratio"_a = py::none(),
                  "best_seconds"_a = SecondsOf(event.best), "elapsed"_a = event.elapsed);
  if (measurement.timing) fields["ratio"] = measurement.timing->ratio.median;
  return fields;
}

py::dict DictOf(const DoneEvent& event, bool interrupted) {
  std::map<std::string, int64_t> failed;
  for (const auto& [outcome, count] : event.failed) failed[OutcomeName(outcome)] = count;
  const StopReason reason = interrupted ? StopReason::kInterrupted : event.stopped;
  return py::dict("task"_a = event.task->key.ToText(), "workload"_a = event.task->workload,
                  "known"_a = event.known, "known_best"_a = event.known_best,
                  "trials"_a = event.trials, "ok"_a = event.ok, "failed"_a = failed,
                  "elapsed"_a = event.elapsed, "stopped"_a = StopReasonName(reason),
                  "best"_a = event.best, "source"_a = BestSourceName(event.source),
                  "record"_a = BestRecordId(event), "gflops"_a = event.best_gflops,
                  "verified"_a = event.verified);
}

// Tells Python, and lets its signal handlers run.
class PythonObserver : public TuneObserver {
 public:
  PythonObserver(const SearchRequest& request, Interruption& interruption)
      : request_(request), interruption_(interruption) {}

  void OnTurn(const TurnEvent&) override {
    const py::gil_scoped_acquire lock;
    interruption_.CheckSignals();
  }

  void OnTrial(const TrialEvent& event) override {
    const py::gil_scoped_acquire lock;
    interruption_.CheckSignals();
    Tell(request_.on_trial, [&] { return DictOf(event); });
  }

  void OnRemark(const RemarkEvent& event) override {
    const py::gil_scoped_acquire lock;
    Tell(request_.on_remark, [&] { return py::str(event.task->workload + ": " + event.text); });
  }

 private:
  template <typename Make>
  void Tell(const py::object& listener, const Make& what) {
    if (listener.is_none()) return;
    try {
      listener(what());
    } catch (py::error_already_set& exception) {
      if (!interruption_.Keep(exception)) throw;
    }
  }

  const SearchRequest& request_;
  Interruption& interruption_;
};

void CheckNumbers(const SearchRequest& request) {
  if (request.trials < 1) {
    throw InputError("trials: found " + std::to_string(request.trials) +
                     ", expected a whole number of at least 1");
  }
  if (request.seconds && !(*request.seconds > 0)) {
    throw InputError("seconds: found " + std::string(py::str(py::cast(*request.seconds))) +
                     ", expected a number above 0");
  }
}

void PlanRefining(const SearchRequest& request, SearchPlan& plan) {
  if (!request.refine) return;
  const Spec refiner = ToSpec("refine", *request.refine);
  plan.refiner = ReadRefiner(refiner);
  plan.options.refiner = refiner.ToText();
  plan.options.refine_trials = plan.refiner->trials;
  if (plan.options.refine_trials < plan.options.trials) return;
  throw InputError("refine: found trials=" + std::to_string(plan.options.refine_trials) +
                   ", expected fewer than all " + std::to_string(plan.options.trials) + " trials");
}

SearchPlan PlanOf(const SearchRequest& request, Interruption& interruption) {
  CheckNumbers(request);
  SearchPlan plan;
  TunerOptions& options = plan.options;
  options.trials = request.trials;
  options.seconds = request.seconds;
  PlanRefining(request, plan);
  const Spec agent = ToSpec("agent", request.agent);
  options.agent = agent.ToText();
  options.space = ToSpec("space", request.space).ToText();
  options.seed = request.seed;
  options.host = HostName();
  options.resume = request.resume;
  options.finalists = request.finalists.value_or(UsualFinalists(request.trials));
  options.stop = interruption.flag();
  options.reference = ReferenceSchedule;
  plan.scheduler = ToSpec("scheduler", request.scheduler);
  if (request.agent_object.is_none()) {
    plan.make_agent = [agent](AgentContext context) {
      return MakeAgent(agent, std::move(context));
    };
  } else {
    plan.make_agent = [&](const AgentContext&) {
      return std::make_unique<PythonAgent>(request.agent_object, interruption);
    };
  }
  return plan;
}

TaskList ListOf(const std::vector<std::pair<TaskHandle, int64_t>>& tasks) {
  TaskList list;
  for (const auto& [task, count] : tasks) AddTask(task.task, count, list);
  if (list.tasks.empty()) throw InputError("workloads: found none, expected at least one");
  for (const CountedTask& task : list.tasks) {
    if (task.task->target == list.tasks[0].task->target) continue;
    throw InputError("workloads: found tasks of several targets, expected one target");
  }
  return list;
}

// How each task ended, and whether Ctrl-C ended all.
std::pair<std::vector<py::dict>, bool> RunSearch(
    const std::vector<std::pair<TaskHandle, int64_t>>& tasks, const SearchRequest& request,
    const StoreHandle& store) {
  const TaskList list = ListOf(tasks);
  Interruption interruption;
  const auto space = MakeSpace(ToSpec("space", request.space));
  const Protocol protocol = MakeProtocol(ToSpec("protocol", request.protocol));
  PreparedSearch search(PlanOf(request, interruption), list, *space);
  const Target& target = list.tasks.front().task->target;
  const std::shared_ptr<RecordStore> open = store.Open();
  PythonObserver observer(request, interruption);
  std::vector<DoneEvent> done;
  {
    const py::gil_scoped_release unlocked;
    const SteadyClock clock;
    const auto measurer =
        MakeHostMeasurer(target, {protocol, request.seed, ReferenceSchedule, MakeInterpreter});
    search.options().protocol = protocol;
    search.options().toolchain = MeasuringToolchain(target);
    done = search.Run(*measurer, *open, observer, clock);
  }
  interruption.CheckSignals();
  const bool interrupted = interruption.WasKeyboard();
  std::vector<py::dict> ends;
  for (const DoneEvent& event : done) ends.push_back(DictOf(event, interrupted));
  return {ends, interrupted};
}

// Throws whatever RunSearch would before it looks at the store.
void CheckSearch(const std::vector<std::pair<TaskHandle, int64_t>>& tasks,
                 const SearchRequest& request) {
  const TaskList list = ListOf(tasks);
  Interruption interruption;
  const auto space = MakeSpace(ToSpec("space", request.space));
  MakeProtocol(ToSpec("protocol", request.protocol));
  PreparedSearch(PlanOf(request, interruption), list, *space);
  CheckMeasurable(list.tasks.front().task->target);
}

}  // namespace

void BindSearch(py::module_& module) {
  using R = SearchRequest;
  py::class_<R>(module, "SearchRequest", "What a search is asked for; tune() fills it in.")
      .def(py::init<>())
      .def_readwrite("agent", &R::agent, "A spec; of an object, how records name it.")
      .def_readwrite("space", &R::space, "A spec.")
      .def_readwrite("scheduler", &R::scheduler, "A spec: which task is next.")
      .def_readwrite("refine", &R::refine, "A spec: what has the last trials.")
      .def_readwrite("protocol", &R::protocol, "A spec: how candidates are timed.")
      .def_readwrite("trials", &R::trials, "Over all tasks.")
      .def_readwrite("seconds", &R::seconds, "Over all tasks.")
      .def_readwrite("finalists", &R::finalists, "How many are measured again at the end.")
      .def_readwrite("seed", &R::seed, "Of all chance.")
      .def_readwrite("resume", &R::resume, "Whether the agent is told what the store knows.")
      .def_readwrite("agent_object", &R::agent_object, "Proposes in place of a built-in agent.")
      .def_readwrite("on_trial", &R::on_trial, "Called with the fields of each trial.")
      .def_readwrite("on_remark", &R::on_remark, "Called with what a user should know.");
  module.def("check_search", &CheckSearch, "tasks"_a, "request"_a,
             "Raises what run_search would, before a store is made.");
  module.def("run_search", &RunSearch, "tasks"_a, "request"_a, "store"_a,
             "How each task ended, and whether Ctrl-C ended the search; tune() calls it.");
}

}  // namespace schedulegym
