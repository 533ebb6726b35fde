// WorkerSide: what a worker's program does before all else.
#pragma once

namespace schedulegym {

// Of a program started as `program role parent`, the latter a process: ends with its parent,
// however that ends, and not with Ctrl-C, for the parent decides. False where it is not to go on:
// its parent is gone, or it was started by hand. `exit_code` is then set, and a person told why.
bool FollowParent(int argc, char** argv, int& exit_code);

}  // namespace schedulegym
