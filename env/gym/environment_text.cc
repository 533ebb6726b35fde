// The text of an episode: lines "key value", then the walk's own lines.
#include "env/base/text.h"
#include "env/gym/environment.h"
#include "env/gym/episode_lines.h"

namespace schedulegym {
namespace {

constexpr std::string_view kVersion = "1";

std::vector<EvaluationResult> ReadEvaluationResults(EpisodeLines& lines, int count,
                                                    std::string_view key) {
  std::vector<EvaluationResult> evaluations;
  for (int i = 0; i < count && !lines.fault(); ++i) {
    const std::string_view text = lines.Next(key);
    const std::optional<EvaluationResult> evaluation = ParseEvaluationResult(text);
    if (evaluation)
      evaluations.push_back(*evaluation);
    else
      lines.Refuse(key, text, "ok and three or four numbers, or a failure's name");
  }
  return evaluations;
}

}  // namespace

std::string Environment::ToText() const {
  const std::vector<int64_t> actions(actions_.begin(), actions_.end());
  std::string text = "environment 1\nspace " + parts_->actions->Name() + "\ntask " +
                     TaskKey(task()).ToText() + "\nrng " + RngText(rng_) + "\nbegun " +
                     (episode_ ? "1" : "0") + "\n";
  if (!episode_) return text;
  text += "actions " + Join(actions, ",") + "\nillegal " + std::to_string(illegal_) + "\nended " +
          (ended_ ? "1" : "0") + "\njudgements " + std::to_string(evaluations_.size()) + "\n";
  for (const EvaluationResult& evaluation : evaluations_)
    text += "judgement " + evaluation.ToText() + "\n";
  if (best_) text += "best " + best_->ToText() + "\n";
  return text + episode_->ToText();
}

Result<void> Environment::Resume(std::string_view text) {
  EpisodeLines lines(text);
  const std::string_view version = lines.Next("environment");
  if (version != kVersion) lines.Refuse("environment", version, std::string(kVersion));
  const std::string_view space = lines.Next("space");
  if (space != parts_->actions->Name()) lines.Refuse("space", space, parts_->actions->Name());
  const std::string_view key = lines.Next("task");
  const auto count = static_cast<int>(parts_->tasks.size());
  Environment resumed(parts_);
  while (resumed.task_ < count && TaskKey(resumed.task()).ToText() != key) ++resumed.task_;
  if (resumed.task_ == count) {
    lines.Refuse("task", key,
                 "the key of one of this environment's tasks: the text is of another task");
  }
  const std::string_view words = lines.Next("rng");
  const std::optional<Rng> rng = ParseRng(words);
  if (!rng) lines.Refuse("rng", words, "four numbers");
  const bool begun = lines.Number("begun", 1) == 1;
  if (lines.fault()) return *lines.fault();
  resumed.rng_ = *rng;
  if (begun) {
    if (auto read = resumed.ResumeEpisode(lines); !read) return read;
  }
  *this = std::move(resumed);
  return {};
}

Result<void> Environment::ResumeEpisode(EpisodeLines& lines) {
  actions_ = ReadActions(lines, parts_->actions->size(), parts_->horizon);
  illegal_ = lines.Number("illegal", parts_->horizon);
  ended_ = lines.Number("ended", 1) == 1;
  const int evaluations = lines.Number("judgements", parts_->horizon + 1);
  evaluations_ = ReadEvaluationResults(lines, evaluations, "judgement");
  if (evaluations > 0) {
    const std::vector<EvaluationResult> best = ReadEvaluationResults(lines, 1, "best");
    if (lines.fault()) return *lines.fault();
    evaluated_ = evaluations_.back();
    best_ = best.front();
    for (const EvaluationResult& evaluation : evaluations_) {
      const EvaluatedStep step{paid_ ? &*paid_ : nullptr, &evaluation, nullptr, false};
      if (!HoldsBack(parts_->reward, step)) paid_ = evaluation;
    }
  }
  if (lines.fault()) return *lines.fault();
  auto episode = parts_->actions->Resume(parts_->tasks[task_], lines.rest());
  if (!episode) return episode.error();
  episode_ = *std::move(episode);
  return {};
}

}  // namespace schedulegym
