// Long runs: hostile and good candidates mixed, for as many or as long as one likes.
#pragma once

namespace schedulegym {

// So many candidates, every second one good; 0 when all outcomes are right and no process that
// serves them has died. Prints figures.
int RunMixed(int count);

// For so many seconds; 0 when beside that memory, zombies and descriptors did not grow.
int RunSoak(double seconds);

}  // namespace schedulegym
