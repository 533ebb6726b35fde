// HostJudge: judges by measuring on this machine, with a measurer that is made when first asked.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "env/gym/judge.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Making one costs nothing until something is judged: environments are made to be looked at, too,
// and in processes that fork. After a fork the child makes a measurer of its own; the parent's
// workers stay the parent's.
class HostJudge : public Judge {
 public:
  explicit HostJudge(std::function<std::unique_ptr<Measurer>()> make) : make_(std::move(make)) {}
  ~HostJudge() override;

  std::string Name() const override { return "measured"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return true; }

 private:
  std::function<std::unique_ptr<Measurer>()> make_;
  std::mutex mutex_;
  std::unique_ptr<Measurer> measurer_;
  int process_ = 0;  // that made it
};

}  // namespace schedulegym
