// The 164 features of a stored buffer in Ansor's cost model (Zheng et al., OSDI 2020, 5.2; TVM's
// auto_scheduler/feature.cc): 16 counts of operations, 3 * 11 of annotated loops, 8 of a GPU, 5 *
// 18 of the buffers that touch most lines, 10 samples of arithmetic intensity over the work done, 4
// of the allocation and 3 of the loops around. Numbers x are written as sign(x) log2(1 + |x|).
// Reuse is as TVM has it: the distance is that of the last loop passed, and no sum.
// Cost: O(accesses * loops) a statement, and a table of loops * stages for what was touched before.
#include "env/features/ansor_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <initializer_list>

#include "env/features/buffer_entry.h"

namespace schedulegym {
namespace {

using Groups = AnsorLayout;

float Scaled(double value) { return AnsorScaled(value); }

class RowWriter {
 public:
  RowWriter(const ScheduleState& state, const LoopNest& nest, const TouchedRegions& regions,
            std::span<float> row)
      : state_(state), nest_(nest), regions_(regions), row_(row) {}

  void Write() {
    for (int i = 0; i < kOperationKinds; ++i) {
      row_[Groups::kOperations + i] = Scaled(nest_.operations.counts[i] * nest_.iterations);
    }
    WriteAnnotation(Groups::kVectorized, Annotation::kVectorize);
    WriteAnnotation(Groups::kUnrolled, Annotation::kUnroll);
    WriteAnnotation(Groups::kParallel, Annotation::kParallel);
    WriteGpu();
    WriteBuffers();
    WriteIntensity();
    WriteAllocation();
    const auto scope = row_.subspan(Groups::kOuterScope);
    scope[AnsorScopeLayout::kProduct] = Scaled(nest_.iterations);
    scope[AnsorScopeLayout::kLoops] = Scaled(static_cast<double>(nest_.loops.size()));
    const int64_t step = state_.stage(nest_.stage).auto_unroll_max_step;
    scope[AnsorScopeLayout::kUnrollStep] = Scaled(static_cast<double>(step));
  }

 private:
  void WriteAnnotation(int group, Annotation annotation) {
    double count = 0, product = 1, innermost = 0;
    for (const NestLoop& loop : nest_.loops) {
      if (loop.annotation != annotation) continue;
      ++count;
      innermost = static_cast<double>(loop.extent);
      product *= innermost;
    }
    using Place = AnsorAnnotationLayout;
    const auto places = row_.subspan(group, Place::kWidth);
    places[Place::kCount] = Scaled(count);
    places[Place::kProduct] = count > 0 ? Scaled(product) : 0;
    places[Place::kInnermost] = Scaled(innermost);
    places[Place::kPosition + (count > 0 ? Place::kMixed : Place::kNone)] = 1;
  }

  void WriteGpu() {
    constexpr Annotation kAxes[] = {
        Annotation::kBlockX,  Annotation::kBlockY,  Annotation::kBlockZ, Annotation::kThreadX,
        Annotation::kThreadY, Annotation::kThreadZ, Annotation::kVthread};
    row_[Groups::kGpu] = state_.task().target.IsGpu() ? 1 : 0;
    int place = Groups::kGpu;
    for (Annotation axis : kAxes) {
      double length = 1;
      for (const NestLoop& loop : nest_.loops) {
        if (loop.annotation == axis) length *= static_cast<double>(loop.extent);
      }
      row_[++place] = Scaled(length);
    }
  }

  void WriteBuffers() {
    std::vector<BufferEntry> entries;
    entries.reserve(nest_.accesses.size());
    const auto comes_before = [](const BufferEntry& a, const BufferEntry& b) {
      return a.lines != b.lines ? a.lines > b.lines : a.bytes > b.bytes;
    };
    for (const NestAccess& access : nest_.accesses) {
      const BufferEntry entry = EntryOf(nest_, access, regions_, state_.task().target.line_bytes);
      entries.insert(std::ranges::upper_bound(entries, entry, comes_before), entry);
    }
    const size_t count = std::min<size_t>(entries.size(), Groups::kBufferCount);
    for (size_t i = 0; i < count; ++i) {
      WriteBuffer(entries[i], row_.subspan(Groups::kBuffers + i * AnsorBufferLayout::kWidth,
                                           AnsorBufferLayout::kWidth));
    }
  }

