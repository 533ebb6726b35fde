// CgroupCpu: how the system's control groups limit this process's processor time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace schedulegym {

struct CgroupCpu {
  std::optional<double> quota_cores;  // none: no limit
  int64_t throttled = 0;              // how often all threads were stopped for having used it up
  double throttled_seconds = 0;

  bool operator==(const CgroupCpu&) const = default;
};

// Of this process's group and the groups above it that can be seen: the least quota, the most
// throttling. Both versions of control groups are known; none where neither is there.
std::optional<CgroupCpu> ReadCgroupCpu(const std::string& root = "");

}  // namespace schedulegym
