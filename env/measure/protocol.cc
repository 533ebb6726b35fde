#include "env/measure/protocol.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Samples are stored with every record; more would not make the interval much narrower.
constexpr int kMostRounds = 128;

int Rounds(SpecReader& reader, const std::string& key, int default_value, int least) {
  const int64_t rounds = reader.Integer(key, default_value);
  if (rounds < least || rounds > kMostRounds) {
    throw InputError("protocol: " + key + "=" + std::to_string(rounds) + ", expected " +
                     std::to_string(least) + " to " + std::to_string(kMostRounds));
  }
  return static_cast<int>(rounds);
}

double Positive(SpecReader& reader, const std::string& key, double default_value) {
  const double value = reader.Number(key, default_value);
  if (!(value > 0)) {
    throw InputError("protocol: " + key + "=" + FormatDouble(value) + ", expected more than 0");
  }
  return value;
}

std::string Parameters(const Protocol& protocol) {
  return "rounds=" + std::to_string(protocol.max_rounds) +
         ", min_rounds=" + std::to_string(protocol.min_rounds) +
         ", long_rounds=" + std::to_string(protocol.long_rounds) +
         ", precision=" + FormatDouble(protocol.precision) +
         ", seconds=" + FormatDouble(protocol.max_seconds) +
         ", sample=" + FormatDouble(protocol.sample_seconds) +
         ", reject_rounds=" + std::to_string(protocol.reject_rounds) +
         ", reject_factor=" + FormatDouble(protocol.reject_factor);
}

}  // namespace

Protocol FinalProtocol() {
  Protocol protocol;
  protocol.max_rounds = 101;
  protocol.min_rounds = 101;
  protocol.max_seconds = 5.0;
  protocol.long_rounds = 15;
  protocol.reject_rounds = 0;
  return protocol;
}

Protocol MakeProtocol(const Spec& spec) {
  if (spec.name != "paired" && spec.name != "final") {
    throw InputError(UnknownName("protocol", spec.name, {"final", "paired"}));
  }
  const Protocol base = spec.name == "final" ? FinalProtocol() : Protocol();
  SpecReader reader(spec, "protocol");
  Protocol protocol = base;
  protocol.max_rounds = Rounds(reader, "rounds", base.max_rounds, 1);
  protocol.min_rounds =
      Rounds(reader, "min_rounds", std::min(base.min_rounds, protocol.max_rounds), 1);
  protocol.long_rounds =
      Rounds(reader, "long_rounds", std::min(base.long_rounds, protocol.max_rounds), 1);
  protocol.precision = Positive(reader, "precision", base.precision);
  protocol.max_seconds = Positive(reader, "seconds", base.max_seconds);
  protocol.sample_seconds = Positive(reader, "sample", base.sample_seconds);
  protocol.reject_rounds = Rounds(reader, "reject_rounds", base.reject_rounds, 0);
  protocol.reject_factor = Positive(reader, "reject_factor", base.reject_factor);
  reader.Finish();
  return protocol;
}

std::vector<ProtocolEntry> BuiltinProtocols() {
  return {
      {"paired", Parameters(Protocol()),
       "interleaved with the reference until the interval is narrow; clearly slow ones stop early"},
      {"final", Parameters(FinalProtocol()), "a fixed number of interleaved rounds, for results"},
  };
}

}  // namespace schedulegym
