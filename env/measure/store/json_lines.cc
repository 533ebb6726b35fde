// Records as JSON lines. A line has its keys sorted, a version and a CRC-32 of the line without it;
// a file ends with a trailer of the count and SHA-256 of its lines. Version 1 lacks some fields,
// which may be missing. A line gives a record, a control measurement, a foreign record, a trailer,
// or a fault with its reason; records are checked (FaultOf) and keep fields that are not known.
// Lines longer than the limit are read past. Cost: O(bytes).
#include "env/measure/store/json_lines.h"

#include <zlib.h>

#include <array>
#include <cstdio>

#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/text.h"
#include "env/measure/store/json_fields_internal.h"

namespace schedulegym {
namespace {

std::string Sorted(const Json& object) { return object.ToText({.sort_keys = true}); }

std::string Seal(Json object) {
  object.Set("v", kLineVersion);
  object.Set("crc", Crc32(Sorted(object)));
  return Sorted(object);
}

Json FromTiming(const Timing& timing) {
  Json counters;
  if (timing.counters) {
    counters = Json::Object(
        {{"instructions", timing.counters->instructions}, {"cycles", timing.counters->cycles}});
  }
  return Json::Object({{"seconds", timing.seconds},
                       {"ratio", timing.ratio.median},
                       {"ratio_low", timing.ratio.low},
                       {"ratio_high", timing.ratio.high},
                       {"first_call_seconds", timing.first_call_seconds},
                       {"calls_per_sample", timing.calls_per_sample},
                       {"reference_calls_per_sample", timing.reference_calls_per_sample},
                       {"samples", timing.samples},
                       {"reference_samples", timing.reference_samples},
                       {"cpu_per_wall", timing.cpu_per_wall},
                       {"early_reject", timing.early_reject},
                       {"short_of_threads", timing.short_of_threads},
                       {"counters", std::move(counters)}});
}

Json FromSession(const MeasuringSession& session) {
  return Json::Object({{"id", FromText(session.id)},
                       {"protocol", FromText(session.protocol)},
                       {"grade", FromText(session.grade)},
                       {"probe", FromText(session.probe)},
                       {"toolchain", FromText(session.toolchain)}});
}

// All but `extra`. Without a space, a note or resources, as lines were before there were any.
Json FromRecord(const Record& record) {
  const Measurement& measurement = record.measurement;
  Json object =
      Json::Object({{"record", FromText(record.id)},
                    {"task", Json::Object({{"key", record.task->key.ToText()},
                                           {"workload", FromText(record.task->workload)},
                                           {"dag", FromText(record.task->dag)},
                                           {"target", FromText(record.task->target)}})},
                    {"trace", FromText(record.trace)},
                    {"state_key", record.state_key.ToText()},
                    {"agent", FromText(record.agent)},
                    {"seed", record.seed},
                    {"index", record.index},
                    {"host", FromText(record.host)},
                    {"started", record.started},
                    {"outcome", OutcomeName(measurement.outcome)},
                    {"message", FromText(measurement.message)},
                    {"stderr_tail", FromText(measurement.stderr_tail)},
                    {"input_seed", measurement.seed},
                    {"phases", Json::Object({{"compile", measurement.phases.compile},
                                             {"verify", measurement.phases.verify},
                                             {"measure", measurement.phases.measure}})},
                    {"timing", measurement.timing ? FromTiming(*measurement.timing) : Json()},
                    {"session", measurement.session ? FromSession(*measurement.session) : Json()},
                    {"sequence", measurement.sequence},
                    {"attempt", measurement.attempt}});
  if (!record.space.empty()) object.Set("space", FromText(record.space));
  if (!record.note.empty()) object.Set("note", FromText(record.note));
  if (!measurement.resources.empty()) {
    object.Set("resources", FromResources(measurement.resources));
  }
  return object;
}

Timing ToTiming(const Fields& fields) {
  Timing timing;
  timing.seconds = fields.Number("seconds");
  timing.ratio = {fields.Number("ratio"), fields.Number("ratio_low"), fields.Number("ratio_high")};
  timing.first_call_seconds = fields.Number("first_call_seconds");
  timing.calls_per_sample = fields.Integer("calls_per_sample");
  timing.reference_calls_per_sample = fields.Integer("reference_calls_per_sample");
  for (double sample : fields.Numbers("samples")) {
    timing.samples.push_back(static_cast<float>(sample));
  }
  for (double sample : fields.Numbers("reference_samples")) {
    timing.reference_samples.push_back(static_cast<float>(sample));
  }
  timing.cpu_per_wall = fields.Number("cpu_per_wall");
  timing.early_reject = fields.Flag("early_reject");
  timing.short_of_threads = fields.Flag("short_of_threads");
  if (const auto counters = fields.ObjectIfAny("counters")) {
    timing.counters = Counters{counters->Number("instructions"), counters->Number("cycles")};
  }
  return timing;
}

MeasuringSession ToSession(const Fields& fields) {
  return {fields.Text("id"), fields.Text("protocol"), fields.Text("grade"), fields.Text("probe"),
          fields.Text("toolchain")};
}

// Fields of version 2 may be missing.
Measurement ToMeasurement(const Fields& fields) {
  Measurement measurement;
  const std::string outcome = fields.Text("outcome");
  const std::optional<Outcome> known = ParseOutcome(outcome);
  if (!known) throw FieldError("unknown outcome '" + outcome + "'");
  measurement.outcome = *known;
  measurement.message = fields.Text("message");
  measurement.seed = fields.Unsigned("input_seed");
  const Fields phases = fields.Object("phases");
  measurement.phases = {phases.Number("compile"), phases.Number("verify"),
                        phases.Number("measure")};
  if (const auto timing = fields.ObjectIfAny("timing")) measurement.timing = ToTiming(*timing);
  if (const auto session = fields.ObjectIfAny("session")) {
    measurement.session = std::make_shared<const MeasuringSession>(ToSession(*session));
  }
  if (fields.Has("stderr_tail")) measurement.stderr_tail = fields.Text("stderr_tail");
  if (fields.Has("sequence")) measurement.sequence = fields.Integer("sequence");
  if (fields.Has("attempt")) measurement.attempt = static_cast<int>(fields.Integer("attempt"));
  if (const Json* resources = fields.value().Find("resources")) {
    measurement.resources = ToResources(*resources);
  }
  return measurement;
}

Record ToRecord(const Fields& fields) {
  Record record;
  record.id = fields.Text("record");
  const Fields task = fields.Object("task");
  record.task = std::make_shared<const TaskInfo>(
      TaskInfo{task.KeyValue("key"), task.Text("workload"), task.Text("dag"), task.Text("target")});
  record.trace = fields.Text("trace");
  record.state_key = fields.KeyValue("state_key");
  record.agent = fields.Text("agent");
  if (fields.Has("space")) record.space = fields.Text("space");
  if (fields.Has("note")) record.note = fields.Text("note");
  record.seed = fields.Unsigned("seed");
  record.index = fields.Integer("index");
  record.host = fields.Text("host");
  record.started = fields.Number("started");
  record.measurement = ToMeasurement(fields);
  const std::string fault = FaultOf(record);
  if (!fault.empty()) throw FieldError("record " + record.id + ": " + fault);
  const Json extra = FieldsBeyond(fields.value(), FromRecord(record));
  if (!extra.empty()) record.extra = Sorted(extra);
  return record;
}

ControlMeasurement ToControl(const Fields& fields) {
  ControlMeasurement control;
  control.session = std::make_shared<const MeasuringSession>(ToSession(fields.Object("session")));
  control.sequence = fields.Integer("sequence");
  control.ratio = {fields.Number("ratio"), fields.Number("low"), fields.Number("high")};
  control.good = fields.Flag("good");
  return control;
}

ForeignRecord ToForeign(const Fields& fields) {
  ForeignRecord record;
  record.id = fields.Text("id");
  record.kind = fields.Text("kind");
  record.workload = fields.Text("workload");
  record.target = fields.Text("target");
  record.configuration = fields.Text("configuration");
  record.costs = fields.Numbers("costs");
  record.error = fields.Integer("error");
  record.elapsed = fields.Number("elapsed");
  record.timestamp = fields.Number("timestamp");
  record.version = fields.Text("version");
  return record;
}

LineTrailer ToTrailer(const Fields& fields) {
  return {fields.Integer("count"), fields.Text("sha256")};
}

// One of our own.
Line ParseOwn(Json object) {
  const Fields fields(object);
  const int64_t version = fields.Integer("v");
  if (version < 1 || version > kLineVersion) {
    throw FieldError("found format " + std::to_string(version) + ", expected at most " +
                     std::to_string(kLineVersion));
  }
  const std::string crc = fields.Text("crc");
  object.Erase("crc");
  if (crc != Crc32(Sorted(object))) throw FieldError("its checksum does not match: it was changed");
  object.Erase("v");
  if (object.Has("record")) return ToRecord(fields);
  if (object.Has("sentinel")) return ToControl(fields.Object("sentinel"));
  if (object.Has("foreign")) return ToForeign(fields.Object("foreign"));
  if (object.Has("trailer")) return ToTrailer(fields.Object("trailer"));
  throw FieldError("it holds no record");
}

Line ParseChecked(std::string_view text) {
  if (const auto beyond = BeyondLimits(text)) throw FieldError(*beyond);
  Result<Json> object = ParseJson(text);
  if (!object || !object->is_object()) throw FieldError("it is no JSON object");
  if (std::optional<ForeignRecord> foreign = ParseForeign(*object)) return *std::move(foreign);
  return ParseOwn(*std::move(object));
}

}  // namespace

std::string Crc32(std::string_view bytes) {
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", static_cast<unsigned>(crc));
  return text.data();
}

std::string LineCrc(std::string_view line) {
  if (BeyondLimits(line)) return "";
  Result<Json> object = ParseJson(line);
  if (!object || !object->is_object()) return "";
  object->Erase("crc");
  return Crc32(Sorted(*object));
}

std::string ToLine(const Record& record) {
  Json object = FromRecord(record);
  if (!record.extra.empty() && !BeyondLimits(record.extra)) {
    if (const Result<Json> extra = ParseJson(record.extra)) AddFields(*extra, object);
  }
  return Seal(std::move(object));
}

std::string ToLine(const ControlMeasurement& control) {
  Json fields = Json::Object({{"session", FromSession(*control.session)},
                              {"sequence", control.sequence},
                              {"ratio", control.ratio.median},
                              {"low", control.ratio.low},
                              {"high", control.ratio.high},
                              {"good", control.good}});
  return Seal(Json::Object({{"sentinel", std::move(fields)}}));
}

std::string ToLine(const ForeignRecord& record) {
  Json fields = Json::Object({{"id", FromText(record.id)},
                              {"kind", FromText(record.kind)},
                              {"workload", FromText(record.workload)},
                              {"target", FromText(record.target)},
                              {"configuration", FromText(record.configuration)},
                              {"costs", record.costs},
                              {"error", record.error},
                              {"elapsed", record.elapsed},
                              {"timestamp", record.timestamp},
                              {"version", FromText(record.version)}});
  return Seal(Json::Object({{"foreign", std::move(fields)}}));
}

std::string ToLine(const LineTrailer& trailer) {
  Json fields = Json::Object({{"count", trailer.count}, {"sha256", trailer.sha256}});
  return Seal(Json::Object({{"trailer", std::move(fields)}}));
}

Line ParseLine(std::string_view text) {
  try {
    return ParseChecked(text);
  } catch (const FieldError& error) {
    return LineFault{error.what()};
  }
}

bool LineReader::Next() {
  using Traits = std::istream::traits_type;
  text_.clear();
  too_long_ = false;
  ended_ = false;
  std::streambuf& bytes = *in_.rdbuf();
  int next = bytes.sbumpc();
  if (next == Traits::eof()) return false;
  ++number_;
  for (; next != Traits::eof(); next = bytes.sbumpc()) {
    if (next == '\n') {
      ended_ = true;
      break;
    }
    if (text_.size() < longest_) {
      text_.push_back(static_cast<char>(next));
    } else {
      too_long_ = true;
    }
  }
  return true;
}

}  // namespace schedulegym
