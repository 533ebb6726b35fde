#include "env/measure/measurer_name.h"

namespace schedulegym {

std::string MeasurerOf(const Measurement& measurement) {
  if (measurement.session == nullptr) return "host";
  const std::string& protocol = measurement.session->protocol;
  return protocol == kAnalyticalName || protocol == kTableName ? protocol : "host";
}

bool WasMeasured(const Measurement& measurement) { return MeasurerOf(measurement) == "host"; }

}  // namespace schedulegym
