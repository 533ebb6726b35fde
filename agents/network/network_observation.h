// NetworkObservation: the observation of a network's episode, a row for each task.
#pragma once

#include <span>
#include <string>

#include "agents/network/network_episode.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Size and bounds of an observation with `rows` rows.
int NetworkObservationSize(int rows);
inline constexpr Bounds kNetworkBounds = {-1, 1};

// Meanings of the numbers, a line for each or for a group.
std::string NetworkFeatureNames();

// Writes the observation of an episode after `actions` actions.
void WriteNetworkObservation(const NetworkEpisode& episode, int actions, std::span<float> numbers);

}  // namespace schedulegym