  // Operations for each byte touched, over the operations done so far, from the innermost loop out.
  void WriteIntensity() {
    double flops = nest_.operations.Flops();
    if (flops <= 0 || nest_.loops.empty()) return;
    std::vector<std::pair<double, double>> curve;  // operations, intensity
    curve.reserve(nest_.loops.size());
    for (size_t level = nest_.loops.size(); level-- > 0;) {
      double bytes = 0;
      for (const NestAccess& access : nest_.accesses) {
        bytes += static_cast<double>(access.touched[level] * access.element_bytes);
      }
      flops *= static_cast<double>(nest_.loops[level].extent);
      curve.emplace_back(flops, flops / bytes);
    }
    size_t point = 0;
    for (int i = 0; i < Groups::kIntensitySamples; ++i) {
      const double done = flops * (i + 1) / Groups::kIntensitySamples;
      while (curve[point].first < done - 1e-4 && point + 1 < curve.size()) ++point;
      double value = curve[point].second;
      if (point > 0) {
        const auto& [begin, low] = curve[point - 1];
        const auto& [end, high] = curve[point];
        value = low + (high - low) / (end - begin) * (done - begin);
      }
      row_[Groups::kIntensity + i] = Scaled(value);
    }
  }

  void WriteAllocation() {
    if (nest_.is_parameter) return;
    using Place = AnsorAllocationLayout;
    const auto places = row_.subspan(Groups::kAllocation);
    const auto elements = static_cast<double>(nest_.stored_elements);
    const auto element_bytes = static_cast<double>(nest_.accesses[0].element_bytes);
    places[Place::kBytes] = Scaled(elements * element_bytes);
    places[Place::kProduct] = Scaled(elements * nest_.outer_iterations);
    places[Place::kOuter] = Scaled(nest_.outer_iterations);
    places[Place::kInner] = Scaled(nest_.iterations / nest_.outer_iterations);
  }

