// The nouns of env/measure: measurements, records, stores.
// Records are equal if all their fields are; they are pickled as the line of JSON that an export
// has. A store in Python is behind a lock, so that threads may share it; iterating copies all
// records.
#include <pybind11/typing.h>

#include <sstream>

#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "bindings/locked_store.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/store_transfer.h"
#include "env/program/language/parser.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

const std::shared_ptr<RecordStore>& StoreHandle::Open() const {
  if (!store) throw InputError("the store '" + path + "' is closed");
  return store;
}

namespace {

// ---- measurements ------------------------------------------------------------------------------

template <typename T>
std::optional<T> OfTiming(const Measurement& measurement, T (*part)(const Timing&)) {
  if (!measurement.timing) return std::nullopt;
  return part(*measurement.timing);
}

void BindMeasurement(py::module_& module) {
  using M = Measurement;
  using Number = std::optional<double>;
  py::class_<M>(module, "Measurement", "A timing with its interval, or a typed failure.")
      .def_property_readonly(
          "outcome", [](const M& self) { return OutcomeName(self.outcome); },
          "'ok', or the failure's type.")
      .def_property_readonly("ok", &M::ok, "Whether there is a timing.")
      .def_readonly("message", &M::message, "Of a failure: what was found, what was expected.")
      .def_readonly("stderr", &M::stderr_tail, "The last of what the candidate's process said.")
      .def_property_readonly(
          "seconds",
          [](const M& self) -> Number {
            return OfTiming<double>(self, [](const Timing& t) { return t.seconds; });
          },
          "Seconds of one call; None for a failure.")
      .def_property_readonly(
          "ratio",
          [](const M& self) -> Number {
            return OfTiming<double>(self, [](const Timing& t) { return t.ratio.median; });
          },
          "Reference seconds over these: above 1 is faster than the reference.")
      .def_property_readonly(
          "ratio_low",
          [](const M& self) -> Number {
            return OfTiming<double>(self, [](const Timing& t) { return t.ratio.low; });
          },
          "The lower end of the ratio's interval.")
      .def_property_readonly(
          "ratio_high",
          [](const M& self) -> Number {
            return OfTiming<double>(self, [](const Timing& t) { return t.ratio.high; });
          },
          "The upper end of the ratio's interval.")
      .def_property_readonly(
          "samples",
          [](const M& self) { return self.timing ? self.timing->samples : std::vector<float>(); },
          "Seconds of one call, one sample a round; empty for a failure.")
      .def("__repr__", [](const M& self) {
        const std::string what =
            self.timing ? std::to_string(self.timing->seconds * 1e6) + " us" : self.message;
        return "<Measurement " + std::string(OutcomeName(self.outcome)) + ": " + what + ">";
      });
}

// ---- records -----------------------------------------------------------------------------------

Record RecordOf(const std::string& text) {
  Line line = ParseLine(text);
  if (auto* record = std::get_if<Record>(&line)) return std::move(*record);
  const auto* fault = std::get_if<LineFault>(&line);
  throw InputError("record: " + (fault ? fault->message : "found a line of another kind"));
}

ScheduleState StateOf(const Record& record) {
  ComputeDag dag = OrRefuse(ParseDag(record.task->dag, "record " + record.id));
  auto task = std::make_shared<const Task>(
      Task{std::move(dag), ToTarget(record.task->target), record.task->workload});
  return OrRefuse(ReplayText(std::move(task), record.trace));
}

void BindRecord(py::module_& module) {
  py::class_<Record>(module, "Record", "One measured schedule of a task.")
      .def_readonly("id", &Record::id, "32 hex digits.")
      .def_property_readonly(
          "task", [](const Record& self) { return self.task->key.ToText(); }, "The task's key.")
      .def_property_readonly(
          "workload", [](const Record& self) { return self.task->workload; },
          "How the task was asked for.")
      .def_property_readonly(
          "dag", [](const Record& self) { return self.task->dag; }, "The computation as .dag text.")
      .def_property_readonly(
          "target", [](const Record& self) { return self.task->target; },
          "The target with all facts.")
      .def_readonly("trace", &Record::trace, "The schedule as text.")
      .def_property_readonly(
          "state_key", [](const Record& self) { return self.state_key.ToText(); },
          "The key of the schedule's state.")
      .def_readonly("agent", &Record::agent, "Who proposed it.")
      .def_readonly("space", &Record::space, "What was searched.")
      .def_readonly("seed", &Record::seed, "Of the search.")
      .def_readonly("index", &Record::index, "Of the trial within its task and search.")
      .def_readonly("host", &Record::host, "Where it was measured.")
      .def_readonly("started", &Record::started, "Seconds since 1970-01-01 UTC.")
      .def_readonly("note", &Record::note, "Of who proposed it: a spec, '' without.")
      .def_readonly("measurement", &Record::measurement, "What measuring gave.")
      .def("state", &StateOf,
           Docstring("Replays the schedule.")
               .Returns("A ScheduleState of the record's task.")
               .Raises("InputError", "The record's computation, target or trace cannot be read.")
               .Raises("ScheduleError", "A primitive is not legal where it stands.")
               .text())
      .def(
          "to_line", [](const Record& self) { return ToLine(self); },
          Docstring("Writes the record.").Returns("A line of JSON, as in an export.").text())
      .def_static("from_line", &RecordOf, "line"_a,
                  Docstring("Reads a record.")
                      .Arg("line", "What to_line() or `records export` wrote.")
                      .Returns("An equal Record.")
                      .Raises("InputError", "The line is no record.")
                      .text())
      .def("__repr__",
           [](const Record& self) {
             return "<Record " + self.id + " of " + self.task->workload + ": " +
                    OutcomeName(self.measurement.outcome) + ">";
           })
      .def(
          "__eq__", [](const Record& a, const Record& b) { return a == b; }, py::is_operator(),
          "other"_a)
      .def("__hash__", [](const Record& self) { return py::hash(py::str(self.id)); })
      .def(py::pickle([](const Record& self) { return py::str(ToLine(self)); },
                      [](const py::str& line) { return RecordOf(line); }),
           "state"_a);
}

// ---- stores ------------------------------------------------------------------------------------

using TaskArgument = std::variant<TaskHandle, std::string>;

Key KeyOf(const TaskArgument& argument) {
  if (const auto* task = std::get_if<TaskHandle>(&argument)) return TaskKey(*task->task);
  const std::string& text = std::get<std::string>(argument);
  if (const std::optional<Key> key = ParseKey(text)) return *key;
  throw InputError("task: found '" + text + "', expected a Task or its key of 32 hex digits");
}

std::unique_ptr<StoreHandle> OpenHandle(const std::optional<std::filesystem::path>& path,
                                        const std::string& mode) {
  if (!path) return std::make_unique<StoreHandle>(StoreHandle{"", MakeLocked(MakeMemoryStore())});
  if (mode != "r" && mode != "w") {
    throw InputError("mode: found '" + mode + "', expected 'r' or 'w'");
  }
  const StoreMode how = mode == "w" ? StoreMode::kWrite : StoreMode::kRead;
  const std::string name = path->string();
  return std::make_unique<StoreHandle>(StoreHandle{name, MakeLocked(OpenStore(name, how))});
}

std::vector<Record> AllOf(const RecordStore& store) {
  std::vector<Record> all;
  store.ForEach([&](const Record& record) { all.push_back(record); });
  return all;
}

std::string LinesOf(const StoreHandle& self) {
  std::ostringstream lines;
  const std::vector<Record> all = AllOf(*self.Open());
  ExportRecords(all, lines);
  return lines.str();
}

// Queries of a store's records.
void BindRecordsOf(py::class_<StoreHandle>& store) {
  store
      .def(
          "best",
          [](const StoreHandle& self, const TaskArgument& task) {
            return self.Open()->Best(KeyOf(task));
          },
          "task"_a,
          Docstring("Finds the best success of a task.")
              .Arg("task", "A Task, or its key of 32 hex digits.")
              .Returns("The Record, or None where the store has none.")
              .Raises("InputError", "The store is closed, or `task` is no key.")
              .text())
      .def(
          "for_task",
          [](const StoreHandle& self, const TaskArgument& task) {
            return self.Open()->ForTask(KeyOf(task));
          },
          "task"_a,
          Docstring("Lists the records of a task.")
              .Arg("task", "A Task, or its key of 32 hex digits.")
              .Returns("All, in order of appending.")
              .Raises("InputError", "The store is closed, or `task` is no key.")
              .text())
      .def(
          "by_id",
          [](const StoreHandle& self, const std::string& id) { return self.Open()->ById(id); },
          "id"_a,
          Docstring("Finds a record.")
              .Arg("id", "32 hex digits.")
              .Returns("The Record, or None where the store has none.")
              .Raises("InputError", "The store is closed.")
              .text())
      .def(
          "best_of_each", [](const StoreHandle& self) { return self.Open()->BestOfEach(); },
          Docstring("Finds the best of each task.")
              .Returns("A Record for each task that has a success.")
              .Raises("InputError", "The store is closed.")
              .text())
      .def(
          "records", [](const StoreHandle& self) { return AllOf(*self.Open()); },
          Docstring("Lists all records.")
              .Returns("All, in order of appending.")
              .Raises("InputError", "The store is closed.")
              .text());
}

void BindStore(py::module_& module) {
  py::class_<StoreHandle> store(
      module, "RecordStore",
      Docstring("Durable, append-only memory of measurements.\n\n"
                "A file has one writer at a time; threads may share a store.")
          .Example(">>> with RecordStore() as store:")
          .Example("...     len(store), store.best(Task('matmul(m=64,n=64,k=64)'))")
          .Example("(0, None)")
          .text());
  store
      .def(py::init(&OpenHandle), "path"_a = py::none(), "mode"_a = "r",
           Docstring("Opens a store.")
               .Arg("path", "A file; None for one in memory.")
               .Arg("mode", "'r' to read, or 'w' to write, which makes a file that is missing.")
               .Raises("InputError", "The file is no store, is missing, or another writer has it.")
               .Raises("MachineError", "The disk is full, or the system refuses the file.")
               .text())
      .def_property_readonly(
          "path",
          [](const StoreHandle& self) -> std::optional<std::filesystem::path> {
            if (self.path.empty()) return std::nullopt;
            return self.path;
          },
          "The file as it was named, also once closed; None of a store in memory.");
  BindRecordsOf(store);
  store
      .def(
          "append",
          [](const StoreHandle& self, const std::vector<Record>& records) {
            self.Open()->Append(records);
          },
          "records"_a,
          Docstring("Adds records, and returns once all are durable.")
              .Arg("records", "In order; those that the store has already are skipped.")
              .Raises("InputError", "The store is closed, or was opened to read.")
              .Raises("MachineError", "The disk is full, or the system refuses to write.")
              .text())
      .def("export_lines", &LinesOf,
           Docstring("Writes all records as text.")
               .Returns("Lines of JSON with a trailer, as `records import` reads them.")
               .Raises("InputError", "The store is closed.")
               .text())
      .def(
          "close", [](StoreHandle& self) { self.store.reset(); },
          "Lets others write; may be called twice.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](StoreHandle& self, const py::args&) { self.store.reset(); })
      .def("__iter__",
           [](const StoreHandle& self) -> py::typing::Iterator<Record> {
             return py::iter(py::cast(AllOf(*self.Open())));
           })
      .def("__len__", [](const StoreHandle& self) { return AllOf(*self.Open()).size(); });
}

}  // namespace

void BindMeasure(py::module_& module) {
  BindMeasurement(module);
  BindRecord(module);
  BindStore(module);
}

}  // namespace schedulegym
