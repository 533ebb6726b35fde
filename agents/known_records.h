// Known records: what a store can tell an agent about a task before its search begins.
#pragma once

#include <vector>

#include "env/measure/record_store.h"

namespace schedulegym {

// Those that may be learned from and are not suspect, oldest first; of a candidate that was
// measured several times, the latest.
std::vector<Record> KnownRecords(const RecordStore& store, const Key& task);

}  // namespace schedulegym
