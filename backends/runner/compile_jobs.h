// CompileJobs: code of programs, compiled ahead, each once for as long as nobody has taken it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "backends/runner/compile_pool.h"
#include "env/base/hash.h"

namespace schedulegym {

class CompileJobs {
 public:
  explicit CompileJobs(CompilePool& pool) : pool_(pool) {}

  // The job that compiles this; the same for equal requests until its code is taken.
  Key Submit(const CompileRequest& request);

  // What became of a job, once that is known; then the job is over.
  std::optional<Compiled> Take(const Key& job);

  // Ends all but these: nobody will ask for them any more.
  void KeepOnly(std::span<const Key> jobs);

 private:
  CompilePool& pool_;
  std::map<Key, uint64_t> ids_;
  uint64_t last_id_ = 0;
};

}  // namespace schedulegym
