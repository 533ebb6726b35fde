// FileTarget: one kind of untrusted file, with valid files, changes and its reader.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

struct Reading {
  bool past_header = false;  // the reader looked beyond the header or the syntax
  bool accepted = false;
  std::string refusal;  // one line; "" if accepted
};

struct FileTarget {
  std::string kind;
  std::string suffix;  // of the names of such files
  // Valid files.
  std::vector<std::string> seeds;
  // Makes another file from one or several of the seeds.
  std::function<std::string(const std::vector<std::string>& seeds, Rng& rng)> change;
  // Calls the reader of the commands. Returns the fault of the file; throws std::logic_error if the
  // reader is wrong.
  std::function<Reading(const std::string& path)> read;
};

// The kinds, in order of listing: dag, net, trace, t1, t4, table, model, checkpoint, curves, tree
// (of a search), scheduler (its learned state), lines (ours, Ansor's and AutoTVM's), points
// (measured programs), log (Ansor's, as measured programs), store. Not included: files that only
// Python reads (studies, boards, SB3's models), and those of `harl`, whose reader needs LibTorch:
// harl_memory_fuzz_test.
std::vector<std::string> FileKinds();

// Makes the seeds, which takes a moment; `folder` is for temporary files. Throws InputError for
// another kind.
FileTarget MakeFileTarget(const std::string& kind, const std::string& folder);

}  // namespace schedulegym
