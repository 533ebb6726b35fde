// Reads and writes protocols by visiting their fields once, in the order of the text: name, range
// and default stand in one place for both. Stores keep the older keys `sentinel*` of control
// measurements; either name is read, not both. `rounds` sets best_rounds, and lowers min_rounds and
// long_rounds, unless these are given. FinalProtocol takes the final_* values. Errors: InputError
// with key, value and range.
#include "env/measure/protocol.h"

#include <algorithm>
#include <string_view>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/gpu_protocol.h"

namespace schedulegym {
namespace {

// Samples are stored with every record; more would not make the interval much narrower.
constexpr int kMostRounds = 128;
constexpr int kMostCandidates = 1'000'000;
constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

// In the order of the enumerations.
std::vector<std::string> OrderNames() { return {"square", "random"}; }
std::vector<std::string> RejectNames() { return {"published", "graded"}; }
std::vector<std::string> SettleNames() { return {"interval", "cv"}; }
std::vector<std::string> IntervalNames() { return {"sign", "rank"}; }
std::vector<std::string> ControlNames() { return {"published", "tolerant"}; }

[[noreturn]] void Refuse(const std::string& key, const std::string& found,
                         const std::string& expected) {
  throw InputError("protocol: " + key + "=" + found + ", expected " + expected);
}

// Sets the fields that a spec names; the others stay as they are.
class FieldReader {
 public:
  explicit FieldReader(const Spec& spec) : reader_(spec, "protocol") {}

  void Count(const std::string& key, int& value, int least, int most) {
    const int64_t found = reader_.Integer(key, value);
    if (found < least || found > most) {
      Refuse(key, std::to_string(found), std::to_string(least) + " to " + std::to_string(most));
    }
    value = static_cast<int>(found);
  }

  void Within(const std::string& key, double& value, double least, double most) {
    value = reader_.Number(key, value);
    if (!(value >= least && value <= most)) {
      Refuse(key, FormatDouble(value), FormatDouble(least) + " to " + FormatDouble(most));
    }
  }

  void Above(const std::string& key, double& value, double bound, double most) {
    value = reader_.Number(key, value);
    if (!(value > bound && value <= most)) {
      Refuse(key, FormatDouble(value),
             "more than " + FormatDouble(bound) + " and at most " + FormatDouble(most));
    }
  }

  template <typename Rule>
  void Choice(const std::string& key, Rule& value, const std::vector<std::string>& names) {
    const std::string word = reader_.Choice(key, names[static_cast<size_t>(value)], names);
    value = static_cast<Rule>(std::find(names.begin(), names.end(), word) - names.begin());
  }

  void Flag(const std::string& key, bool& value) { value = reader_.Flag(key, value); }

  void Finish() const { reader_.Finish(); }

 private:
  SpecReader reader_;
};

// Options named after control measurements, and the keys that protocols have in stores.
constexpr std::string_view kNewKey = "control";
constexpr std::string_view kStoredKey = "sentinel";

enum class KeyNames : uint8_t { kStored, kNew };

class FieldWriter {
 public:
  explicit FieldWriter(KeyNames names) : names_(names) {}

  void Count(const std::string& key, int value, int, int) { Add(key, std::to_string(value)); }
  void Within(const std::string& key, double value, double, double) {
    Add(key, FormatDouble(value));
  }
  void Above(const std::string& key, double value, double, double) {
    Add(key, FormatDouble(value));
  }
  template <typename Rule>
  void Choice(const std::string& key, Rule value, const std::vector<std::string>& names) {
    Add(key, names[static_cast<size_t>(value)]);
  }
  void Flag(const std::string& key, bool value) { Add(key, value ? "true" : "false"); }

  std::string Text(std::string_view separator) const { return Join(fields_, separator); }

 private:
  void Add(std::string key, const std::string& value) {
    if (names_ == KeyNames::kStored && key.starts_with(kNewKey)) {
      key.replace(0, kNewKey.size(), kStoredKey);
    }
    fields_.push_back(key + "=" + value);
  }

