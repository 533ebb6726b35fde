// The text of an episode: lines "key value", then the walk's own lines.
#include "env/base/text.h"
#include "env/gym/environment.h"
#include "env/gym/episode_lines.h"

namespace schedulegym {
namespace {

constexpr std::string_view kVersion = "1";

std::vector<Judgement> ReadJudgements(EpisodeLines& lines, int count, std::string_view key) {
  std::vector<Judgement> judgements;
  for (int i = 0; i < count && !lines.fault(); ++i) {
    const std::string_view text = lines.Next(key);
    const std::optional<Judgement> judgement = ParseJudgement(text);
    if (judgement)
      judgements.push_back(*judgement);
    else
      lines.Refuse(key, text, "ok and three or four numbers, or a failure's name");
  }
  return judgements;
}

}  // namespace

std::string Environment::ToText() const {
  const std::vector<int64_t> actions(actions_.begin(), actions_.end());
  std::string text = "environment 1\nspace " + parts_->actions->Name() + "\ntask " +
                     TaskKey(task()).ToText() + "\nrng " + RngText(rng_) + "\nbegun " +
                     (walk_ ? "1" : "0") + "\n";
  if (!walk_) return text;
  text += "actions " + Join(actions, ",") + "\nillegal " + std::to_string(illegal_) + "\nended " +
          (ended_ ? "1" : "0") + "\njudgements " + std::to_string(judgements_.size()) + "\n";
  for (const Judgement& judgement : judgements_) text += "judgement " + judgement.ToText() + "\n";
  if (best_) text += "best " + best_->ToText() + "\n";
  return text + walk_->ToText();
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
    lines.Refuse("task", key, "the key of one of this environment's tasks");
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
  const int judgements = lines.Number("judgements", parts_->horizon + 1);
  judgements_ = ReadJudgements(lines, judgements, "judgement");
  if (judgements > 0) {
    const std::vector<Judgement> best = ReadJudgements(lines, 1, "best");
    if (lines.fault()) return *lines.fault();
    judged_ = judgements_.back();
    best_ = best.front();
    for (const Judgement& judgement : judgements_) {
      const JudgedStep step{paid_ ? &*paid_ : nullptr, &judgement, nullptr, false};
      if (!HoldsBack(parts_->reward, step)) paid_ = judgement;
    }
  }
  if (lines.fault()) return *lines.fault();
  auto walk = parts_->actions->Resume(parts_->tasks[task_], lines.rest());
  if (!walk) return walk.error();
  walk_ = *std::move(walk);
  return {};
}

}  // namespace schedulegym
