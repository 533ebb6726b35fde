// The nouns of env/schedule: primitives, traces, schedule states.
// A primitive in Python belongs to no state: its stages are names, so every word that stands where
// a value may is tried as a stage's name while it is parsed. States compare by task and key, all
// else by text; all are pickled as text. An illegal primitive is a ScheduleError, other faults
// InputError.
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "env/base/result.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/schedule/loop_structure.h"
#include "env/schedule/primitive.h"

namespace schedulegym {
namespace {

// A primitive that belongs to no state yet; its stages are names.
struct PrimitiveText {
  Primitive primitive;  // its stages are positions in `names`
  StageNames names;

  std::string Text() const { return ToText(primitive, names); }
};

// Of one line, whose stages may have any names.
Result<PrimitiveText> ParsePrimitiveText(std::string_view line);

// The lines of a trace; the error names the line.
Result<std::vector<PrimitiveText>> ParseTraceText(std::string_view text);
std::string TraceTextOf(const std::vector<PrimitiveText>& steps);

constexpr std::string_view kFirstLine = "trace 1";

// Each word at the position of a field's value.
StageNames WordsOf(std::string_view line) {
  StageNames words;
  const size_t open = std::min(line.find('('), line.size());
  std::string word;
  for (const char letter : line.substr(open)) {
    if (std::string_view("()[]=, \t").find(letter) == std::string_view::npos) {
      word += letter;
    } else if (!word.empty()) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

std::string_view WithoutComment(std::string_view line) {
  return Trim(line.substr(0, line.find('#')));
}

Result<PrimitiveText> ParsePrimitiveText(std::string_view line) {
  StageNames names = WordsOf(line);
  Result<Primitive> primitive = ParsePrimitive(line, names);
  if (!primitive) return primitive.error();
  return PrimitiveText{*std::move(primitive), std::move(names)};
}

Result<std::vector<PrimitiveText>> ParseTraceText(std::string_view text) {
  std::vector<PrimitiveText> steps;
  const std::vector<std::string> lines = SplitLines(text);
  if (lines.empty() || Trim(lines[0]) != kFirstLine) {
    return Error{ErrorKind::kParse, "line 1: found '" + (lines.empty() ? "" : lines[0]) +
                                        "', expected '" + std::string(kFirstLine) + "'"};
  }
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = WithoutComment(lines[i]);
    if (line.empty()) continue;
    Result<PrimitiveText> step = ParsePrimitiveText(line);
    if (!step) {
      return Error{ErrorKind::kParse,
                   "line " + std::to_string(i + 1) + ": " + step.error().message};
    }
    steps.push_back(*std::move(step));
  }
  return steps;
}

std::string TraceTextOf(const std::vector<PrimitiveText>& steps) {
  std::string text = std::string(kFirstLine) + "\n";
  for (const PrimitiveText& step : steps) text += step.Text() + "\n";
  return text;
}

}  // namespace

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

struct TraceHandle {
  std::vector<PrimitiveText> steps;

