// What the environments' files of the bindings share: how places become Python's arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "assembly/environment_request.h"
#include "bindings/docstring_internal.h"
#include "env/gym/environment.h"
#include "env/gym/observations/builtin_observations.h"
#include "env/gym/vector_environment.h"

namespace schedulegym {

// What reset() and step() of one environment return, as Python's types.
using Viewed = pybind11::typing::Tuple<pybind11::object, pybind11::dict>;
using Stepped = pybind11::typing::Tuple<pybind11::object, double, bool, bool, pybind11::dict>;

// Which observations are handed out, and whether by name.
struct ObservationForm {
  ObservationForm(std::vector<std::string> names_given, bool as_dict_given)
      : names(std::move(names_given)), as_dict(as_dict_given) {}

  std::vector<std::string> names;
  bool as_dict = false;
};

// What Python sees alike of both kinds of environments.
template <typename Environment>
void BindEpisode(pybind11::class_<Environment>& environment) {
  environment
      .def_property_readonly(
          "actions", [](const Environment& self) { return self.environment().actions(); },
          "The actions of this episode, in order.")
      .def_property_readonly(
          "begun", [](const Environment& self) { return self.environment().has_begun(); },
          "Whether an episode has begun.");
}

// The loop nests of a place, or why there are none.
std::string LoopText(const Environment& environment);

// The same parts without what measures, to look at places alone; null where nothing does.
std::shared_ptr<const EnvironmentParts> WithoutMeasuring(const EnvironmentParts& parts);
// An equal one of these parts.
Environment MovedTo(const std::shared_ptr<const EnvironmentParts>& parts,
                    const Environment& environment);

// Shared by an environment and its forks: everything but the episode.
struct GymShape {
  GymShape(std::shared_ptr<const EnvironmentParts> parts_given, ObservationForm form_given);

  // Fresh arrays.
  pybind11::object Observe(const Environment& environment) const;
  pybind11::array_t<int8_t> Mask(const Environment& environment) const;
  // With what was judged at this step, or before of a place where the episode ended.
  pybind11::dict Info(const Environment& environment, bool evaluated) const;
  void AddEvaluationResult(const EvaluationResult& evaluation, pybind11::dict& info) const;
  // Size, low and high of each observation of numbers.
  std::vector<std::tuple<int, float, float>> Boxes() const;

  std::shared_ptr<const EnvironmentParts> parts;
  ObservationForm form;
  std::vector<pybind11::str> keys;  // of the form's names
  // Keys of infos, made once: a text for each step costs more than the rest of it.
  pybind11::str action_mask{"action_mask"}, illegal_actions{"illegal_actions"}, illegal{"illegal"},
      outcome{"outcome"}, speed{"speed"}, seconds{"seconds"}, doubt{"doubt"};
};

// What one environment and a vector of them show alike: the spaces that they act and observe in.
template <typename Environment>
void BindSpaces(pybind11::class_<Environment>& environment) {
  environment
      .def_property_readonly(
          "action_count",
          [](const Environment& self) { return self.shape().parts->actions->size(); },
          "How many actions there are.")
      .def_property_readonly(
          "menu", [](const Environment& self) { return self.shape().parts->actions->Menu(); },
          "A line for each group of actions.")
      .def_property_readonly(
          "boxes", [](const Environment& self) { return self.shape().Boxes(); },
          "Size, low and high of each observation of numbers.");
}

// A whole number of 0 to size - 1, NumPy's whole numbers included.
int ToAction(pybind11::handle action, int size);

// The same of one of many environments' actions.
int CheckedAction(int64_t action, int position, int size);

// One row of whole numbers; of `size` of them, where that is given.
std::vector<int64_t> ToNumbers(const std::string& argument, const pybind11::array& array,
                               std::optional<int> size);

// 1 to `most`.
int CheckedCount(const std::string& argument, int value, int most);

// Gymnasium's names.
Autoreset ToAutoreset(const std::string& mode);

// The position of a workload for each of `count` environments, or none at all.
std::vector<int> CheckedWorkloads(const std::vector<int>& workload_of, int count,
                                  const EnvironmentParts& parts);

}  // namespace schedulegym