  KeyNames names_;
  std::vector<std::string> fields_;
};

template <typename Visitor>
void VisitRounds(Visitor& visitor, Protocol& protocol) {
  visitor.Count("rounds", protocol.max_rounds, 1, kMostRounds);
}

// All other fields, in the order of the text.
template <typename Visitor>
void VisitFields(Visitor& visitor, Protocol& protocol) {
  visitor.Count("best_rounds", protocol.best_rounds, protocol.max_rounds, kMostRounds);
  visitor.Count("min_rounds", protocol.min_rounds, 1, protocol.max_rounds);
  visitor.Count("long_rounds", protocol.long_rounds, 1, protocol.max_rounds);
  visitor.Above("precision", protocol.precision, 0, 1);
  visitor.Count("settled_rounds", protocol.settled_rounds, 1, kMostRounds);
  visitor.Choice("settle", protocol.settle, SettleNames());
  visitor.Above("cv", protocol.variation, 0, 10);
  visitor.Count("cv_rounds", protocol.variation_rounds, 2, kMostRounds);
  visitor.Choice("interval", protocol.interval, IntervalNames());
  visitor.Above("seconds", protocol.max_seconds, 0, kHour);
  visitor.Within("sample", protocol.sample_seconds, 0.0001, 1);
  visitor.Count("warmup_calls", protocol.warmup_calls, 1, 1000);
  visitor.Within("warmup_seconds", protocol.warmup_seconds, 0, 10);
  visitor.Choice("order", protocol.order, OrderNames());
  visitor.Choice("reject", protocol.reject, RejectNames());
  visitor.Count("reject_rounds", protocol.reject_rounds, 0, kMostRounds);
  visitor.Above("reject_factor", protocol.reject_factor, 1, 1000);
  visitor.Count("beaten_rounds", protocol.beaten_rounds, 1, kMostRounds);
  visitor.Within("beaten_margin", protocol.beaten_margin, 0, 1);
  visitor.Count("final_rounds", protocol.final_rounds, 1, kMostRounds);
  visitor.Count("final_long_rounds", protocol.final_long_rounds, 1, kMostRounds);
  visitor.Above("final_seconds", protocol.final_seconds, 0, kHour);
  visitor.Count("final_processes", protocol.final_processes, 1, 100);
  visitor.Choice("control", protocol.control, ControlNames());
  visitor.Count("control_candidates", protocol.control_candidates, 0, kMostCandidates);
  visitor.Above("control_seconds", protocol.control_seconds, 0, kDay);
  visitor.Above("control_tolerance", protocol.control_tolerance, 0, 1);
  visitor.Above("control_drift", protocol.control_drift, 0, 1);
  visitor.Flag("flush_to_zero", protocol.flush_to_zero);
}

bool Names(const Spec& spec, const std::string& key) {
  return std::any_of(spec.options.begin(), spec.options.end(),
                     [&](const auto& option) { return option.key == key; });
}

// Options by their new keys, which errors name.
Spec WithNewKeys(Spec spec) {
  for (auto& option : spec.options) {
    if (!option.key.starts_with(kStoredKey)) continue;
    const std::string renamed = std::string(kNewKey) + option.key.substr(kStoredKey.size());
    if (Names(spec, renamed)) {
      throw InputError("protocol: found '" + renamed + "' and its old name '" + option.key +
                       "', expected one of them");
    }
    option.key = renamed;
  }
  return spec;
}

Protocol ReadProtocol(const Spec& spec, Protocol protocol) {
  FieldReader reader(WithNewKeys(spec));
  VisitRounds(reader, protocol);
  // `rounds` limits all candidates, so the best one gets no more, either.
  if (Names(spec, "rounds")) protocol.best_rounds = protocol.max_rounds;
  protocol.min_rounds = std::min(protocol.min_rounds, protocol.max_rounds);
  protocol.long_rounds = std::min(protocol.long_rounds, protocol.max_rounds);
  VisitFields(reader, protocol);
  reader.Finish();
  // Those of stores name the rule always.
  for (const char* key : {"cv", "cv_rounds"}) {
    if (Names(spec, key) && !Names(spec, "settle")) {
      throw InputError("protocol: " + std::string(key) + " belongs to settle=cv, found no settle");
    }
  }
  return protocol;
}

std::string Parameters(Protocol protocol, KeyNames names, std::string_view separator) {
  FieldWriter writer(names);
  VisitRounds(writer, protocol);
  VisitFields(writer, protocol);
  return writer.Text(separator);
}

}  // namespace

Protocol FinalProtocol(const Protocol& protocol) {
  Protocol finalist = protocol;
  finalist.max_rounds = protocol.final_rounds;
  finalist.best_rounds = protocol.final_rounds;
  finalist.min_rounds = protocol.final_rounds;
  finalist.long_rounds = std::min(protocol.final_long_rounds, protocol.final_rounds);
  finalist.max_seconds = protocol.final_seconds;
  finalist.settle = SettleRule::kInterval;
  finalist.reject_rounds = 0;
  return finalist;
}

Protocol CollectProtocol() {
  Protocol data;
  data.warmup_seconds = 0.0005;
  data.sample_seconds = 0.00025;
  data.max_rounds = 15;
  data.best_rounds = 15;
  data.min_rounds = 5;
  data.long_rounds = 5;
  data.precision = 0.02;
  data.settled_rounds = 1;
  data.max_seconds = 0.2;
  data.beaten_rounds = 5;
  return data;
}

Protocol GpuProtocol() {
  Protocol gpu;
  gpu.warmup_seconds = 0.025;
  gpu.max_rounds = 101;
  gpu.min_rounds = 11;
  gpu.long_rounds = 11;
  gpu.precision = 0.005;
  gpu.max_seconds = 0.25;
  return gpu;
}

std::string GpuProtocolText(const Protocol& protocol) {
  const Protocol gpu = protocol == Protocol() ? GpuProtocol() : protocol;
  return kGpuProtocolName + ("(" + Parameters(gpu, KeyNames::kStored, ",") + ")");
}

std::vector<std::string> OldNamesOfProtocol(const Spec& spec) {
  std::vector<std::string> lines;
  if (spec.name == "paired") lines.push_back("protocol: 'paired' is an old name of 'cpu1'");
  for (const auto& option : spec.options) {
    if (!option.key.starts_with(kStoredKey)) continue;
    lines.push_back("protocol: '" + option.key + "' is an old name of '" + std::string(kNewKey) +
                    option.key.substr(kStoredKey.size()) + "'");
  }
  return lines;
}

Protocol MakeProtocol(const Spec& spec) { return BuiltinProtocols().Find(spec)(spec); }

std::string ProtocolText(const Protocol& protocol) {
  return "cpu1(" + Parameters(protocol, KeyNames::kStored, ",") + ")";
}

Registry<ProtocolMaker> BuiltinProtocols() {
  const ProtocolMaker candidate = [](const Spec& spec) { return ReadProtocol(spec, Protocol()); };
  const auto listed = [](const Protocol& protocol) {
    return Parameters(protocol, KeyNames::kNew, ", ");
  };
  return Registry<ProtocolMaker>(
      "protocol",
      {
          {"cpu1", listed(Protocol()),
           "interleaved with the reference until the interval is narrow; clearly slow ones stop "
           "early",
           candidate},
          {"gpu1", listed(GpuProtocol()),
           "of cuda: the same by the device's events, each call with cold caches",
           [](const Spec& spec) { return ReadProtocol(spec, GpuProtocol()); }},
          {"paired", listed(Protocol()), "the older name of cpu1", candidate},
          {"final", listed(FinalProtocol()), "a fixed number of interleaved rounds, for results",
           [](const Spec& spec) { return ReadProtocol(spec, FinalProtocol()); }},
          {"collect", listed(CollectProtocol()),
           "at most fifteen rounds, for data: the interval says how well a time is known",
           [](const Spec& spec) { return ReadProtocol(spec, CollectProtocol()); }},
      });
}

}  // namespace schedulegym
