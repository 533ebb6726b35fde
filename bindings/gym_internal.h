// Gym bindings: shared helpers of the environments, and conversion of states to Python's arrays.
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

// Return types of one environment's reset() and step() in Python.
using Viewed = pybind11::typing::Tuple<pybind11::object, pybind11::dict>;
using Stepped = pybind11::typing::Tuple<pybind11::object, double, bool, bool, pybind11::dict>;

// The observations to return, and whether as a dict by name.
struct ObservationForm {
  ObservationForm(std::vector<std::string> names_given, bool as_dict_given)
      : names(std::move(names_given)), as_dict(as_dict_given) {}

  std::vector<std::string> names;
  bool as_dict = false;
};

// Adds the properties that both kinds of environments share in Python.
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

// The loop nests of the current schedule, or why there are none.
std::string LoopText(const Environment& environment);

// The same parts without the measurer, to read states only; null if no measurer is shared.
std::shared_ptr<const EnvironmentParts> WithoutMeasuring(const EnvironmentParts& parts);
// A copy of the environment, in the same state, made of these parts.
Environment MovedTo(const std::shared_ptr<const EnvironmentParts>& parts,
                    const Environment& environment);

// State that an environment and its forks share: everything but the episode.
struct GymShape {
  GymShape(std::shared_ptr<const EnvironmentParts> parts_given, ObservationForm form_given);

  // Fresh arrays.
  pybind11::object Observe(const Environment& environment) const;
  pybind11::array_t<int8_t> Mask(const Environment& environment) const;
  // Contains the evaluation of this step, or the last one if the episode has ended.
  pybind11::dict Info(const Environment& environment, bool evaluated) const;
  void AddEvaluationResult(const EvaluationResult& evaluation, pybind11::dict& info) const;
  // Size, low and high of each observation of numbers.
  std::vector<std::tuple<int, float, float>> Boxes() const;

  std::shared_ptr<const EnvironmentParts> parts;
  ObservationForm form;
  std::vector<pybind11::str> keys;  // of the form's names
  // Keys of infos, made once: a new text at each step would cost more than the rest of it.
  pybind11::str action_mask{"action_mask"}, illegal_actions{"illegal_actions"}, illegal{"illegal"},
      outcome{"outcome"}, speed{"speed"}, seconds{"seconds"}, doubt{"doubt"};
};

// Adds the action and observation spaces, which one environment and a vector of them share.
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

// Converts a whole number from 0 to size - 1, NumPy's whole numbers included.
int ToAction(pybind11::handle action, int size);

// The same for the action at `position` of many environments.
int CheckedAction(int64_t action, int position, int size);

// Reads one row of whole numbers; it must have `size` of them if that is given.
std::vector<int64_t> ToNumbers(const std::string& argument, const pybind11::array& array,
                               std::optional<int> size);

// Returns `value` if it is 1 to `most`.
int CheckedCount(const std::string& argument, int value, int most);

// Parses Gymnasium's names of the modes.
Autoreset ToAutoreset(const std::string& mode);

// Checks positions of workloads: one for each of `count` environments, or none at all.
std::vector<int> CheckedWorkloads(const std::vector<int>& workload_of, int count,
                                  const EnvironmentParts& parts);

}  // namespace schedulegym
