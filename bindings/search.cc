// A search for Python: the tuner's loop, which reports its trials and stops for signals.
// The loop runs without the interpreter's lock; its observer takes it for each turn, trial and
// warning, where signal handlers and `progress` run. Ctrl-C there stops the search in order, other
// exceptions end it. A trial's fields are a tuple without names: tables give 100000 trials in
// seconds.
#include "assembly/assembled_search.h"
#include "assembly/catalog.h"
#include "assembly/confinement.h"
#include "assembly/plugins.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "bindings/interruption_internal.h"
#include "bindings/python_agent_internal.h"
#include "env/base/spec.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

// Options of a search, as Python sets them.
struct AskedSearch {
  SearchRequest request;  // of a Python object: `agent` is how records name it
  std::vector<std::string> plugins;
  std::optional<std::string> save_model;
  std::shared_ptr<Confinement> confinement;
  py::object agent_object = py::none();
  py::object on_trial = py::none();    // called with a tuple
  py::object on_revised = py::none();  // called with a tuple
  py::object on_warning = py::none();  // called with a text
};

std::optional<double> SecondsOf(const Measurement& measurement) {
  if (!measurement.timing) return std::nullopt;
  return measurement.timing->seconds;
}

// As the package's Trial has its fields. Tables are searched a hundred thousand trials in a few
// seconds: no names are made for each.
py::tuple FieldsOf(const TrialEvent& event) {
  const Measurement& measurement = event.record.measurement;
  std::optional<double> ratio, best, best_known;
  if (measurement.timing) ratio = measurement.timing->ratio.median;
  if (event.best) best = SecondsOf(event.best->measurement);
  if (const Record* known = BestKnown(event)) best_known = SecondsOf(known->measurement);
  return py::make_tuple(event.record.task->workload, event.record.index,
                        OutcomeName(measurement.outcome), measurement.message, event.record.id,
                        SecondsOf(measurement), event.gflops, ratio, best, event.elapsed,
                        best_known);
}

py::object DictOf(const std::optional<RefinementGain>& refined) {
  if (!refined) return py::none();
  return py::dict("speed"_a = refined->speed, "trials"_a = refined->trials,
                  "agent"_a = refined->agent, "after"_a = refined->after);
}

py::dict DictOf(const SearchSeconds& time) {
  return py::dict("propose"_a = time.propose, "compile"_a = time.compile, "verify"_a = time.verify,
                  "measure"_a = time.measure, "store"_a = time.store, "schedule"_a = time.schedule,
                  "wait"_a = time.wait, "other"_a = time.other, "wait_lock"_a = time.wait_lock,
                  "wait_calm"_a = time.wait_calm, "wait_workers"_a = time.wait_workers);
}

py::dict DictOf(const DoneEvent& event, bool interrupted) {
  std::map<std::string, Record> failures;
  for (const auto& [outcome, record] : event.first_failed) {
    failures.emplace(OutcomeName(outcome), record);
  }
  std::map<std::string, int64_t> failed;
  for (const auto& [outcome, count] : event.failed) failed[OutcomeName(outcome)] = count;
  const StopReason reason = interrupted ? StopReason::kInterrupted : event.stopped;
  return py::dict("task"_a = event.task->key.ToText(), "workload"_a = event.task->workload,
                  "known"_a = event.known, "known_best"_a = event.known_best,
                  "trials"_a = event.trials, "ok"_a = event.ok, "failed"_a = failed,
                  "elapsed"_a = event.elapsed, "stopped"_a = StopReasonName(reason),
                  "best"_a = event.best, "source"_a = BestSourceName(event.source),
                  "record"_a = BestRecordId(event), "gflops"_a = event.best_gflops,
                  "verified"_a = event.verified, "finalists"_a = event.finalists,
                  "time"_a = DictOf(event.time), "refined"_a = DictOf(event.refined),
                  "failures"_a = failures, "best_known"_a = event.best_known);
}

// Calls Python's callback, and lets its signal handlers run.
class PythonObserver : public TuneObserver {
 public:
  PythonObserver(const AskedSearch& request, Interruption& interruption)
      : request_(request), interruption_(interruption) {}

  void OnTurn(const TurnEvent&) override {
    const py::gil_scoped_acquire lock;
    interruption_.CheckSignals();
  }

  void OnTrial(const TrialEvent& event) override {
    const py::gil_scoped_acquire lock;
    interruption_.CheckSignals();
    Tell(request_.on_trial, [&] { return FieldsOf(event); });
  }