  std::string Text() const { return TraceTextOf(steps); }
};

using PrimitiveArgument = std::variant<PrimitiveText, std::string>;
using TraceArgument = std::variant<TraceHandle, std::string>;

// ---- fields of primitives as Python's values ---------------------------------------------------

py::object ToPython(StageRef stage, const StageNames& names) { return py::str(names[stage.id]); }
py::object ToPython(int64_t value, const StageNames&) { return py::int_(value); }
py::object ToPython(int value, const StageNames&) { return py::int_(value); }
py::object ToPython(bool value, const StageNames&) { return py::bool_(value); }
py::object ToPython(const std::string& value, const StageNames&) { return py::str(value); }
py::object ToPython(MemoryScope scope, const StageNames&) {
  return py::str(MemoryScopeName(scope));
}
py::object ToPython(Annotation thread, const StageNames&) {
  return py::str(AnnotationName(thread));
}

template <typename T>
py::object ToPython(const std::vector<T>& values, const StageNames& names) {
  py::list list;
  for (const T& value : values) list.append(ToPython(value, names));
  return list;
}

py::dict FieldsOf(const PrimitiveText& self) {
  py::dict fields;
  std::visit(
      [&](const auto& p) {
        ForEachField<std::decay_t<decltype(p)>>([&](const auto& field) {
          fields[py::str(std::string(field.name))] = ToPython(p.*field.member, self.names);
        });
      },
      self.primitive);
  return fields;
}

// As a line of a trace has it.
std::string FieldText(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (PyIndex_Check(value.ptr())) return std::to_string(value.cast<int64_t>());
  if (!py::isinstance<py::sequence>(value)) {
    throw py::type_error("found a field of type " +
                         std::string(py::str(py::type::of(value).attr("__name__"))) +
                         ", expected a number, a word, true or false, or a list of these");
  }
  std::vector<std::string> items;
  for (const py::handle& item : py::reinterpret_borrow<py::sequence>(value)) {
    items.push_back(FieldText(item));
  }
  return "[" + Join(items, ", ") + "]";
}

PrimitiveText MakePrimitive(const std::string& text, const py::kwargs& fields) {
  if (fields.empty() && text.find('(') != std::string::npos) {
    return OrRefuse(ParsePrimitiveText(text));
  }
  std::vector<std::string> parts;
  for (const auto& [name, value] : fields) {
    parts.push_back(std::string(py::str(name)) + "=" + FieldText(value));
  }
  return OrRefuse(ParsePrimitiveText(text + "(" + Join(parts, ", ") + ")"));
}

std::string TextOf(const PrimitiveArgument& argument) {
  if (const auto* primitive = std::get_if<PrimitiveText>(&argument)) return primitive->Text();
  return std::get<std::string>(argument);
}

void BindPrimitive(py::module_& module) {
  py::class_<PrimitiveText>(
      module, "Primitive",
      Docstring("One scheduling decision as plain data.")
          .Example(">>> split = Primitive('split', stage='C', loop=0, lengths=[4, 16])")
          .Example(">>> split == Primitive('split(stage=C, loop=0, lengths=[4, 16])')")
          .Example("True")
          .text())
      .def(py::init(&MakePrimitive), "text"_a,
           Docstring("Makes a primitive of a line, or of a name and fields.")
               .Arg("text", "A line such as 'split(stage=C, loop=0, lengths=[4, 16])', or a name.")
               .Arg("**kwargs", "The fields beside a name; stages by theirs. See primitives().")
               .Raises("InputError", "There is no such primitive, or its fields are others.")
               .Raises("TypeError", "A field is no number, word, truth value or list of these.")
               .text())
      .def_property_readonly(
          "name", [](const PrimitiveText& self) { return NameOf(self.primitive); },
          "What it does, such as 'split'.")
      .def_property_readonly("fields", &FieldsOf, "All fields by name; stages by theirs.")
      .def_property_readonly("text", &PrimitiveText::Text, "As a line of a trace.")
      .def("__str__", &PrimitiveText::Text)
      .def("__repr__", [](const PrimitiveText& self) { return "Primitive('" + self.Text() + "')"; })
      .def(
          "__eq__",
          [](const PrimitiveText& a, const PrimitiveText& b) { return a.Text() == b.Text(); },
          py::is_operator(), "other"_a)
      .def("__hash__", [](const PrimitiveText& self) { return py::hash(py::str(self.Text())); })
      .def(py::pickle(
               [](const PrimitiveText& self) { return py::str(self.Text()); },
               [](const py::str& text) { return OrRefuse(ParsePrimitiveText(std::string(text))); }),
           "state"_a);
  module.def(
      "primitives",
      [] {
        std::map<std::string, std::map<std::string, std::string>> all;
        for (const PrimitiveEntry& entry : AllPrimitives()) {
          all[entry.name] = {entry.fields.begin(), entry.fields.end()};
        }
        return all;
      },
      Docstring("Lists every primitive.")
          .Returns("By name: its fields, each with what it means.")
          .text());
}

TraceHandle TraceOf(const std::string& text) { return {OrRefuse(ParseTraceText(text))}; }

void BindTrace(py::module_& module) {
  py::class_<TraceHandle>(
      module, "Trace",
      Docstring("The ordered primitives of a schedule.")
          .Example(">>> trace = Trace('trace 1\\nparallel(stage=C, loop=0)\\n')")
          .Example(">>> len(trace), trace[0].name")
          .Example("(1, 'parallel')")
          .text())
      .def(py::init(&TraceOf), "text"_a = "trace 1\n",
           Docstring("Makes a trace of text.")
               .Arg("text", "The line 'trace 1', then one primitive a line.")
               .Raises("InputError", "A line is no primitive; the message has its number.")
               .text())
      .def(py::init([](std::vector<PrimitiveText> steps) { return TraceHandle{std::move(steps)}; }),
           "primitives"_a,
           Docstring("Makes a trace of primitives.").Arg("primitives", "In their order.").text())
      .def_property_readonly("text", &TraceHandle::Text, "Reads back as an equal trace.")
      .def("__str__", &TraceHandle::Text)
      .def("__repr__",
           [](const TraceHandle& self) {
             return "<Trace of " + std::to_string(self.steps.size()) + " primitives>";
           })
      .def("__len__", [](const TraceHandle& self) { return self.steps.size(); })
      .def(
          "__getitem__",
          [](const TraceHandle& self, py::ssize_t index) {
            const auto size = static_cast<py::ssize_t>(self.steps.size());
            if (index < 0) index += size;
            if (index < 0 || index >= size) throw py::index_error("no such primitive");
            return self.steps[index];
          },
          "index"_a)
      .def(
          "__iter__",
          [](const TraceHandle& self) -> py::typing::Iterator<PrimitiveText> {
            return py::make_iterator<py::return_value_policy::copy>(self.steps.begin(),
                                                                    self.steps.end());
          },
          py::keep_alive<0, 1>())
      .def(
          "__eq__", [](const TraceHandle& a, const TraceHandle& b) { return a.Text() == b.Text(); },
          py::is_operator(), "other"_a)
      .def("__hash__", [](const TraceHandle& self) { return py::hash(py::str(self.Text())); })
      .def(py::pickle([](const TraceHandle& self) { return py::str(self.Text()); },
                      [](const py::str& text) { return TraceOf(text); }),
           "state"_a);
}

// ---- states ------------------------------------------------------------------------------------

ScheduleState Replayed(const TaskHandle& task, const TraceArgument& trace) {
  const auto* handle = std::get_if<TraceHandle>(&trace);
  return OrRefuse(ReplayText(task.task, handle ? handle->Text() : std::get<std::string>(trace)));
}

Primitive Here(const ScheduleState& state, const PrimitiveArgument& argument) {
  return OrRefuse(ParsePrimitive(TextOf(argument), state.Names()));
}

std::optional<std::string> Objection(const ScheduleState& state,
                                     const PrimitiveArgument& argument) {
  const Result<Primitive> primitive = ParsePrimitive(TextOf(argument), state.Names());
  if (!primitive) return primitive.error().message;
  const Result<void> legal = Check(state, *primitive);
  if (legal) return std::nullopt;
  return legal.error().message;
}

bool AreEqual(const ScheduleState& a, const ScheduleState& b) {
  const bool one_task =
      a.shared_task() == b.shared_task() || TaskKey(a.task()) == TaskKey(b.task());
  return one_task && StateKey(a) == StateKey(b);
}

void BindViews(py::class_<ScheduleState>& state) {
  state
      .def_property_readonly(
          "task", [](const ScheduleState& self) { return TaskHandle{self.shared_task()}; },
          "What it schedules.")
      .def_property_readonly(
          "trace", [](const ScheduleState& self) { return TraceOf(self.TraceText()); },
          "The primitives that made it.")
      .def_property_readonly("names", &ScheduleState::Names,
                             "Of all stages: the computation's tensors, then what was added.")
      .def_property_readonly(
          "key", [](const ScheduleState& self) { return StateKey(self).ToText(); },
          "32 hex digits; equal exactly if the printed loops are.")
      .def_property_readonly(
          "loops", [](const ScheduleState& self) { return InferLoops(self).ToText(self); },
          "The loop nest as text.")
      .def_property_readonly(
          "source", [](const ScheduleState& self) { return OrRefuse(Lower(self)).ToText(); },
          "The explicit loops with all buffers and indices, as text.");
}

void BindState(py::module_& module) {
  using Parts = py::typing::Tuple<TaskHandle, py::str>;
  py::class_<ScheduleState> state(
      module, "ScheduleState",
      Docstring("An immutable loop structure and the trace that made it.")
          .Example(">>> naive = ScheduleState.initial(Task('matmul(m=64,n=64,k=64)'))")
          .Example(">>> split = naive.apply('split(stage=C, loop=0, lengths=[4, 8])')")
          .Example(">>> ScheduleState.replay(split.task, split.trace) == split")
          .Example("True")
          .text());
  state
      .def_static(
          "initial", [](const TaskHandle& task) { return ScheduleState::Initial(task.task); },
          "task"_a,
          Docstring("Makes the naive program.")
              .Arg("task", "What it schedules.")
              .Returns("A state with one serial loop for each axis.")
              .text())
      .def_static("replay", &Replayed, "task"_a, "trace"_a,
                  Docstring("Applies a trace to the naive program.")
                      .Arg("task", "What it schedules.")
                      .Arg("trace", "A Trace or its text.")
                      .Returns("The state that the trace ends in.")
                      .Raises("InputError", "The text is no trace of this task.")
                      .Raises("ScheduleError", "A primitive is not legal where it stands.")
                      .text())
      .def(
          "apply",
          [](const ScheduleState& self, const PrimitiveArgument& primitive) {
            return OrRefuse(Apply(self, Here(self, primitive)));
          },
          "primitive"_a,
          Docstring("Applies a primitive; this state stays as it is.")
              .Arg("primitive", "A Primitive or its line.")
              .Returns("The state after it.")
              .Raises("InputError", "The line is no primitive of this state's stages.")
              .Raises("ScheduleError", "It is not legal here; the message says why.")
              .text())
      .def("check", &Objection, "primitive"_a,
           Docstring("Says whether a primitive may be applied.")
               .Arg("primitive", "A Primitive or its line.")
               .Returns("None where it is legal here, else why it is not.")
               .text())
      .def("__eq__", &AreEqual, py::is_operator(), "other"_a)
      .def("__hash__",
           [](const ScheduleState& self) { return py::hash(py::str(StateKey(self).ToText())); })
      .def("__repr__",
           [](const ScheduleState& self) {
             return "<ScheduleState of " + self.task().name + ", " +
                    std::to_string(self.trace_size()) + " primitives>";
           })
      .def(py::pickle(
               [](const ScheduleState& self) -> Parts {
                 return py::make_tuple(TaskHandle{self.shared_task()}, self.TraceText());
               },
               [](const Parts& parts) {
                 return Replayed(parts[0].cast<TaskHandle>(), parts[1].cast<std::string>());
               }),
           "state"_a);
  BindViews(state);
}

}  // namespace

void BindSchedule(py::module_& module) {
  BindPrimitive(module);
  BindTrace(module);
  BindState(module);
}

}  // namespace schedulegym
