#include "env/measure/measurement.h"

namespace schedulegym {
namespace {

bool SameSession(const std::shared_ptr<const MeasuringSession>& a,
                 const std::shared_ptr<const MeasuringSession>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

bool operator==(const Measurement& a, const Measurement& b) {
  return a.outcome == b.outcome && a.message == b.message && a.stderr_tail == b.stderr_tail &&
         a.seed == b.seed && a.timing == b.timing && a.phases == b.phases &&
         SameSession(a.session, b.session) && a.sequence == b.sequence && a.attempt == b.attempt &&
         a.resources == b.resources;
}

std::string MeasurerOf(const Measurement& measurement) {
  if (measurement.session == nullptr) return "host";
  const std::string& protocol = measurement.session->protocol;
  for (const char* name : {kAnalyticalName, kTableName, kModelName}) {
    if (protocol == name) return name;
  }
  return "host";
}

bool WasMeasured(const Measurement& measurement) { return MeasurerOf(measurement) == "host"; }

}  // namespace schedulegym