  const ScheduleState& state_;
  const LoopNest& nest_;
  const TouchedRegions& regions_;
  std::span<float> row_;
};

void Append(std::vector<std::string>& names, const std::string& prefix,
            std::initializer_list<const char*> endings) {
  for (const char* ending : endings) names.push_back(prefix + ending);
}

}  // namespace

FeatureRows AnsorFeatures(const ScheduleState& state) {
  return AnsorFeatures(state, FindLoopNests(state));
}

FeatureRows AnsorFeatures(const ScheduleState& state, const LoopNests& nests) {
  FeatureRows rows;
  rows.values.resize(nests.nests.size() * Groups::kWidth);
  TouchedRegions regions(nests.loops, state.size());
  for (const NestStep& step : nests.steps) {
    const LoopNest& nest = nests.nests[step.nest];
    if (step.initializes) {
      regions.AddInitialization(nest);
      continue;
    }
    regions.AddUpdate(nest);
    rows.stages.push_back(nest.stage);
    const auto row = std::span(rows.values).subspan(step.nest * Groups::kWidth, Groups::kWidth);
    RowWriter(state, nest, regions, row).Write();
  }
  return rows;
}

std::vector<std::string> AnsorFeatureNames() {
  std::vector<std::string> names;
  for (const char* type : {"float_", "integer_"}) {
    Append(names, type,
           {"multiply_add", "add", "multiply", "divide", "compare", "function", "call"});
  }
  Append(names, "", {"boolean", "select"});
  for (const char* annotation : {"vector.", "unroll.", "parallel."}) {
    Append(names, annotation,
           {"count", "product", "innermost", "at_none", "at_inner_spatial", "at_middle_spatial",
            "at_outer_spatial", "at_inner_reduction", "at_middle_reduction", "at_outer_reduction",
            "at_mixed"});
  }
  Append(names, "gpu.",
         {"is_gpu", "block_x", "block_y", "block_z", "thread_x", "thread_y", "thread_z",
          "virtual_threads"});
  for (int i = 0; i < AnsorLayout::kBufferCount; ++i) {
    Append(names, "buffer" + std::to_string(i) + ".",
           {"is_read", "is_write", "is_read_write", "bytes", "unique_bytes", "lines",
            "unique_lines", "reuse_in_loop", "reuse_serial", "reuse_none", "reuse_iterations",
            "reuse_bytes", "reuse_count", "bytes_per_reuse", "unique_bytes_per_reuse",
            "lines_per_reuse", "unique_lines_per_reuse", "stride"});
  }
  for (int i = 0; i < AnsorLayout::kIntensitySamples; ++i) {
    names.push_back("intensity" + std::to_string(i));
  }
  Append(names, "allocation.", {"bytes", "product", "outer", "inner"});
  Append(names, "scope.", {"product", "loops", "unroll_step"});
  return names;
}

TouchedRegions::TouchedRegions(int loops, int buffers)
    : buffers_(buffers), loops_(loops), touches_(static_cast<size_t>(loops) * buffers) {}

void TouchedRegions::AddUpdate(const LoopNest& nest) {
  for (size_t level = 0; level < nest.loops.size(); ++level) {
    for (const NestAccess& access : nest.accesses) {
      Add(nest.loops[level].id, access, static_cast<int>(level));
    }
  }
}

// The initialisation has loops of its own from the first reduction on.
void TouchedRegions::AddInitialization(const LoopNest& nest) {
  for (int level = 0; level < nest.first_reduction.value_or(0); ++level) {
    Add(nest.loops[level].id, nest.accesses[0], level);
  }
}

void TouchedRegions::Add(int loop, const NestAccess& access, int level) {
  const int64_t touched = access.touched[level];
  const auto bytes = static_cast<double>(access.element_bytes);
  loops_[loop].bytes += static_cast<double>(touched) * bytes;
  loops_[loop].element_bytes += bytes;
  Touch& touch = touches_[loop * buffers_ + access.buffer];
  if (touch.count == 0) touch.first = touched;
  touch.least = touch.count == 0 ? touched : std::min(touch.least, touched);
  ++touch.count;
}

// As Ansor has it: distances are those of the last loop passed, not sums; the iterations of a
// serial reuse are the least elements touched within the loop.
Reuse TouchedRegions::FindReuse(const LoopNest& nest, const NestAccess& access) const {
  Reuse reuse{ReuseKind::kLoopMultipleRead, 1, 0, 0};
  for (size_t level = nest.loops.size(); level-- > 0;) {
    const Loop& loop = loops_[nest.loops[level].id];
    const auto extent = static_cast<double>(nest.loops[level].extent);
    if (access.strides[level] == 0) {
      if (level + 1 == nest.loops.size()) reuse.bytes = loop.element_bytes;
      reuse.count = extent;
      return reuse;
    }
    reuse.iterations *= extent;
    reuse.bytes = loop.bytes;
    const Touch& touch = At(nest.loops[level].id, access.buffer);
    if (touch.count < 2) continue;
    return {ReuseKind::kSerialMultipleReadWrite, static_cast<double>(touch.least) / extent,
            loop.bytes / extent, static_cast<double>(touch.count - 1)};
  }
  return {};
}

std::string FeatureRows::ToText(const ScheduleState& state) const {
  const std::vector<std::string> names = AnsorFeatureNames();
  std::string text;
  for (int row = 0; row < size(); ++row) {
    text += state.stage(stages[row]).op->name + ":\n";
    for (size_t place = 0; place < names.size(); ++place) {
      const float value = Row(row)[place];
      if (value == 0) continue;
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", static_cast<double>(value));
      text += "  " + names[place] + " = " + number + "\n";
    }
  }
  return text;
}

}  // namespace schedulegym
