// The text of questions to line agents, and the reading of answers. An offer is a sketch with a
// point (null: any value), a number of samples, a mutation of a known key, or a trace; unknown
// fields are refused by name. Messages name the place (`proposals[2].point`), what was found (up to
// 60 letters) and what was expected. Cost: O(bytes).
#include "assembly/processes/line_question.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/measure/record.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// Bytes that are not UTF-8, as in a path, are replaced.
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

// Also writes `told`, the old name, for older agents.
void AddStatus(const char* status, Json& json) {
  json.Set("status", status);
  json.Set("told", status);
}

void AddTo(Json& json, const ReportedSchedule& told) {
  AddStatus(TrialStatusName(told.trial.told), json);
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
  AddStatus("refused", json);
  json.Set("field", refusal.field);
  json.Set("reason", refusal.reason);
}

struct FormFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr int64_t kMostSamples = 1'000'000;
const char* const kForms = "one of sketch with point, sample, mutate, trace";

std::string Shown(const Json& value) {
  constexpr size_t kMost = 60;
  const std::string text =
      value.ToText({.sort_keys = true, .ascii = true, .replace_invalid = true});
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

// A value of the answer, by the words that lead to it.
struct Place {
  std::string path;  // "proposals[2]", "" of the answer itself
  const Json& value;

  [[noreturn]] void Refuse(const std::string& expected) const {
    const std::string where = path.empty() ? "" : path + ": ";
    throw FormFault(where + "found " + Shown(value) + ", expected " + expected);
  }

  Place Member(const std::string& name) const {
    return {path.empty() ? name : path + "." + name, value[name]};
  }
  Place Element(size_t index) const {
    return {path + "[" + std::to_string(index) + "]", value[index]};
  }

  bool Has(const char* name) const { return value.Has(name); }

  // Refuses members with other names, the first one in the order of names.
  void Allow(const std::vector<std::string>& names) const {
    std::optional<std::string> unknown;
    for (const auto& [name, member] : value.members()) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      if (!unknown || name < *unknown) unknown = name;
    }
    if (!unknown) return;
    throw FormFault((path.empty() ? "" : path + ": ") + UnknownName("field", *unknown, names));
  }

  const Place& Object(const std::string& expected = "an object") const {
    if (!value.is_object()) Refuse(expected);
    return *this;
  }
  int64_t Integer(int64_t low, int64_t high) const {
    const bool too_large = value.is_unsigned() && value.As<uint64_t>() > INT64_MAX;
    if (!value.is_integer() || too_large || value.As<int64_t>() < low ||
        value.As<int64_t>() > high) {
      Refuse("a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value.As<int64_t>();
  }
  std::string Text(const std::string& expected = "a text") const {
    if (!value.is_string()) Refuse(expected);
    return value.Text();
  }
};

std::vector<std::optional<int64_t>> PointIn(const Place& list) {
  if (!list.value.is_array()) list.Refuse("a list of a whole number or null for each knob");
  std::vector<std::optional<int64_t>> point;
  for (size_t i = 0; i < list.value.size(); ++i) {
    const Place knob = list.Element(i);
    point.emplace_back();
    if (!knob.value.is_null()) point.back() = knob.Integer(0, INT32_MAX);
  }
  return point;
}

Offer OfferIn(const Place& place) {
  place.Object(kForms);
  Offer offer;
  if (place.Has("sketch")) {
    place.Allow({"sketch", "point", "note"});
    if (!place.Has("point")) place.Refuse("point beside sketch");
    offer.what =
        PointOffer{place.Member("sketch").Integer(0, INT32_MAX), PointIn(place.Member("point"))};
  } else if (place.Has("sample")) {
    place.Allow({"sample", "note"});
    offer.what = SampleOffer{place.Member("sample").Integer(1, kMostSamples)};
  } else if (place.Has("mutate")) {
    place.Allow({"mutate", "note"});
    const Place text = place.Member("mutate");
    const std::optional<Key> key = ParseKey(text.Text("a key"));
    if (!key) text.Refuse("a key, 32 hex digits");
    offer.what = MutateOffer{*key};
  } else if (place.Has("trace")) {
    place.Allow({"trace", "note"});
    offer.what = TraceOffer{place.Member("trace").Text()};
  } else {
    place.Refuse(kForms);
  }
  if (!place.Has("note")) return offer;
  const Place note = place.Member("note");
  offer.note = note.Text();
  if (!offer.note.empty() && !ParseSpec(offer.note)) note.Refuse("a spec, such as walk(step=3)");
  return offer;
}

std::vector<Offer> OffersIn(const Place& list) {
  if (!list.value.is_array()) list.Refuse("a list of proposals");
  std::vector<Offer> offers;
  for (size_t i = 0; i < list.value.size(); ++i) offers.push_back(OfferIn(list.Element(i)));
  return offers;
}

// The agent's own complaint.
[[noreturn]] void ThrowError(const Place& answer) {
  answer.Allow({"id", "error", "field"});
  std::string text = answer.Member("error").Text();
  if (answer.Has("field")) text = answer.Member("field").Text() + ": " + text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  throw FormFault(text);
}

std::vector<Offer> OffersOf(const Json& json, int64_t id, bool has_proposals) {
  const Place answer{"", json};
  answer.Object();
  if (!answer.Has("id")) answer.Refuse("an object with id " + std::to_string(id));
  if (answer.value["id"] != Json(id)) answer.Member("id").Refuse(std::to_string(id));
  if (answer.Has("error")) ThrowError(answer);
  if (!has_proposals) {
    answer.Allow({"id", "error", "field"});
    return {};
  }
  answer.Allow({"id", "proposals", "error", "field"});
  if (!answer.Has("proposals")) answer.Refuse("proposals, a list");
  return OffersIn(answer.Member("proposals"));
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

Result<std::vector<Offer>> ParseAnswer(std::string_view line, int64_t id, bool has_proposals) {
  if (const auto beyond = BeyondLimits(line)) return Error{ErrorKind::kParse, *beyond};
  const Result<Json> json = ParseJson(line);
  if (!json) {
    return Error{ErrorKind::kParse, "found " + Shown(line) +
                                        ", expected a line of JSON: what is for people goes to "
                                        "stderr"};
  }
  try {
    return OffersOf(*json, id, has_proposals);
  } catch (const FormFault& fault) {
    return Error{ErrorKind::kParse, fault.what()};
  }
}

}  // namespace schedulegym
