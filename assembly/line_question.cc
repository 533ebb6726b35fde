#include "assembly/line_question.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "env/measure/record.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

using Json = nlohmann::ordered_json;

// Texts that are not UTF-8, such as a path may be, have a sign in place of what is not.
std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

Json Question(int64_t id, const char* ask) { return {{"id", id}, {"ask", ask}}; }

template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json OptionsOf(const Spec& agent) {
  Json options = Json::object();
  for (const SpecOption& option : agent.options) {
    if (option.key == "command") continue;
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Spec>) {
            options[option.key] = value.ToText();
          } else {
            options[option.key] = value;
          }
        },
        option.value.value);
  }
  return options;
}

Json JsonOf(const KnobSpace& knobs, int dimension, const ScheduleState& state) {
  const Knob& knob = knobs.knob(dimension);
  Json meanings = Json::array();
  for (int value = 0; value < knob.values; ++value) {
    meanings.push_back(knobs.MeaningOf(dimension, value));
  }
  return {{"name", knob.name},
          {"kind", KnobKindName(knob.kind)},
          {"stage", knob.stage ? Json(state.Names()[static_cast<size_t>(*knob.stage)]) : Json()},
          {"values", knob.values},
          {"meanings", std::move(meanings)}};
}

const char* FitName(LengthsFit fit) {
  switch (fit) {
    case LengthsFit::kDivide: return "divide";
    case LengthsFit::kWithin: return "within";
    case LengthsFit::kAny: return "any";
  }
  return "any";
}

Json JsonOf(const KnobTile& tile) {
  Json knobs = Json::array();
  for (int knob : tile.knobs) knobs.push_back(knob < 0 ? Json() : Json(knob));
  return {{"name", tile.name},
          {"extent", tile.extent},
          {"fit", FitName(tile.fit)},
          {"knobs", std::move(knobs)},
          {"lengths", tile.values}};
}

Json JsonOf(const Sketch& sketch) {
  const KnobSpace& space = *sketch.knobs;
  Json knobs = Json::array(), tiles = Json::array();
  for (int i = 0; i < space.dimensions(); ++i) knobs.push_back(JsonOf(space, i, sketch.state));
  for (const KnobTile& tile : space.tiles()) tiles.push_back(JsonOf(tile));
  return {{"rules", sketch.rules},
          {"knobs", std::move(knobs)},
          {"tiles", std::move(tiles)},
          {"origin", space.Origin()}};
}

Json JsonOf(const SearchTask& task, const std::vector<Sketch>& sketches) {
  const auto info = DescribeTask(*task.task);
  Json list = Json::array();
  for (const Sketch& sketch : sketches) list.push_back(JsonOf(sketch));
  return {{"workload", info->workload}, {"key", info->key.ToText()},
          {"weight", task.weight},      {"flops", CountFlops(task.task->dag)},
          {"target", info->target},     {"dag", info->dag},
          {"sketches", std::move(list)}};
}

void AddMeasured(const Measurement& measurement, Json& json) {
  json["outcome"] = OutcomeName(measurement.outcome);
  if (!measurement.message.empty()) json["message"] = measurement.message;
  if (!measurement.timing) return;
  const RatioInterval& ratio = measurement.timing->ratio;
  json["seconds"] = measurement.timing->seconds;
  json["ratio"] = ratio.median;
  json["low"] = ratio.low;
  json["high"] = ratio.high;
}

void AddTo(Json& json, const ToldSchedule& told) {
  json["told"] = ToldName(told.trial.told);
  json["key"] = told.trial.key.ToText();
  json["sketch"] = told.place ? Json(told.place->sketch) : Json();
  json["point"] = told.place ? Json(told.place->point) : Json();
  json["trace"] = told.trial.state.TraceText();
  if (const Record* record = told.trial.record.get()) {
    json["note"] = record->note;
    AddMeasured(record->measurement, json);
  }
}

void AddTo(Json& json, const Refusal& refusal) {
  json["told"] = "refused";
  json["field"] = refusal.field;
  json["reason"] = refusal.reason;
}

}  // namespace

std::string SetupLine(int64_t id, const AgentSetup& setup,
                      std::span<const std::vector<Sketch>> sketches) {
  Json line = Question(id, "setup");
  line["version"] = 1;
  line["options"] = OptionsOf(setup.agent);
  line["space"] = setup.space.ToText();
  line["seed"] = setup.seed;
  line["trials"] = setup.budget ? Json(setup.budget->trials) : Json();
  line["seconds"] = setup.budget ? OrNull(setup.budget->seconds) : Json();
  Json tasks = Json::array();
  for (size_t i = 0; i < setup.tasks.size(); ++i) {
    tasks.push_back(JsonOf(setup.tasks[i], sketches[i]));
  }
  line["tasks"] = std::move(tasks);
  return TextOf(line);
}

std::string ProposeLine(int64_t id, int task, int count) {
  Json line = Question(id, "propose");
  line["task"] = task;
  line["count"] = count;
  return TextOf(line);
}

std::string LearnLine(int64_t id, std::span<const LineTrial> trials) {
  Json line = Question(id, "learn");
  Json list = Json::array();
  for (const LineTrial& trial : trials) {
    Json json = {{"task", trial.task}, {"proposal", OrNull(trial.proposal)}};
    std::visit([&](const auto& what) { AddTo(json, what); }, trial.what);
    list.push_back(std::move(json));
  }
  line["trials"] = std::move(list);
  return TextOf(line);
}

}  // namespace schedulegym
