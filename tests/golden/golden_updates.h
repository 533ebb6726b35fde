// GoldenUpdates: functions that rewrite golden files for `golden_test --update-golden`.
#pragma once

namespace schedulegym {

// Rewrites the files of one test; returns the program's exit status.
using GoldenUpdate = int (*)();

// Registers an update before main, to initialise a static variable. Returns true.
bool AddGoldenUpdate(GoldenUpdate update);

// Runs all updates. Returns the highest of their statuses.
int UpdateGoldenFiles();

}  // namespace schedulegym
