// Long runs: hostile and good candidates mixed, for any number or time.
#pragma once

namespace schedulegym {

// Runs `count` candidates, every second one good, and prints figures. Returns 0 if all outcomes are
// right and no serving process has died.
int RunMixed(int count);

// Runs for `seconds`. Returns 0 if, in addition, memory, zombies and descriptors did not grow.
int RunSoak(double seconds);

}  // namespace schedulegym
