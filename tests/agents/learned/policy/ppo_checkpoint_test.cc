#include "agents/learned/policy/ppo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/base/fault.h"
#include "tests/agents/learned/policy/ppo_samples.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

Checkpoint Kept(const Ppo& ppo) {
  Checkpoint checkpoint;
  PutPpo(checkpoint, "policy", ppo);
  return checkpoint;
}

// A policy after training.
Ppo Trained() {
  Ppo ppo(SampleShape(), {.batch = 16}, Rng(1));
  for (uint64_t round = 0; round < 3; ++round) ppo.Learn(SomeSamples(40, round));
  return ppo;
}

TEST(PpoCheckpointTest, ResumingEqualsGoingOn) {
  Ppo first = Trained();
  const Checkpoint kept = ParseCheckpoint(ToBytes(Kept(first)), "a");
  Ppo resumed(SampleShape(), {.batch = 16}, Rng(99));
  ResumePpo(kept, "policy", resumed);
  for (uint64_t round = 3; round < 6; ++round) {
    first.Learn(SomeSamples(40, round));
    resumed.Learn(SomeSamples(40, round));
  }
  EXPECT_EQ(ToBytes(Kept(first)), ToBytes(Kept(resumed)));
}

TEST(PpoCheckpointTest, EverythingIsKept) {
  const Ppo trained = Trained();
  Ppo other(SampleShape(), {}, Rng(99));
  EXPECT_NE(ToBytes(Kept(trained)), ToBytes(Kept(other)));
  ResumePpo(Kept(trained), "policy", other);
  EXPECT_EQ(ToBytes(Kept(trained)), ToBytes(Kept(other)));
}

TEST(PpoCheckpointTest, APolicyIsTheWeightsAlone) {
  const Ppo trained = Trained();
  Ppo other(SampleShape(), {}, Rng(99));
  ReadPolicy(Kept(trained), "policy", other);
  const PolicySamples samples = SomeSamples(4, 1);
  EXPECT_EQ(other.network().Values(samples.rows), trained.network().Values(samples.rows));
  EXPECT_EQ(other.actor().steps(), 0);
  EXPECT_NE(other.rng().state(), trained.rng().state());
}

TEST(PpoCheckpointTest, ShapesAreSaid) {
  NetworkShape shape = SampleShape();
  EXPECT_EQ(DescribeShape(shape), "inputs 2, hidden 8, heads 3-2, relu, own trunks");
  shape.hidden = {16, 4};
  shape.activation = Activation::kTanh;
  shape.shared_trunk = true;
  EXPECT_EQ(DescribeShape(shape), "inputs 2, hidden 16-4, heads 3-2, tanh, one trunk");
}

template <typename Read>
std::string Refusal(const Read& read) {
  try {
    read();
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(PpoCheckpointTest, AnotherNetworkIsRefused) {
  NetworkShape shape = SampleShape();
  shape.hidden = {9};
  Ppo other(shape, {}, Rng(1));
  const std::string said = Refusal([&] { ResumePpo(Kept(Trained()), "policy", other); });
  EXPECT_THAT(said, HasSubstr("found inputs 2, hidden 8, heads 3-2, relu, own trunks, expected"));
  EXPECT_THAT(Refusal([&] { ReadPolicy(Kept(Trained()), "policy", other); }),
              HasSubstr("hidden 9"));
  EXPECT_THAT(Refusal([&] { ReadPolicy(Kept(Trained()), "actor", other); }),
              HasSubstr("has no 'actor.shape'"));
}

// A step with them could give a number that is not finite, which no checkpoint may hold.
TEST(PpoCheckpointTest, MomentsThatNoGradientsLeaveAreRefused) {
  const Checkpoint whole = Kept(Trained());
  for (const auto& [bent, value] :
       {std::pair("policy.actor.first.0", 1e30F), std::pair("policy.critic.second.1", -1e-30F)}) {
    Checkpoint checkpoint;
    for (auto [name, entry] : whole.entries()) {
      if (name == bent) std::get<Checkpoint::Floats>(entry).values.at(1) = value;
      checkpoint.Put(name, std::move(entry));
    }
    Ppo other(SampleShape(), {}, Rng(99));
    EXPECT_THAT(Refusal([&] { ResumePpo(checkpoint, "policy", other); }),
                HasSubstr("are no moments of gradients"))
        << bent;
  }
}

// For each entry: missing, or with numbers of another size.
TEST(PpoCheckpointTest, WhatIsIncompleteLeavesAllAsItWas) {
  const Checkpoint whole = Kept(Trained());
  Ppo other(SampleShape(), {}, Rng(99));
  const std::string before = ToBytes(Kept(other));
  for (const auto& [missing, unused] : whole.entries()) {
    Checkpoint part, bent;
    for (const auto& [name, entry] : whole.entries()) {
      const bool is_numbers = std::holds_alternative<Checkpoint::Floats>(entry);
      if (name != missing) part.Put(name, entry);
      if (name != missing || !is_numbers) bent.Put(name, entry);
      if (name == missing && is_numbers) bent.Put(name, Checkpoint::Floats{{1, 1, 1}, {7}});
    }
    EXPECT_NE(Refusal([&] { ResumePpo(part, "policy", other); }), "") << missing;
    EXPECT_EQ(ToBytes(Kept(other)), before) << missing;
    if (!(bent == whole)) {
      EXPECT_NE(Refusal([&] { ResumePpo(bent, "policy", other); }), "") << missing;
      EXPECT_EQ(ToBytes(Kept(other)), before) << missing;
    }
  }
}

}  // namespace
}  // namespace schedulegym
