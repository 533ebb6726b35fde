// Bindings: shared handles and conversions to Python.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "assembly/catalog.h"
#include "env/base/fault.h"
#include "env/base/result.h"
#include "env/base/spec.h"
#include "env/measure/store/record_store.h"
#include "env/program/compute_dag.h"
#include "env/program/targets/target.h"
#include "env/program/task.h"
#include "env/schedule/state.h"

// Converts texts of any bytes, since a path may have any. Bytes that are not UTF-8 appear in
// Python's str as os.fsdecode writes them, in both directions.
template <>
class pybind11::detail::type_caster<std::string> {
 public:
  PYBIND11_TYPE_CASTER(std::string, const_name("str"));

  bool load(handle source, bool) {
    if (!source) return false;
    if (PyBytes_Check(source.ptr()) != 0) return TakeBytes(source);
    if (PyByteArray_Check(source.ptr()) != 0) {
      value.assign(PyByteArray_AS_STRING(source.ptr()),
                   static_cast<size_t>(PyByteArray_GET_SIZE(source.ptr())));
      return true;
    }
    if (PyUnicode_Check(source.ptr()) == 0) return false;
    for (const char* errors : {"surrogateescape", "surrogatepass"}) {
      const auto bytes =
          reinterpret_steal<object>(PyUnicode_AsEncodedString(source.ptr(), "utf-8", errors));
      if (bytes) return TakeBytes(bytes);
      PyErr_Clear();
    }
    return false;
  }

  static handle cast(const std::string& text, return_value_policy, handle) {
    return CheckedText(
        PyUnicode_DecodeUTF8(text.data(), static_cast<ssize_t>(text.size()), "surrogateescape"));
  }

 private:
  static handle CheckedText(PyObject* text) {
    if (text == nullptr) throw error_already_set();
    return text;
  }

  bool TakeBytes(handle bytes) {
    value.assign(PyBytes_AS_STRING(bytes.ptr()),
                 static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr())));
    return true;
  }
};

namespace schedulegym {

// Each adds the classes and functions of one part of the package; module.cc calls all.
void BindFaults(pybind11::module_& module);
void BindProgram(pybind11::module_& module);
void BindSchedule(pybind11::module_& module);
void BindMeasure(pybind11::module_& module);
void BindMeasurer(pybind11::module_& module);
void BindSpaces(pybind11::module_& module);
void BindAgents(pybind11::module_& module);
void BindSearch(pybind11::module_& module);
void BindExport(pybind11::module_& module);
void BindGym(pybind11::module_& module);
void BindGymVector(pybind11::module_& module);
void BindNetwork(pybind11::module_& module);
void BindAgentServer(pybind11::module_& module);
void BindProgramFeatures(pybind11::module_& module);

// Python's Workload.
struct WorkloadHandle {
  Spec spec;
};

// The options of a spec by name.
pybind11::dict ParametersOf(const WorkloadHandle& workload);

// Python's Task; the shared task never changes.
struct TaskHandle {
  std::shared_ptr<const Task> task;
};

// Python's RecordStore; null once it is closed. Threads may use it concurrently.
struct StoreHandle {
  std::string path;  // "" if in memory
  std::shared_ptr<RecordStore> store;

  // Throws InputError if it is closed.
  const std::shared_ptr<RecordStore>& Open() const;
};

// Types of an argument for a target or a workload, which also have a text form.
using TargetArgument = std::variant<Target, std::string>;
using WorkloadArgument =
    std::variant<TaskHandle, WorkloadHandle, ComputeDag, std::string, std::filesystem::path>;

Target ToTarget(const TargetArgument& argument);
// Throws InputError. A text of several lines is `.dag` text; others are as on the command line.
TaskHandle ToTask(const WorkloadArgument& workload, const TargetArgument& target);

// An illegal or senseless schedule; a ValueError in Python, as InputError is.
class ScheduleFault : public InputError {
 public:
  using InputError::InputError;
};

[[noreturn]] void Refuse(const Error& error);

template <typename T>
T OrRefuse(Result<T> result) {
  if (!result) Refuse(result.error());
  return *std::move(result);
}

// Entries of a registry for Python: name to parameters with their defaults.
template <typename Maker>
std::map<std::string, std::string> Listed(const Registry<Maker>& registry) {
  std::map<std::string, std::string> all;
  for (const RegistryEntry<Maker>& entry : registry) all[entry.name] = entry.parameters;
  return all;
}

}  // namespace schedulegym
