#include "agents/common/fresh_agent.h"

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

int64_t ReadRetries(SpecReader& reader, const std::string& who) {
  const int64_t retries = reader.Integer("retries", 1000);
  if (retries >= 1) return retries;
  throw InputError(who + ": retries=" + std::to_string(retries) + ", expected at least 1");
}

double ReadShare(SpecReader& reader, const std::string& who, const std::string& key,
                 double default_value) {
  const double share = reader.Number(key, default_value);
  if (share >= 0 && share <= 1) return share;
  throw InputError(who + ": " + key + "=" + FormatDouble(share) + ", expected 0 to 1");
}

}  // namespace schedulegym
