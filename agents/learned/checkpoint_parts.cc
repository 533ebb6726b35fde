#include "agents/learned/checkpoint_parts.h"

#include <algorithm>
#include <utility>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(const std::string& name, const std::string& why) {
  throw InputError("the checkpoint's '" + name + "' " + why);
}

}  // namespace

void PutRng(Checkpoint& checkpoint, const std::string& name, const Rng& rng) {
  const Rng::State& state = rng.state();
  checkpoint.Put(name, Checkpoint::Words{{std::ssize(state)}, {state.begin(), state.end()}});
}

Rng ReadRng(const Checkpoint& checkpoint, const std::string& name) {
  const std::vector<uint64_t>& words = checkpoint.WordsOf(name);
  Rng::State state;
  if (words.size() != state.size()) {
    Refuse(name, "is " + std::to_string(words.size()) + " words, expected 4");
  }
  std::copy(words.begin(), words.end(), state.begin());
  if (state == Rng::State{}) Refuse(name, "is all zeros, from which nothing can be drawn");
  return Rng(state);
}

void PutNormaliser(Checkpoint& checkpoint, const std::string& name,
                   const RunningNormaliser& normaliser) {
  const RunningNormaliser::State& state = normaliser.state();
  const std::vector<int64_t> shape = {normaliser.columns()};
  checkpoint.Put(name + ".rows", Checkpoint::Words{{1}, {static_cast<uint64_t>(state.rows)}});
  checkpoint.Put(name + ".means", Checkpoint::Doubles{shape, state.means});
  checkpoint.Put(name + ".squares", Checkpoint::Doubles{shape, state.squares});
}

RunningNormaliser ReadNormaliser(const Checkpoint& checkpoint, const std::string& name, int columns,
                                 double limit) {
  const std::vector<uint64_t>& rows = checkpoint.WordsOf(name + ".rows");
  if (rows.size() != 1 || rows[0] > uint64_t{1} << 62) Refuse(name + ".rows", "is no count");
  RunningNormaliser::State state = {static_cast<int64_t>(rows[0]),
                                    checkpoint.DoublesOf(name + ".means", {columns}).values,
                                    checkpoint.DoublesOf(name + ".squares", {columns}).values};
  const auto is_negative = [](double square) { return square < 0; };
  if (std::any_of(state.squares.begin(), state.squares.end(), is_negative)) {
    Refuse(name + ".squares", "has a sum of squares below 0");
  }
  return RunningNormaliser(std::move(state), limit);
}

void PutBandit(Checkpoint& checkpoint, const std::string& name, const SlidingWindowBandit& bandit) {
  Checkpoint::Words arms = {{std::ssize(bandit.pulls())}, {}};
  Checkpoint::Doubles rewards = {arms.shape, {}};
  for (const ArmPull& pull : bandit.pulls()) {
    arms.values.push_back(static_cast<uint64_t>(pull.arm));
    rewards.values.push_back(pull.reward);
  }
  checkpoint.Put(name + ".arms", std::move(arms));
  checkpoint.Put(name + ".rewards", std::move(rewards));
}

SlidingWindowBandit ReadBandit(const Checkpoint& checkpoint, const std::string& name, int arms,
                               const SlidingWindowOptions& options) {
  const std::vector<uint64_t>& pulled = checkpoint.WordsOf(name + ".arms");
  const std::vector<double>& rewards =
      checkpoint.DoublesOf(name + ".rewards", {std::ssize(pulled)}).values;
  SlidingWindowBandit bandit(arms, options);
  for (size_t i = 0; i < pulled.size(); ++i) {
    if (pulled[i] >= static_cast<uint64_t>(arms)) {
      Refuse(name + ".arms",
             "has arm " + std::to_string(pulled[i]) + ", expected below " + std::to_string(arms));
    }
    bandit.Learn(static_cast<int>(pulled[i]), rewards[i]);
  }
  return bandit;
}

}  // namespace schedulegym
