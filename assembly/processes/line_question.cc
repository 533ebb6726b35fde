#include "assembly/processes/line_question.h"

#include <utility>

#include "env/base/json.h"
#include "env/measure/record.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// Texts that are not UTF-8, such as a path may be, have a sign in place of what is not.
std::string TextOf(const Json& json) { return json.ToText({.replace_invalid = true}); }

Json Question(int64_t id, const char* ask) { return Json::Object({{"id", id}, {"ask", ask}}); }

Json OptionsOf(const Spec& agent) {
  Json options = Json::Object();
  for (const SpecOption& option : agent.options) {
    if (option.key == "command") continue;
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Spec>) {
            options.Set(option.key, value.ToText());
          } else {
            options.Set(option.key, value);
          }
        },
        option.value.value);
  }
  return options;
}

Json JsonOf(const KnobSpace& knobs, int dimension, const ScheduleState& state) {
  const Knob& knob = knobs.knob(dimension);
  Json meanings = Json::Array();
  for (int value = 0; value < knob.values; ++value) {
    meanings.Add(knobs.MeaningOf(dimension, value));
  }
  Json stage;
  if (knob.stage) stage = state.Names()[static_cast<size_t>(*knob.stage)];
  return Json::Object({{"name", knob.name},
                       {"kind", KnobKindName(knob.kind)},
                       {"stage", std::move(stage)},
                       {"values", knob.values},
                       {"meanings", std::move(meanings)}});
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
  Json knobs = Json::Array();
  for (int knob : tile.knobs) knobs.Add(knob < 0 ? Json() : Json(knob));
  return Json::Object({{"name", tile.name},
                       {"extent", tile.extent},
                       {"fit", FitName(tile.fit)},
                       {"knobs", std::move(knobs)},
                       {"lengths", tile.values}});
}

Json JsonOf(const Sketch& sketch) {
  const KnobSpace& space = *sketch.knobs;
  Json knobs = Json::Array(), tiles = Json::Array();
  for (int i = 0; i < space.dimensions(); ++i) knobs.Add(JsonOf(space, i, sketch.state));
  for (const KnobTile& tile : space.tiles()) tiles.Add(JsonOf(tile));
  return Json::Object({{"rules", sketch.rules},
                       {"knobs", std::move(knobs)},
                       {"tiles", std::move(tiles)},
                       {"origin", space.Origin()}});
}

Json JsonOf(const SearchTask& task, const std::vector<Sketch>& sketches) {
  const auto info = DescribeTask(*task.task);
  Json list = Json::Array();
  for (const Sketch& sketch : sketches) list.Add(JsonOf(sketch));
  return Json::Object({{"workload", info->workload},
                       {"key", info->key.ToText()},
                       {"weight", task.weight},
                       {"flops", CountFlops(task.task->dag)},
                       {"target", info->target},
                       {"dag", info->dag},
                       {"sketches", std::move(list)}});
}

void AddMeasured(const Measurement& measurement, Json& json) {
  json.Set("outcome", OutcomeName(measurement.outcome));
  if (!measurement.message.empty()) json.Set("message", measurement.message);
  if (!measurement.timing) return;
  const RatioInterval& ratio = measurement.timing->ratio;
  json.Set("seconds", measurement.timing->seconds);
  json.Set("ratio", ratio.median);
  json.Set("low", ratio.low);
  json.Set("high", ratio.high);
}

void AddTo(Json& json, const ToldSchedule& told) {
  json.Set("told", ToldName(told.trial.told));
  json.Set("key", told.trial.key.ToText());
  json.Set("sketch", told.place ? Json(told.place->sketch) : Json());
  json.Set("point", told.place ? Json(told.place->point) : Json());
  json.Set("trace", told.trial.state.TraceText());
  if (const Record* record = told.trial.record.get()) {
    json.Set("note", record->note);
    AddMeasured(record->measurement, json);
  }
}

void AddTo(Json& json, const Refusal& refusal) {
  json.Set("told", "refused");
  json.Set("field", refusal.field);
  json.Set("reason", refusal.reason);
}

}  // namespace

std::string SetupLine(int64_t id, const AgentSetup& setup,
                      std::span<const std::vector<Sketch>> sketches) {
  Json line = Question(id, "setup");
  line.Set("version", 1);
  line.Set("options", OptionsOf(setup.agent));
  line.Set("space", setup.space.ToText());
  line.Set("seed", setup.seed);
  line.Set("trials", setup.budget ? Json(setup.budget->trials) : Json());
  line.Set("seconds", setup.budget ? Json(setup.budget->seconds) : Json());
  Json tasks = Json::Array();
  for (size_t i = 0; i < setup.tasks.size(); ++i) {
    tasks.Add(JsonOf(setup.tasks[i], sketches[i]));
  }
  line.Set("tasks", std::move(tasks));
  return TextOf(line);
}

std::string ProposeLine(int64_t id, int task, int count) {
  Json line = Question(id, "propose");
  line.Set("task", task);
  line.Set("count", count);
  return TextOf(line);
}

std::string LearnLine(int64_t id, std::span<const LineTrial> trials) {
  Json line = Question(id, "learn");
  Json list = Json::Array();
  for (const LineTrial& trial : trials) {
    Json json = Json::Object({{"task", trial.task}, {"proposal", trial.proposal}});
    std::visit([&](const auto& what) { AddTo(json, what); }, trial.what);
    list.Add(std::move(json));
  }
  line.Set("trials", std::move(list));
  return TextOf(line);
}

}  // namespace schedulegym
