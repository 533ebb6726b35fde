// The kind of files that hold the learned state of agents.
#include "agents/learned/checkpoint_parts.h"
#include "env/base/hash.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

constexpr int kColumns = 3, kArms = 4;
constexpr std::string_view kFirstLine = "schedulegym checkpoint 1\n";

// A small checkpoint of an agent.
Checkpoint SomeCheckpoint(Rng& rng) {
  Checkpoint checkpoint;
  checkpoint.Put("kind", std::string("harl 1"));
  checkpoint.Put("features", std::string("ansor 3"));
  const auto number = [&] { return static_cast<float>(rng.Uniform() - 0.5); };
  for (int layer = 0; layer < 4; ++layer) {
    Checkpoint::Floats weights = {{1 + rng.Below(5), kColumns}, {}};
    for (int64_t i = 0; i < weights.shape[0] * kColumns; ++i) weights.values.push_back(number());
    checkpoint.Put("policy.actor." + std::to_string(layer), std::move(weights));
  }
  RunningNormaliser normaliser(kColumns);
  for (int row = 0; row < 5; ++row) {
    normaliser.Learn(std::vector<float>{number(), number(), number()});
  }
  PutNormaliser(checkpoint, "inputs", normaliser);
  SlidingWindowBandit bandit(kArms);
  for (int pull = 0; pull < 20; ++pull) bandit.Learn(bandit.Choose(), number());
  PutBandit(checkpoint, "sketches", bandit);
  PutRng(checkpoint, "rng", rng);
  return checkpoint;
}

// Changes text between the first line and the checksum, mostly with a matching checksum.
std::string ChangedCheckpoint(const std::vector<std::string>& seeds, Rng& rng) {
  std::vector<std::string> bodies;
  for (const std::string& seed : seeds) {
    const size_t end = seed.rfind("sum ");
    bodies.push_back(seed.substr(kFirstLine.size(), end - kFirstLine.size()));
  }
  std::string body = AnyOf(bodies, rng);
  if (rng.Chance(0.5)) {
    body = ChangedText(bodies, rng);
  } else {
    ChangeBytes(body, rng);
  }
  std::string bytes = std::string(kFirstLine) + body;
  if (rng.Chance(0.05)) ChangeBytes(bytes, rng);
  Hasher hasher;
  hasher.Add(bytes);
  return bytes + "sum " + (rng.Chance(0.95) ? hasher.KeyValue().ToText() : "0") + "\n";
}

void Read(const std::string& path) {
  const Checkpoint checkpoint = ReadCheckpoint(path);
  if (!(ParseCheckpoint(ToBytes(checkpoint), path) == checkpoint)) {
    throw std::logic_error("written, it reads as another checkpoint");
  }
  (void)checkpoint.Text("kind");
  (void)checkpoint.Text("features");
  RunningNormaliser normaliser = ReadNormaliser(checkpoint, "inputs", kColumns, 10);
  normaliser.Learn(std::vector<float>{1, 2, 3});
  SlidingWindowBandit bandit = ReadBandit(checkpoint, "sketches", kArms, {});
  bandit.Learn(bandit.Choose(), 1);
  (void)ReadRng(checkpoint, "rng").Next();
}

}  // namespace

FileTarget MakeCheckpointTarget() {
  FileTarget target = {.kind = "checkpoint", .suffix = ".sgp"};
  Rng rng(13);
  for (int i = 0; i < 4; ++i) target.seeds.push_back(ToBytes(SomeCheckpoint(rng)));
  target.change = ChangedCheckpoint;
  target.read = [](const std::string& path) {
    return ReadOrRefuse([&] { Read(path); }, {"does not begin with", "its checksum is not",
                                              "cannot read '" + path + "': "});
  };
  return target;
}

}  // namespace schedulegym
