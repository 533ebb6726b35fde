// Golden files as they are rewritten by `golden_test --update-golden`.
#pragma once

namespace schedulegym {

// Rewrites the files of one test; the program's exit status.
using GoldenUpdate = int (*)();

// Before main, for a static variable's value; true.
bool AddGoldenUpdate(GoldenUpdate update);

// Runs all updates. Returns the highest of their statuses.
int UpdateGoldenFiles();

}  // namespace schedulegym
