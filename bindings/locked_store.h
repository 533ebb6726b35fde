// LockedStore: a record store that several threads may use.
#pragma once

#include <memory>

#include "env/measure/store/record_store.h"

namespace schedulegym {

// One call at a time. `visit` of ForEach may not call the store.
std::shared_ptr<RecordStore> MakeLocked(std::unique_ptr<RecordStore> store);

}  // namespace schedulegym
