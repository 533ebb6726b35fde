// NetworkPicture: how a search over tasks went and what may come, as a picture for people.
#pragma once

#include <string>
#include <vector>

#include "agents/schedulers/simulation/simulation.h"

namespace schedulegym {

// A network's latency over time, and whose.
struct PicturedCourse {
  std::string name;
  std::vector<CoursePoint> points;  // by time; none where the latency was never known
  double end = 0;                   // seconds
};

// What a curve may come to after so many trials; speeds are over the reference's.
struct Extrapolation {
  double trial = 1;
  double mean = 0, deviation = 0;
};

struct PicturedTask {
  std::string name;
  double share = 0;             // of the network's latency at the end
  std::vector<double> speeds;   // the best after each trial, 0 before a success
  std::vector<double> further;  // the same of what was recorded beyond; none of a live search
  std::vector<Extrapolation> extrapolation;  // by trial; none where no curve fits
};

struct NetworkView {
  std::string title;
  std::vector<PicturedCourse> courses;
  std::vector<PicturedTask> tasks;
};

// SVG: above, each course, latency by its logarithm; below, a panel for each task with its best
// speed over its trials, the fitted curve to twice as many with a band of one deviation about it,
// and in grey what would have come.
std::string NetworkPicture(const NetworkView& view);

}  // namespace schedulegym
