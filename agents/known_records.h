// Known records: what a store can tell an agent about a task before its search begins.
#pragma once

#include <string_view>
#include <vector>

#include "env/measure/record_store.h"

namespace schedulegym {

// Those that may be learned from and are not suspect, oldest first; of a candidate that was
// measured several times, the latest. Of this toolchain alone, since ratios of several do not
// compare; "" stands for all.
std::vector<Record> KnownRecords(const RecordStore& store, const Key& task,
                                 std::string_view toolchain = "");

}  // namespace schedulegym