  void OnRevised(const RevisedEvent& event) override {
    const py::gil_scoped_acquire lock;
    Tell(request_.on_revised, [&] {
      return py::make_tuple(event.task->workload, SecondsOf(event.before.measurement),
                            event.best ? SecondsOf(event.best->measurement) : std::nullopt,
                            event.why);
    });
  }

  void OnWarning(const WarningEvent& event) override {
    const py::gil_scoped_acquire lock;
    Say(WarningText(event));
  }

  // Called with the lock held.
  void Say(const std::string& text) {
    Tell(request_.on_warning, [&] { return py::str(text); });
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

  const AskedSearch& request_;
  Interruption& interruption_;
};

// The catalog with plugins; with a Python object as the only agent, if one is given.
Catalog WithAgents(Catalog catalog, const AskedSearch& asked, Interruption& interruption) {
  AddPlugins(asked.plugins, catalog, asked.confinement);
  if (asked.confinement) ConfineAgents(asked.confinement, catalog);
  if (asked.agent_object.is_none()) return catalog;
  const auto make = [&](const AgentContext& context) {
    auto made = std::make_unique<PythonAgent>(asked.agent_object, interruption);
    made->Begin(context.setup);
    return made;
  };
  catalog.agents = AgentRegistry("agent", {{asked.request.agent.name, "", "an object", make}});
  return catalog;
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

using Tasks = std::vector<std::pair<TaskHandle, int64_t>>;

// Returns how each task ended, and whether Ctrl-C ended all. `open_store` is called after the
// request was checked completely.
std::pair<std::vector<py::dict>, bool> RunSearch(const Catalog& catalog, const Tasks& tasks,
                                                 const AskedSearch& asked,
                                                 const py::object& open_store) {
  const TaskList list = ListOf(tasks);
  Interruption interruption;
  const SteadyClock clock;
  const double begin = clock.Now();
  AssembledSearch search(asked.request, list, WithAgents(catalog, asked, interruption), clock,
                         interruption.flag());
  std::optional<LearnedOutput> model_out;
  if (asked.save_model) model_out.emplace("save_model", *asked.save_model, search.learners());
  const double load = clock.Now() - begin;
  const py::object store = open_store();
  // Python may close its own meanwhile. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const std::shared_ptr<RecordStore> open = store.cast<const StoreHandle&>().Open();
  PythonObserver observer(asked, interruption);
  for (const std::string& line : search.warnings()) observer.Say(line);
  std::vector<DoneEvent> done;
  {
    const py::gil_scoped_release unlocked;
    const auto measurer = search.MakeMeasurer();
    done = search.Run(*measurer, *open, observer);
  }
  if (model_out) {
    const SavedLearning saved = model_out->Save(done);
    if (!saved.is_written) observer.Say(saved.text);
  }
  interruption.CheckSignals();
  const bool interrupted = interruption.WasKeyboard();
  std::vector<py::dict> ends;
  for (const DoneEvent& event : done) {
    ends.push_back(DictOf(event, interrupted));
    ends.back()["time"]["load"] = load;
  }
  return {ends, interrupted};
}

// Throws the errors of RunSearch before the store is opened. Returns its warnings.
std::vector<std::string> CheckSearch(const Catalog& catalog, const Tasks& tasks,
                                     const AskedSearch& asked) {
  Interruption interruption;
  const SteadyClock clock;
  const AssembledSearch search(asked.request, ListOf(tasks),
                               WithAgents(catalog, asked, interruption), clock,
                               interruption.flag());
  return search.warnings();
}

// The default workload, the space that goes with it, and whether the measurer runs candidates.
std::pair<std::optional<TaskHandle>, bool> MeasurerFacts(const Catalog& catalog,
                                                         const std::string& measure) {
  const Spec spec = RequireMeasurer("measure", measure);
  const auto plan = catalog.measurers.Find(spec)(spec);
  const std::shared_ptr<const Task> only = plan->OnlyTask();
  return {only ? std::optional(TaskHandle{only}) : std::nullopt, plan->IsMeasured()};
}

// The space of a measurer's recorded schedules.
std::shared_ptr<SearchSpace> MeasurerSpace(const Catalog& catalog, const std::string& measure) {
  const Spec spec = RequireMeasurer("measure", measure);
  std::shared_ptr<SearchSpace> space = catalog.measurers.Find(spec)(spec)->OwnSpace();
  if (!space) {
    throw InputError("measure '" + measure + "': found no space of its own, expected a table");
  }
  return space;
}

std::vector<py::dict> DictsOf(const std::vector<CatalogLine>& lines) {
  std::vector<py::dict> dicts;
  for (const CatalogLine& line : lines) {
    dicts.push_back(py::dict("name"_a = line.name, "parameters"_a = line.parameters,
                             "description"_a = line.description));
  }
  return dicts;
}

void BindConfinement(py::module_& module) {
  using C = Confinement;
  py::class_<C, std::shared_ptr<C>> confinement(
      module, "Confinement",
      Docstring("How processes of agents written in Python are started and ended.")
          .Example(">>> confinement = Confinement()")
          .Example(">>> confinement.memory_bytes = 2 << 30")
          .Example(">>> confinement.reads = ['/usr/share/data']")
          .text());
  confinement.def(py::init<>(), "Allows no files, with the usual limits.")
      .def(
          "builder",
          [](const C& self, const std::vector<std::string>& words) {
            return WordsOfBuilder(words, self);
          },
          "words"_a,
          Docstring("Confines a command that starts other programs, as a build does.")
              .Arg("words", "The program and its arguments.")
              .Returns("A command line for a child of this process.")
              .Raises("MachineError", "Nothing can be confined here.")
              .text());
  const auto paths = [](std::vector<std::string> FileRights::*which) {
    return [which](const C& self) { return self.files.*which; };
  };
  const auto set_paths = [](std::vector<std::string> FileRights::*which) {
    return [which](C& self, const std::vector<std::string>& given) { self.files.*which = given; };
  };
  PythonFields(confinement)
      .Add("reads", paths(&FileRights::reads), set_paths(&FileRights::reads),
           "Files and folders that they read.")
      .Add("lists", paths(&FileRights::lists), set_paths(&FileRights::lists),
           "Folders whose names they see, but no contents.")
      .Add("hidden", paths(&FileRights::hidden), set_paths(&FileRights::hidden),
           "Folders of `reads` that they do not read after all.")
      .Add("writes", paths(&FileRights::writes), set_paths(&FileRights::writes),
           "Folders that they write, beside one that ends with them.")
      .Add("folder", &C::folder, "Their own, where a command begins.")
      .Add("variables", &C::variables, "'NAME=value', of their environment.")
      .Add("space", &C::space, "A spec that is passed to them in place of the run's.")
      .Add("memory_bytes", &C::memory_bytes, "Bytes of private memory of a process.")
      .Add("answer_seconds", &C::answer_seconds, "Seconds that an answer may take.")
      .Add("loading_seconds", &C::loading_seconds,
           "Seconds within which it is loaded and has taken the run.");
}

// As a DeprecationWarning.
void SayOldName() {
  if (PyErr_WarnEx(PyExc_DeprecationWarning, "on_remark is on_warning now", 1) < 0) {
    throw py::error_already_set();
  }
}

void SetMeasure(AskedSearch& self, const std::string& text) {
  self.request.measure = RequireMeasurer("measure", text);
}

void BindRequest(py::module_& module) {
  using R = AskedSearch;
  using Q = SearchRequest;
  const auto get = []<typename T>(T Q::*field) {
    return [field](const R& self) { return self.request.*field; };
  };
  const auto set = []<typename T>(T Q::*field) {
    return [field](R& self, const T& value) { self.request.*field = value; };
  };
  const auto spec = [](Spec Q::*field) {
    return [field](const R& self) { return (self.request.*field).ToText(); };
  };
  const auto set_spec = [](const char* name, Spec Q::*field) {
    return [name, field](R& self, const std::string& text) {
      self.request.*field = RequireSpec(name, text);
    };
  };
  const auto optional_spec = [](std::optional<Spec> Q::*field) {
    return [field](const R& self) {
      const std::optional<Spec>& spec = self.request.*field;
      return spec ? std::optional(spec->ToText()) : std::nullopt;
    };
  };
  const auto set_optional_spec = [](const char* name, std::optional<Spec> Q::*field) {
    return [name, field](R& self, const std::optional<std::string>& text) {
      self.request.*field = text ? std::optional(RequireSpec(name, *text)) : std::nullopt;
    };
  };
  py::class_<R> request(module, "SearchRequest", "What a search is asked for; tune() fills it in.");
  request.def(py::init<>());
  PythonFields(request)
      .Add("agent", spec(&Q::agent), set_spec("agent", &Q::agent),
           "A spec; of an object, how records name it.")
      .Add("space", optional_spec(&Q::space), set_optional_spec("space", &Q::space),
           "A spec; None: the usual one, or what the measurer records.")
      .Add("scheduler", spec(&Q::scheduler), set_spec("scheduler", &Q::scheduler),
           "A spec: which task is next.")
      .Add("refine", optional_spec(&Q::refine), set_optional_spec("refine", &Q::refine),
           "A spec: what has the last trials.")
      .Add("protocol", spec(&Q::protocol), set_spec("protocol", &Q::protocol),
           "A spec: how candidates are timed.")
      .Add("measure", spec(&Q::measure), SetMeasure, "A spec: what gives the speed of a candidate.")
      .Add("trials", get(&Q::trials), set(&Q::trials), "Over all tasks.")
      .Add("seconds", get(&Q::seconds), set(&Q::seconds), "Over all tasks; None: no limit.")
      .Add("finalists", get(&Q::finalists), set(&Q::finalists),
           "How many are measured again at the end.")
      .Add("seed", get(&Q::seed), set(&Q::seed), "Of all chance.")
      .Add("resume", get(&Q::resume), set(&Q::resume),
           "Whether the agent learns from the records in the store.")
      .Add("plugins", &R::plugins, "Shared libraries whose agents may be named.")
      .Add("save_model", &R::save_model, "A file for what was learned; None: no file.")
      .Add("confinement", &R::confinement, "Of agents' own code; None: not confined.")
      .Add("agent_object", &R::agent_object, "Proposes in place of a built-in agent.")
      .Add("on_trial", &R::on_trial, "Called with the fields of each trial.")
      .Add("on_revised", &R::on_revised,
           "Called with the task, seconds before and now, and why, of a best that did not stand.")
      .Add("on_warning", &R::on_warning, "Called with what a user should know.")
      .Add(
          "on_remark",
          [](const R& self) {
            SayOldName();
            return self.on_warning;
          },
          [](R& self, const py::object& call) {
            SayOldName();
            self.on_warning = call;
          },
          "The old name of `on_warning`.");
}

}  // namespace

void BindSearch(py::module_& module) {
  using R = AskedSearch;
  BindConfinement(module);
  BindRequest(module);
  // Tables are read once for each catalog.
  const auto catalog = std::make_shared<const Catalog>(BuiltinCatalog());
  module.def(
      "check_search",
      [catalog](const Tasks& tasks, const R& request) {
        return CheckSearch(*catalog, tasks, request);
      },
      "tasks"_a, "request"_a,
      Docstring("Checks a search before a store is made.")
          .Arg("tasks", "Pairs of a Task of one target and how often it is run.")
          .Arg("request", "What the search is asked for.")
          .Returns("The warnings that the search would begin with.")
          .Raises("InputError", "Something that is asked for does not exist or does not fit.")
          .Raises("MachineError", "The machine lacks what the search needs.")
          .text());
  module.def(
      "run_search",
      [catalog](const Tasks& tasks, const R& request, const py::object& open_store) {
        return RunSearch(*catalog, tasks, request, open_store);
      },
      "tasks"_a, "request"_a, "open_store"_a,
      Docstring("Searches; tune() calls it.")
          .Arg("tasks", "Pairs of a Task of one target and how often it is run.")
          .Arg("request", "What the search is asked for.")
          .Arg("open_store",
               "Returns a RecordStore that is open for writing; called once nothing "
               "is wrong with the request.")
          .Returns("How each task ended, in order, and whether Ctrl-C ended the search.")
          .Raises("InputError", "Something that is asked for does not exist or does not fit.")
          .Raises("MachineError", "The machine lacks what the search needs.")
          .text());
  module.def(
      "measurer_facts",
      [catalog](const std::string& measure) { return MeasurerFacts(*catalog, measure); },
      "measure"_a,
      Docstring("Says what is known of a measurer.")
          .Arg("measure", "A spec; see measurers().")
          .Returns("The only task that it knows, or None, and whether candidates run.")
          .Raises("InputError", "There is no such measurer, or its table cannot be read.")
          .text());
  module.def(
      "measurer_space",
      [catalog](const std::string& measure) { return MeasurerSpace(*catalog, measure); },
      "measure"_a,
      Docstring("Makes the space of the schedules that a measurer knows.")
          .Arg("measure", "A spec, such as 'table(file=FILE)'.")
          .Returns("A SearchSpace.")
          .Raises("InputError", "Any space will do, or there is no such measurer.")
          .text());
  module.def(
      "measurers", [catalog] { return DictsOf(catalog->measurers.lines()); },
      Docstring("Lists what `measure` may name.")
          .Returns("Dicts of `name`, `parameters` and `description`, as text.")
          .text());
}

}  // namespace schedulegym
