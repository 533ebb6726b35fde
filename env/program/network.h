// Network: a weighted list of workloads, such as the layers of a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/base/spec.h"

namespace schedulegym {

struct WeightedWorkload {
  int64_t count = 1;  // how often the network runs it
  Spec workload;
  int line = 1;  // of the file
};

// `.net` text: lines `COUNT WORKLOAD`, # comments; no empty ones. Paths of `.dag` files are taken
// as relative to `folder`. Throws InputError as "FILE:LINE:COLUMN: ...".
std::vector<WeightedWorkload> ParseNetwork(std::string_view text, const std::string& file_name,
                                           const std::string& folder);

// The file at `path`, its paths relative to it. Throws InputError.
std::vector<WeightedWorkload> ReadNetwork(const std::string& path);

}  // namespace schedulegym
