// Thread team: the threads that a parallel kernel will use, started and set up beforehand.
#pragma once

namespace schedulegym {

// Starts them; each gets a stack of its own for handlers of faults.
void StartThreadTeam(int threads);

// Whether denormals become zero, on each of the team's threads.
void SetFlushToZero(bool on, int threads);

}  // namespace schedulegym
