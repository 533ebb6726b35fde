// TraceLines: the traces of a table's rows as little text: each primitive stands once.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// A trace beside the one before it.
struct SharedTrace {
  int kept = 0;           // lines that it begins with as that one does
  std::vector<int> rest;  // positions of those that follow

  bool operator==(const SharedTrace&) const = default;
};

struct TraceLines {
  std::vector<std::string> lines;  // in order of appearance
  std::vector<SharedTrace> traces;
};

// Of texts of traces, as states write them.
TraceLines ShareTraces(const std::vector<std::string>& texts);

// The texts again. Throws InputError for positions that there are not.
std::vector<std::string> UnshareTraces(const TraceLines& shared);

}  // namespace schedulegym
