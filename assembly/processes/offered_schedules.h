// OfferedSchedules: the schedules of a task that an agent in any language asks for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "agents/agent.h"
#include "agents/common/fresh_schedules.h"
#include "assembly/processes/line_question.h"

namespace schedulegym {

class OfferedSchedules {
 public:
  // `task` is its position in the setup; the chance is that of what the space draws.
  OfferedSchedules(const AgentContext& context, int task, Rng rng);

  const std::vector<Sketch>& sketches() { return fresh_.sketches(); }

  // What can be made of an answer, in its order: nothing twice, and only what is worth measuring.
  // What is refused is kept to be told. May end with Interrupted.
  std::vector<Proposal> Take(std::span<const Offer> offers);
  // Whether the last answer asked for draws where nothing new was left.
  bool is_exhausted() const { return is_exhausted_; }
  // "proposals[2].point: found 3 values, expected 5", of the last answer's last; "" where nothing
  // was.
  std::string LastRefusal() const;

  // Adds what the agent is to hear: of these, and where they are what became of the last answer, in
  // its order also of what was refused. Without any, of that alone.
  void Tell(std::span<const Trial> trials, std::vector<LineTrial>& told);

 private:
  using Made = std::variant<Proposal, Refusal>;
  // What became of an offer, or of one of the draws that it asked for.
  struct Slot {
    int proposal = 0;
    Made made;
    std::optional<SketchPoint> place;  // where it was named so
  };

  void Add(int proposal, const Offer& offer);
  Made Make(const PointOffer& offer);
  Made Make(const MutateOffer& offer);
  Made Make(const TraceOffer& offer);
  Made MakeDraw();
  Made Claimed(const char* field, Result<ScheduleState> state);
  std::optional<SketchPoint> PlaceOf(const ScheduleState& state);
  // Of the pending slots the next that is this schedule's; tells of those refused before it.
  const Slot* NextSlot(const Key* key, size_t& next, std::vector<LineTrial>& told) const;

  StopToken stop_;
  std::shared_ptr<const Task> task_;
  int number_;
  Rng rng_;
  FreshSchedules fresh_;
  std::map<Key, ScheduleState> heard_;  // whose neighbours may be asked for
  std::vector<Slot> pending_;           // of the last answer
  bool is_exhausted_ = false;
};

}  // namespace schedulegym
