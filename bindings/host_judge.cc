#include "bindings/host_judge.h"

#include <unistd.h>

#include "env/gym/measured_judge.h"

namespace schedulegym {

// Another process's measurer is let go of as it is: its threads and workers are not here.
HostJudge::~HostJudge() {
  if (measurer_ && process_ != getpid()) (void)measurer_.release();
}

std::vector<Judgement> HostJudge::Ask(std::span<const Walk* const> places) {
  const std::lock_guard lock(mutex_);
  if (measurer_ && process_ != getpid()) (void)measurer_.release();
  if (!measurer_) {
    measurer_ = make_();
    process_ = getpid();
  }
  return MeasuredJudge(*measurer_, nullptr).Ask(places);
}

}  // namespace schedulegym
