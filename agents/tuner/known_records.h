// Known records: what is known of a task before an agent begins, and as what it hears of that.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "agents/trial.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// Those that may be learned from and are not suspect, oldest first; of a candidate that was
// measured several times, the latest. Of this toolchain alone, since ratios of several do not
// compare; "" stands for all.
std::vector<Record> KnownRecords(const RecordStore& store, const Key& task,
                                 std::string_view toolchain = "");

// Known trials of the run's task of that number, but for traces that are no schedules here any
// more.
std::vector<Trial> TrialsOf(std::vector<Record> records, int number,
                            const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
