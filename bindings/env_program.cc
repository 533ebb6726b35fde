// The nouns of env/program: workloads, computations, targets, tasks.
// Each is made from its text and pickled as that text; equality and hash are those of the key (of
// workloads and targets: of the text). Errors become InputError, a ValueError in Python.
#include "backends/runner/device_target.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "env/base/files.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/program/analysis.h"
#include "env/program/expressions/dtype.h"
#include "env/program/language/parser.h"
#include "env/program/targets/target_names.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/task_list.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

Target ToTarget(const TargetArgument& argument) {
  if (const Target* target = std::get_if<Target>(&argument)) return *target;
  Target target = WithDeviceFacts(RequireSpec("target", std::get<std::string>(argument)));
  CheckTargetNames(target);
  return target;
}

namespace {

ComputeDag DagFromText(const std::string& text, const std::map<std::string, int64_t>& parameters) {
  return OrRefuse(ParseDag(text, "text", {parameters.begin(), parameters.end()}));
}

WorkloadHandle WorkloadOf(const std::string& text) {
  Result<Spec> spec = ParseWorkload(text);
  if (!spec) throw InputError("workload '" + text + "': " + spec.error().message);
  if (!IsWorkload(spec->name)) MakeWorkload(*spec);  // throws an error that lists the workloads
  return {*std::move(spec)};
}

TaskHandle TaskOfDag(const ComputeDag& dag, const Target& target, std::string name) {
  CheckFits(dag, target);
  if (name.empty()) name = "dag-" + dag.key().ToText().substr(0, 8);
  return {std::make_shared<const Task>(Task{dag, target, std::move(name)})};
}

py::object ValueOf(const SpecValue& value) {
  if (const Spec* word = std::get_if<Spec>(&value.value)) return py::str(word->ToText());
  return std::visit(
      [](const auto& plain) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, Spec>)
          return py::none();
        else
          return py::cast(plain);
      },
      value.value);
}

}  // namespace

py::dict ParametersOf(const WorkloadHandle& workload) {
  py::dict values;
  for (const SpecOption& option : workload.spec.options) {
    values[py::str(option.key)] = ValueOf(option.value);
  }
  return values;
}

