// FileTarget: one kind of file that strangers make, with valid ones, changes and its reader.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

struct Reading {
  bool past_header = false;  // what follows the header, or the syntax, was looked at
  bool accepted = false;
  std::string refusal;  // one line; "" where it was accepted
};

struct FileTarget {
  std::string kind;
  std::string suffix;  // that names of such files end in
  // Valid files.
  std::vector<std::string> seeds;
  // Another file, from one of them or several.
  std::function<std::string(const std::vector<std::string>& seeds, Rng& rng)> change;
  // By the reader that the commands use. What is wrong with the file it says; it throws
  // std::logic_error where the reader is wrong.
  std::function<Reading(const std::string& path)> read;
};

// The kinds, in order of listing: dag, net, trace, t1, t4, table, model, checkpoint, curves, tree
// (of a search), scheduler (what one learned), lines (ours, Ansor's and AutoTVM's), points
// (measured programs), log (Ansor's, as measured programs), store. Files that Python alone reads
// (studies, boards, SB3's models) are none of them, nor is what `harl` leaves, whose reader needs
// LibTorch: harl_memory_fuzz_test.
std::vector<std::string> FileKinds();

// Makes the seeds, which takes a moment. `folder` is for files that the making needs. Throws
// InputError for another kind.
FileTarget MakeFileTarget(const std::string& kind, const std::string& folder);

}  // namespace schedulegym
