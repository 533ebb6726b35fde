// Thread team: the threads that a parallel kernel will use, started and set up beforehand.
#pragma once

namespace schedulegym {

// Starts them; each gets a stack of its own for handlers of faults.
void StartThreadTeam(int threads);

// The default floating-point mode, but for whether denormals become zero: on this thread, or on
// each of the team's.
void SetFlushToZero(bool on);
void SetFlushToZero(bool on, int threads);

}  // namespace schedulegym
