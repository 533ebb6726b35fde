// The boards of `leaderboard` that come with the project, as `list boards` shows them.
#pragma once

#include <array>

namespace schedulegym {

struct BuiltinBoard {
  const char* name;
  const char* parameters;
  const char* description;
};

// Of experiments/leaderboard/boards, by name; a test compares both.
inline constexpr std::array<BuiltinBoard, 5> kBuiltinBoards = {{
    {"estimate", "track=model, trials=64, seeds=3",
     "ranks searches and published tuners by the analytical estimate, on shapes that each run "
     "draws"},
    {"live", "track=live, trials=64, seeds=2",
     "four searches on this machine: each trial is compiled, verified and timed"},
    {"live-tiny", "track=live, trials=4, seeds=2",
     "two searches of four trials: shows how a board of this machine works"},
    {"smoke", "track=table, trials=200, seeds=5",
     "quick, on recorded tables: shows how a board works, and ranks nothing"},
    {"tuners", "track=table, trials=200, seeds=5",
     "published tuners beside this project's searches, on three recorded tables"},
}};

}  // namespace schedulegym
