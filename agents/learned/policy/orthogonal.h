// Orthogonal starting weights: a layer neither blows up nor loses what it is given.
#pragma once

#include "env/base/rng.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// [rows, columns] floats; rows, or columns where they are fewer, are of length `gain` and
// orthogonal to one another, of a uniformly drawn rotation (Saxe, McClelland and Ganguli, ICLR
// 2014).
at::Tensor OrthogonalWeights(int rows, int columns, double gain, Rng& rng);

}  // namespace schedulegym
