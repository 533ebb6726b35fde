// NetworkObservation: what an agent sees of a network's episode, as numbers; a row for each task.
#pragma once

#include <span>
#include <string>

#include "agents/network/network_episode.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// How many numbers there are of so many rows, and of each the bounds.
int NetworkObservationSize(int rows);
inline constexpr Bounds kNetworkBounds = {-1, 1};

// What the numbers are, a line for each or for a group.
std::string NetworkFeatureNames();

// Of an episode in which so many actions were taken.
void WriteNetworkObservation(const NetworkEpisode& episode, int actions, std::span<float> numbers);

}  // namespace schedulegym
