#include "agents/learned/harl/open_rounds.h"

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "env/base/fault.h"
#include "env/base/memory_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Before the scores: whether it was drawn, how many are dealt, how many of the states are the best.
constexpr size_t kHead = 3;

[[noreturn]] void Refuse(const std::string& name) {
  throw InputError("the checkpoint's '" + name + "' is no round of this task");
}

// Of each state a part: its sketch and note, and its trace.
std::vector<SavedMemory> PartsOf(const HarlRound& round, const std::vector<ScoredState>& states) {
  std::vector<SavedMemory> parts;
  for (const ScoredState& one : states) {
    const HarlRound::Origin& origin = round.origins.at(one.key);
    parts.push_back({std::to_string(origin.sketch) + " " + origin.note, one.state.TraceText()});
  }
  return parts;
}

// A state of a part, whose origin the round learns.
ScoredState StateOf(const SavedMemory& part, const std::string& name,
                    const std::shared_ptr<const Task>& task, HarlRound& round, int sketches) {
  const auto [number, note] = Cut(part.kind, ' ');
  const std::optional<int64_t> sketch = ParseInteger(number);
  if (!sketch || *sketch < 0 || *sketch >= sketches) Refuse(name);
  const Result<ScheduleState> state = ReplayText(task, part.text);
  if (!state) Refuse(name);
  const Key key = StateKey(*state);
  round.origins.try_emplace(key, HarlRound::Origin{static_cast<int>(*sketch), std::string(note)});
  return {0, key, *state};
}

}  // namespace

void PutRound(Checkpoint& checkpoint, const std::string& name,
              const std::optional<HarlRound>& round) {
  if (!round) return;
  const std::vector<ScoredState> best = round->proposals.best();
  std::vector<ScoredState> all = best;
  for (ScoredState& stray : round->proposals.strays()) all.push_back(std::move(stray));
  Checkpoint::Words words;
  words.values = {round->is_drawn ? uint64_t{1} : uint64_t{0},
                  static_cast<uint64_t>(round->proposals.dealt()), best.size()};
  for (const ScoredState& one : best) words.values.push_back(std::bit_cast<uint64_t>(one.score));
  words.shape = {std::ssize(words.values)};
  checkpoint.Put(name, std::move(words));
  checkpoint.Put(name + ".states", JoinMemories(PartsOf(*round, all)));
}

std::optional<HarlRound> ReadRound(const Checkpoint& checkpoint, const std::string& name,
                                   const HarlRoundContext& context, int sketches) {
  if (!checkpoint.Has(name)) return std::nullopt;
  const std::vector<uint64_t>& words = checkpoint.WordsOf(name);
  const std::string states = name + ".states";
  const std::vector<SavedMemory> parts =
      SplitMemories(checkpoint.Text(states), "the checkpoint's '" + states + "'");
  if (words.size() < kHead || words[0] > 1 || words[1] > INT32_MAX || words[2] > parts.size() ||
      words.size() != kHead + words[2]) {
    Refuse(name);
  }
  HarlRound round = {{{}, {}, context.space, context.threads, context.stop}, {}, words[0] == 1};
  std::vector<ScoredState> best;
  std::vector<ScheduleState> strays;
  for (size_t i = 0; i < parts.size(); ++i) {
    ScoredState one = StateOf(parts[i], states, context.task, round, sketches);
    if (i >= words[2]) {
      strays.push_back(std::move(one.state));
      continue;
    }
    one.score = std::bit_cast<double>(words[kHead + i]);
    if (std::isnan(one.score)) Refuse(name);
    best.push_back(std::move(one));
  }
  round.proposals = {std::move(best), strays,       context.space,
                     context.threads, context.stop, static_cast<int>(words[1])};
  return round;
}

}  // namespace schedulegym
