// OfferedSchedules: the schedules that an agent in any language offers for a task.
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
  // `task` is its position in the setup; `rng` is for draws from the space.
  OfferedSchedules(const AgentContext& context, int task, Rng rng);

  const std::vector<Sketch>& sketches() { return fresh_.sketches(); }

  // The proposals of an answer, in order: new schedules only, and only legal ones. Refused offers
  // are kept to be reported. May throw Interrupted.
  std::vector<Proposal> Take(std::span<const Offer> offers);
  // Whether the last answer requested draws when no new schedule was left.
  bool is_exhausted() const { return is_exhausted_; }
  // "proposals[2].point: found 3 values, expected 5", of the last answer's last; "" where nothing
  // was.
  std::string LastRefusal() const;

  // Adds the results for the agent: these trials, and refused offers of the last answer at their
  // positions. Without trials, the refused offers only.
  void Tell(std::span<const Trial> trials, std::vector<LineTrial>& told);

 private:
  using Made = std::variant<Proposal, Refusal>;
  // The result of an offer, or of one of the draws that it requested.
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
  // The next pending slot of this schedule; reports refused offers before it.
  const Slot* NextSlot(const Key* key, size_t& next, std::vector<LineTrial>& told) const;

  StopToken stop_;
  std::shared_ptr<const Task> task_;
  int number_;
  Rng rng_;
  FreshSchedules fresh_;
  std::map<Key, ScheduleState> heard_;  // schedules whose neighbours may be requested
  std::vector<Slot> pending_;           // of the last answer
  bool is_exhausted_ = false;
};

}  // namespace schedulegym
