// Structure: the decisions of a schedule that change which loops and copies there are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spaces/schedulegym/build.h"

namespace schedulegym {

// By stage.
struct Structure {
  std::map<int, bool> inlined;
  std::map<int, bool> fused;               // into the blocks of the map that reads it
  std::map<int, int64_t> lanes;            // partial results, 1 for none
  std::map<int, NestFacts> nests;          // reductions that are tiled
  std::map<int, int> vectors;              // of those: the dimension along which vectors lie
  std::map<int, std::vector<int>> packed;  // of those: the stages read in panels
  std::vector<int> maps;                   // elementwise stages with loops
  std::map<int, int> depths;               // producers that may move: among so many loops, at most
  StageNames names;
  std::vector<std::string> rules;  // what was decided, such as "Y: pack W"
};

// Every structure that the rules allow, the plain one first; at most `most`.
std::vector<Structure> FindStructures(const Preparations& preparations, int most);

}  // namespace schedulegym
