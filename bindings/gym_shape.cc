// How places become Python's arrays.
#include "bindings/bindings_internal.h"
#include "bindings/gym_internal.h"
#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

namespace py = pybind11;

constexpr char kText[] = "text";

std::string LoopText(const Environment& environment) {
  const Result<ScheduleState>& state = environment.episode().state();
  return state ? InferLoops(*state).ToText(*state) : "no schedule: " + state.error().message;
}

std::shared_ptr<const EnvironmentParts> WithoutMeasuring(const EnvironmentParts& parts) {
  if (!parts.has_shared_measurer()) return nullptr;
  auto rest = std::make_shared<EnvironmentParts>(parts);
  rest->measurer = nullptr;
  return rest;
}

Environment MovedTo(const std::shared_ptr<const EnvironmentParts>& parts,
                    const Environment& environment) {
  Environment moved(parts);
  const Result<void> resumed = moved.Resume(environment.ToText());
  SG_CHECK(resumed.ok(), "an environment's text leads back to it");
  return moved;
}

GymShape::GymShape(std::shared_ptr<const EnvironmentParts> parts_given, ObservationForm form_given)
    : parts(std::move(parts_given)), form(std::move(form_given)) {
  for (const std::string& name : form.names) keys.emplace_back(name);
}

py::object GymShape::Observe(const Environment& environment) const {
  if (!form.as_dict && form.names.at(0) == kText) return py::str(LoopText(environment));
  py::dict all;
  size_t next = 0;
  for (size_t i = 0; i < form.names.size(); ++i) {
    if (form.names[i] == kText) {
      all[keys[i]] = py::str(LoopText(environment));
      continue;
    }
    const int size = parts->observations[next]->size();
    py::array_t<float> numbers(size);
    environment.WriteObservation(next++, {numbers.mutable_data(), static_cast<size_t>(size)});
    if (!form.as_dict) return numbers;
    all[keys[i]] = std::move(numbers);
  }
  return all;
}

py::array_t<int8_t> GymShape::Mask(const Environment& environment) const {
  const int size = parts->actions->size();
  py::array_t<int8_t> mask(size);
  environment.WriteMask({mask.mutable_data(), static_cast<size_t>(size)});
  return mask;
}

void GymShape::AddEvaluationResult(const EvaluationResult& evaluation, py::dict& info) const {
  info[outcome] = OutcomeName(evaluation.outcome);
  info[speed] = evaluation.ok() ? py::object(py::float_(evaluation.speed.median)) : py::none();
  if (evaluation.seconds) info[seconds] = *evaluation.seconds;
  if (evaluation.doubt) info[doubt] = *evaluation.doubt;
}

std::vector<std::tuple<int, float, float>> GymShape::Boxes() const {
  std::vector<std::tuple<int, float, float>> boxes;
  for (const auto& observation : parts->observations) {
    boxes.emplace_back(observation->size(), observation->bounds().low, observation->bounds().high);
  }
  return boxes;
}

py::dict GymShape::Info(const Environment& environment, bool evaluated) const {
  py::dict info;
  info[action_mask] = Mask(environment);
  info[illegal_actions] = environment.illegal_actions();
  if (!environment.reason().empty()) info[illegal] = environment.reason();
  if (environment.evaluated() && (evaluated || environment.has_ended())) {
    AddEvaluationResult(*environment.evaluated(), info);
  }
  return info;
}

}  // namespace schedulegym
