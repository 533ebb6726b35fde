// Judge: says how fast schedules are, by measuring, by a model or from a table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/gym/actions/walk.h"
#include "env/gym/evaluators/judgement.h"

namespace schedulegym {

class Judge {
 public:
  virtual ~Judge() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // One answer for each place, in order; they may be of several tasks, of those it was made for. A
  // place that is no schedule is a kInvalidSchedule. Throws MachineError where nothing can be
  // judged at all.
  virtual std::vector<Judgement> Ask(std::span<const Walk* const> places) = 0;

  // Whether many places are better asked about at once, by one thread; else threads may ask at
  // once, each about its own.
  virtual bool is_shared() const = 0;

  // How many places it works on at once: asked about more, it takes them in turn. May start what
  // judging needs.
  virtual int Width() { return 1; }

  // What Ask will be asked next, in this order: preparing may begin. Asking for something else then
  // is legal and wastes that work.
  virtual void Expect(std::span<const Walk* const> places) { (void)places; }
};

}  // namespace schedulegym
