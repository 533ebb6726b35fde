// RefineNote: the note of a proposal that goes on from the best schedule of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agents/droplet/better_timing.h"
#include "env/base/hash.h"

namespace schedulegym {

struct RefineNote {
  Key of;  // the state from which
  // Whether what follows is held to the time that the search before had of it, as published; else
  // it is measured anew.
  bool published = false;
  BetterRule better = {};  // what counts as better; as published, Student's test
  // The search before: by whom, and how many trials of the task; unset where that is the run's.
  std::optional<Spec> agent = {};
  std::optional<int64_t> after = {};

  // refine(of="...", mode=faithful, p=0.1, agent=random, after=300); what is as usual is left out.
  std::string ToText() const;
};

// None of any other note.
std::optional<RefineNote> ParseRefineNote(const std::string& note);

}  // namespace schedulegym
