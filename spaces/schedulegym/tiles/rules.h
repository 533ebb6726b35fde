// Rules: which structures of schedules may be used; each is a switch of the space `schedulegym`.
#pragma once

namespace schedulegym {

struct Rules {
  bool pack = true;           // inputs are copied into panels that the register tile reads
  bool layout = true;         // weights are rewritten into such panels, once
  bool tails = true;          // tiles need not divide
  bool register_tile = true;  // the innermost tile is drawn for the registers it fills
  bool parity = true;         // loops that decide whether terms count are cut so that they vanish
  bool rows = true;           // stages that share rows are computed row by row
  bool partial_sums = true;   // reductions along memory keep partial results in lanes
  bool fuse = true;           // a reduction is computed within the blocks of the map that reads it
};

}  // namespace schedulegym
