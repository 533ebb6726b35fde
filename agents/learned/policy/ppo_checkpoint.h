// A network and what trains it, kept in a checkpoint and taken from it again.
#pragma once

#include <string>

#include "agents/learned/checkpoint.h"
#include "agents/learned/policy/ppo.h"

namespace schedulegym {

// "inputs 3, hidden 16-8, heads 4-2, relu, own trunks": what must be equal for weights to fit.
std::string DescribeShape(const NetworkShape& shape);

// All there is to know of it, under names that begin with `name`: shape, weights, moments, steps
// and random state.
void PutPpo(Checkpoint& checkpoint, const std::string& name, const Ppo& ppo);

// Makes `ppo` what the other one was: then both learn the same from the same, to the bit. Throws
// InputError, one line, where something is missing or of another shape, and leaves `ppo` as it was.
void ResumePpo(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo);

// The weights alone: a policy to start from.
void ReadPolicy(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo);

}  // namespace schedulegym