namespace {

const char* KindName(TensorKind kind) {
  switch (kind) {
    case TensorKind::kInput: return "input";
    case TensorKind::kWeight: return "weight";
    case TensorKind::kDefinition: return "definition";
  }
  return "";
}

void BindWorkload(py::module_& module) {
  py::class_<WorkloadHandle>(module, "Workload",
                             Docstring("A name and parameters that yield a ComputeDag.")
                                 .Example(">>> workload = Workload('matmul(m=64,n=32,k=16)')")
                                 .Example(">>> workload.parameters")
                                 .Example("{'m': 64, 'n': 32, 'k': 16}")
                                 .text())
      .def(py::init(&WorkloadOf), "text"_a,
           Docstring("Makes a workload of its text.")
               .Arg("text",
                    "A spec such as 'matmul(m=512,n=512,k=512)', or the path of a .dag file.")
               .Raises("InputError", "The text is no spec, or names no workload.")
               .text())
      .def(py::init([](const std::filesystem::path& path) { return WorkloadOf(path.string()); }),
           "text"_a,
           Docstring("Makes a workload of a .dag file.")
               .Arg("text", "The path of the file.")
               .Raises("InputError", "The file cannot be read as a computation.")
               .text())
      .def_property_readonly(
          "name", [](const WorkloadHandle& self) { return self.spec.name; },
          "The operator's name, or the file's path.")
      .def_property_readonly("parameters", &ParametersOf, "What was given, by name.")
      .def(
          "dag", [](const WorkloadHandle& self) { return MakeWorkload(self.spec); },
          Docstring("Makes the computation.")
              .Returns("A ComputeDag.")
              .Raises("InputError", "The parameters do not fit the workload.")
              .text())
      .def("__str__", [](const WorkloadHandle& self) { return self.spec.ToText(); })
      .def("__repr__",
           [](const WorkloadHandle& self) { return "Workload('" + self.spec.ToText() + "')"; })
      .def(
          "__eq__",
          [](const WorkloadHandle& a, const WorkloadHandle& b) { return a.spec == b.spec; },
          py::is_operator(), "other"_a)
      .def("__hash__",
           [](const WorkloadHandle& self) { return py::hash(py::str(self.spec.ToText())); })
      .def(py::pickle([](const WorkloadHandle& self) { return py::str(self.spec.ToText()); },
                      [](const py::str& text) { return WorkloadOf(text); }),
           "state"_a);
  module.def(
      "builtin_workloads",
      [] {
        std::map<std::string, std::string> all;
        for (const BuiltinOperator& entry : BuiltinOperators()) {
          all[entry.name] = entry.ParametersText();
        }
        return all;
      },
      Docstring("Lists the built-in operators.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
  module.def(
      "suite",
      [](const std::string& name) {
        std::vector<WorkloadHandle> cases;
        std::vector<std::string> known;
        for (const Suite& suite : BuiltinSuites()) {
          known.push_back(suite.name);
          if (suite.name != name) continue;
          for (const SuiteCase& one : suite.cases) cases.push_back({one.workload});
          return cases;
        }
        throw InputError(UnknownName("suite", name, known));
      },
      "name"_a,
      Docstring("Lists the workloads of a built-in suite.")
          .Arg("name", "The suite's name.")
          .Returns("The workloads, in the suite's order.")
          .Raises("InputError", "There is no such suite; the message names those there are.")
          .text());
  module.def(
      "read_network",
      [](const std::filesystem::path& path) {
        std::vector<std::pair<int64_t, WorkloadHandle>> layers;
        for (const WeightedWorkload& layer : ReadNetwork(path.string())) {
          layers.emplace_back(layer.count, WorkloadHandle{layer.workload});
        }
        return layers;
      },
      "path"_a,
      Docstring("Reads the layers of a network.")
          .Arg("path", "A .net file, or the name of a network that comes along.")
          .Returns("A pair for each layer: how often it is run, and its workload.")
          .Raises("InputError", "The file cannot be read as a network.")
          .text());
}

void BindDag(py::module_& module) {
  using Extents = py::typing::Tuple<int, py::ellipsis>;
  py::class_<Tensor>(module, "Tensor", "One tensor of a computation.")
      .def_readonly("name", &Tensor::name, "As in the text.")
      .def_property_readonly(
          "kind", [](const Tensor& self) { return KindName(self.kind); },
          "'input', 'weight' or 'definition'.")
      .def_property_readonly(
          "dtype", [](const Tensor& self) { return DTypeName(self.type); },
          "'f32', 'f64', 'i32', 'i8', 'f16' or 'bf16'.")
      .def_property_readonly(
          "shape", [](const Tensor& self) { return Extents(py::tuple(py::cast(self.shape))); },
          "The extents of its dimensions, in elements.")
      .def("__repr__", [](const Tensor& self) {
        return "Tensor('" + self.name + "', " + KindName(self.kind) + ", " + DTypeName(self.type) +
               "[" + Join(self.shape, ", ") + "])";
      });
  const auto picked = [](const ComputeDag& self, const std::vector<int>& ids) {
    std::vector<Tensor> tensors;
    for (int id : ids) tensors.push_back(self.tensor(id));
    return tensors;
  };
  py::class_<ComputeDag>(module, "ComputeDag",
                         Docstring("The immutable mathematics of a computation.")
                             .Example(">>> dag = ComputeDag('input X[8]\\nY[i:8] = X[i] + 1\\n')")
                             .Example(">>> [tensor.shape for tensor in dag.outputs], dag.flops")
                             .Example("([(8,)], 8.0)")
                             .text())
      .def(py::init(&DagFromText), "text"_a, "parameters"_a = std::map<std::string, int64_t>(),
           Docstring("Makes a computation of .dag text.")
               .Arg("text", "Lines as in a .dag file.")
               .Arg("parameters", "Values by name, which replace those of `param` lines.")
               .Raises("InputError", "The text is no computation; the message has line and column.")
               .text())
      .def_static(
          "read",
          [](const std::filesystem::path& path, const std::map<std::string, int64_t>& parameters) {
            return OrRefuse(ParseDag(ReadUntrustedFile(path.string(), kDagFile), path.string(),
                                     {parameters.begin(), parameters.end()}));
          },
          "path"_a, "parameters"_a = std::map<std::string, int64_t>(),
          Docstring("Makes a computation of a .dag file.")
              .Arg("path", "The file.")
              .Arg("parameters", "Values by name, which replace those of `param` lines.")
              .Returns("A ComputeDag.")
              .Raises("InputError", "The file cannot be read, or is no computation.")
              .text())
      .def_property_readonly("text", &ComputeDag::ToText, "Parses back to an equal computation.")
      .def_property_readonly(
          "key", [](const ComputeDag& self) { return self.key().ToText(); },
          "32 hex digits; names of axes and parameters take no part.")
      .def_property_readonly(
          "flops", [](const ComputeDag& self) { return CountFlops(self); },
          "Arithmetic operations of one call.")
      .def_property_readonly("tensors", &ComputeDag::tensors, "All, in order of declaration.")
      .def_property_readonly(
          "inputs", [picked](const ComputeDag& self) { return picked(self, self.inputs()); },
          "Inputs and weights, in the order of the signature.")
      .def_property_readonly(
          "outputs", [picked](const ComputeDag& self) { return picked(self, self.outputs()); },
          "Outputs, in the order of the signature.")
      .def("__str__", &ComputeDag::ToText)
      .def("__repr__",
           [](const ComputeDag& self) { return "<ComputeDag " + self.key().ToText() + ">"; })
      .def(
          "__eq__", [](const ComputeDag& a, const ComputeDag& b) { return a == b; },
          py::is_operator(), "other"_a)
      .def("__hash__",
           [](const ComputeDag& self) { return py::hash(py::str(self.key().ToText())); })
      .def(py::pickle([](const ComputeDag& self) { return py::str(self.ToText()); },
                      [](const py::str& text) { return DagFromText(text, {}); }),
           "state"_a);
}

py::dict FactsOf(const Target& self) {
  return py::dict("backend"_a = self.BackendName(), "cpu"_a = self.cpu,
                  "features"_a = self.features, "cores"_a = self.cores,
                  "vector_bits"_a = self.vector_bits, "vector_registers"_a = self.vector_registers,
                  "l1_bytes"_a = self.l1_bytes, "l2_bytes"_a = self.l2_bytes,
                  "l3_bytes"_a = self.l3_bytes, "line_bytes"_a = self.line_bytes,
                  "memory_bytes"_a = self.memory_bytes, "warm"_a = self.warm);
}

void BindTarget(py::module_& module) {
  py::class_<Target>(module, "Target",
                     Docstring("The facts about a machine that schedules may use.")
                         .Example(">>> Target('llvm(cores=1)').cores")
                         .Example("1")
                         .text())
      .def(py::init([](const std::string& spec) { return ToTarget(spec); }), "spec"_a = "llvm",
           Docstring("Makes a target of a spec.")
               .Arg("spec",
                    "Such as 'llvm', 'llvm(cores=1)' or 'interpreter'; what it leaves open "
                    "is this machine's.")
               .Raises("InputError", "There is no such target, or a fact is out of its range.")
               .text())
      .def_property_readonly("spec", &Target::ToText, "With all facts: equal on any machine.")
      .def_property_readonly("facts", &FactsOf,
                             "All facts by name; sizes in bytes, vectors in bits.")
      .def_property_readonly("backend", &Target::BackendName, "'llvm', 'interpreter' or 'cuda'.")
      .def_readonly("cores", &Target::cores, "How many a kernel may use.")
      .def("__str__", &Target::ToText)
      .def("__repr__", [](const Target& self) { return "Target('" + self.ToText() + "')"; })
      .def(
          "__eq__", [](const Target& a, const Target& b) { return a == b; }, py::is_operator(),
          "other"_a)
      .def("__hash__", [](const Target& self) { return py::hash(py::str(self.ToText())); })
      .def(py::pickle([](const Target& self) { return py::str(self.ToText()); },
                      [](const py::str& text) { return ToTarget(std::string(text)); }),
           "state"_a);
}

void BindTask(py::module_& module) {
  using TaskState = py::typing::Tuple<py::str, py::str, py::str>;
  py::class_<TaskHandle>(module, "Task",
                         Docstring("A computation on a target; the unit of tuning.")
                             .Example(">>> task = Task('matmul(m=64,n=64,k=64)', 'llvm(cores=1)')")
                             .Example(">>> task.dag.flops")
                             .Example("524288.0")
                             .text())
      .def(py::init(&ToTask), "workload"_a, "target"_a = "llvm",
           Docstring("Makes a task.")
               .Arg("workload",
                    "A spec, the path of a .dag file, .dag text, a Workload, a "
                    "ComputeDag or a Task.")
               .Arg("target", "A Target or its spec; of a Task, which has one, it is not read.")
               .Raises("InputError",
                       "The workload or the target does not exist, or they do not fit.")
               .text())
      .def_property_readonly(
          "dag", [](const TaskHandle& self) { return self.task->dag; }, "The computation.")
      .def_property_readonly(
          "target", [](const TaskHandle& self) { return self.task->target; }, "Where it is to run.")
      .def_property_readonly(
          "name", [](const TaskHandle& self) { return self.task->name; },
          "How it was asked for; takes no part in the key.")
      .def_property_readonly(
          "key", [](const TaskHandle& self) { return TaskKey(*self.task).ToText(); },
          "32 hex digits, by which stores know it.")
      .def("__repr__", [](const TaskHandle& self) { return "<Task " + self.task->name + ">"; })
      .def(
          "__eq__",
          [](const TaskHandle& a, const TaskHandle& b) {
            return TaskKey(*a.task) == TaskKey(*b.task);
          },
          py::is_operator(), "other"_a)
      .def("__hash__",
           [](const TaskHandle& self) { return py::hash(py::str(TaskKey(*self.task).ToText())); })
      .def(py::pickle(
               [](const TaskHandle& self) -> TaskState {
                 return py::make_tuple(self.task->dag.ToText(), self.task->target.ToText(),
                                       self.task->name);
               },
               [](const TaskState& state) {
                 return TaskOfDag(DagFromText(state[0].cast<std::string>(), {}),
                                  ToTarget(state[1].cast<std::string>()),
                                  state[2].cast<std::string>());
               }),
           "state"_a);
}

}  // namespace

TaskHandle ToTask(const WorkloadArgument& workload, const TargetArgument& target_argument) {
  if (const auto* task = std::get_if<TaskHandle>(&workload)) return *task;
  const Target target = ToTarget(target_argument);
  if (const auto* handle = std::get_if<WorkloadHandle>(&workload)) {
    return {MakeTask(handle->spec, target)};
  }
  if (const auto* dag = std::get_if<ComputeDag>(&workload)) return TaskOfDag(*dag, target, "");
  if (const auto* path = std::get_if<std::filesystem::path>(&workload)) {
    return {LoadTask(path->string(), target)};
  }
  const std::string& text = std::get<std::string>(workload);
  if (text.find('\n') != std::string::npos) return TaskOfDag(DagFromText(text, {}), target, "");
  return {LoadTask(text, target)};
}

void BindProgram(py::module_& module) {
  BindTarget(module);
  BindDag(module);
  BindWorkload(module);
  BindTask(module);
}

}  // namespace schedulegym
