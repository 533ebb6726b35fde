#include "env/features/ansor_layout.h"

#include <initializer_list>

namespace schedulegym {
namespace {

void Append(std::vector<std::string>& names, const std::string& prefix,
            std::initializer_list<const char*> endings) {
  for (const char* ending : endings) names.push_back(prefix + ending);
}

}  // namespace

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

}  // namespace schedulegym
