// LazyMeasurer: a measurer that is made when first asked, and again by a process that was forked.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"

namespace schedulegym {

// Making one costs nothing: no worker is started. After a fork the child makes one of its own; the
// parent's workers stay the parent's. One thread at a time.
class LazyMeasurer : public Measurer {
 public:
  explicit LazyMeasurer(std::function<std::unique_ptr<Measurer>()> make) : make_(std::move(make)) {}
  ~LazyMeasurer() override;

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;
  int Width() const override;
  void Expect(std::span<const Candidate> candidates) override;
  Afterthoughts TakeAfterthoughts() override;

 private:
  Measurer& Here() const;

  std::function<std::unique_ptr<Measurer>()> make_;
  mutable std::unique_ptr<Measurer> measurer_;
  mutable int process_ = 0;  // that made it
};

}  // namespace schedulegym
