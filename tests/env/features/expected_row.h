// ExpectedRow: a row of Ansor's features, by the names of its numbers, before scaling.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/features/ansor_features.h"

namespace schedulegym {

// Computed by hand; numbers that are not set must be zero.
struct ExpectedBuffer {
  std::string access;  // "is_read", "is_write", "is_read_write"
  double bytes = 0, unique_bytes = 0, lines = 0, unique_lines = 0;
  double stride = 0;
  std::string reuse = "reuse_none";  // "reuse_in_loop", "reuse_serial"
  double reuse_iterations = 0, reuse_bytes = 0, reuse_count = 0;
};

class ExpectedRow {
 public:
  ExpectedRow() : names_(AnsorFeatureNames()), values_(names_.size()) {
    for (const char* axis :
         {"block_x", "block_y", "block_z", "thread_x", "thread_y", "thread_z", "virtual_threads"}) {
      Set(std::string("gpu.") + axis, 1);
    }
  }

  ExpectedRow& Set(const std::string& name, double value) {
    values_[Find(name)] = std::log2(1 + value);
    return *this;
  }
  ExpectedRow& Flag(const std::string& name) {
    values_[Find(name)] = 1;
    return *this;
  }
  // The numbers of a group whose annotation some loops carry.
  ExpectedRow& Annotated(const std::string& group, double count, double product, double innermost) {
    Set(group + ".count", count).Set(group + ".product", product);
    return Set(group + ".innermost", innermost).Flag(group + ".at_mixed");
  }
  ExpectedRow& Plain(const std::string& group) { return Flag(group + ".at_none"); }
  ExpectedRow& Buffer(int position, const ExpectedBuffer& buffer) {
    const std::string prefix = "buffer" + std::to_string(position) + ".";
    const double share = buffer.reuse_count > 0 ? 1 / buffer.reuse_count : 2;
    Flag(prefix + buffer.access).Flag(prefix + buffer.reuse);
    SetWithShare(prefix + "bytes", buffer.bytes, share);
    SetWithShare(prefix + "unique_bytes", buffer.unique_bytes, share);
    SetWithShare(prefix + "lines", buffer.lines, share);
    SetWithShare(prefix + "unique_lines", buffer.unique_lines, share);
    Set(prefix + "reuse_iterations", buffer.reuse_iterations);
    Set(prefix + "reuse_bytes", buffer.reuse_bytes).Set(prefix + "reuse_count", buffer.reuse_count);
    return Set(prefix + "stride", buffer.stride);
  }
  // Ten samples of the curve through points of operations and bytes, innermost loop first.
  ExpectedRow& Intensity(const std::vector<std::pair<double, double>>& points) {
    for (int i = 0; i < 10; ++i) {
      const double done = points.back().first * (i + 1) / 10;
      size_t end = 0;
      while (points[end].first < done - 1e-6) ++end;
      const auto value = [&](size_t p) { return points[p].first / points[p].second; };
      double sample = value(end);
      if (end > 0) {
        const double way =
            (done - points[end - 1].first) / (points[end].first - points[end - 1].first);
        sample = value(end - 1) * (1 - way) + value(end) * way;
      }
      Set("intensity" + std::to_string(i), sample);
    }
    return *this;
  }
  ExpectedRow& Allocation(double bytes, double product, double outer, double inner) {
    Set("allocation.bytes", bytes).Set("allocation.product", product);
    return Set("allocation.outer", outer).Set("allocation.inner", inner);
  }
  ExpectedRow& Scope(double product, double loops, double unroll_step = 0) {
    Set("scope.product", product).Set("scope.loops", loops);
    return Set("scope.unroll_step", unroll_step);
  }

  void Check(std::span<const float> row) const {
    ASSERT_EQ(row.size(), names_.size());
    for (size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], values_[i], 1e-4) << names_[i];
  }

 private:
  size_t Find(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    EXPECT_NE(at, names_.end()) << name;
    return static_cast<size_t>(at - names_.begin());
  }
  void SetWithShare(const std::string& name, double value, double share) {
    Set(name, value).Set(name + "_per_reuse", value * share);
  }

  std::vector<std::string> names_;
  std::vector<double> values_;
};

}  // namespace schedulegym
