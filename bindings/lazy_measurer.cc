#include "bindings/lazy_measurer.h"

#include <unistd.h>

namespace schedulegym {

// Another process's measurer is let go of as it is: its threads and workers are not here.
LazyMeasurer::~LazyMeasurer() {
  if (measurer_ && process_ != getpid()) (void)measurer_.release();
}

Measurer& LazyMeasurer::Here() const {
  if (measurer_ && process_ != getpid()) (void)measurer_.release();
  if (!measurer_) {
    measurer_ = make_();
    process_ = getpid();
  }
  return *measurer_;
}

std::vector<Measurement> LazyMeasurer::Measure(std::span<const Candidate> candidates) {
  return Here().Measure(candidates);
}

int LazyMeasurer::Width() const { return Here().Width(); }

void LazyMeasurer::Expect(std::span<const Candidate> candidates) { Here().Expect(candidates); }

Afterthoughts LazyMeasurer::TakeAfterthoughts() { return Here().TakeAfterthoughts(); }

}  // namespace schedulegym
