// Walker: lowers one stage's loops, and the stages computed within them, to statements.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/lower/builder.h"
#include "env/lower/nest.h"

namespace schedulegym {

class Walker {
 public:
  // `live` marks the stages on which outputs depend.
  Walker(ProgramBuilder& builder, const std::vector<bool>& live);

  // Lowers a stage over a region, into its current buffer.
  StatementPtr LowerStage(int stage, const Region& region);

 private:
  // Action of the innermost statement of a walk over a nest. All modes except kUpdate visit the
  // spatial loops only.
  enum class Mode {
    kUpdate,
    kInitialize,
    kInitializeTile,
    kStoreTile,
    kCombineTile,
    kCombineThreads,  // adds the sums of threads, over their loops
  };

  // Partial results of a reduction, kept in a local buffer across its innermost reduction loops:
  // one cell for each combination of the spatial loops from `position` on.
  struct Tile {
    int buffer = -1;
    std::optional<int> position;  // set when the reduction begins; nullopt if no tile fits
  };
  // Partial results of a reduction whose loops are bound to threads, in shared memory: one cell for
  // each thread and each combination of the spatial loops from `position` on.
  struct Partials {
    int buffer = -1;
    int position = 0;
    std::vector<Expr> outer;  // enclosing threads
    std::vector<int> loops;   // positions of the bound loops
    bool fills = false;       // the job stores to them instead of reading them
  };
  struct Job {
    Nest nest;
    Mode mode = Mode::kUpdate;
    bool initialized = false;
    Tile tile = {};
    Partials partials = {};
  };

  StatementPtr Enter(Job job, int position);
  StatementPtr EnterLoop(Job job, int position);
  StatementPtr MakePartitionedLoop(Job job, int position, int64_t extent);
  StatementPtr MakeLoop(Job job, int position, int64_t begin, int64_t end);
  StatementPtr Bound(Job job, int position);
  StatementPtr BranchOnPart(Job job, int position, const OpenPart& open);
  StatementPtr CheckGuards(Job job, int position);
  StatementPtr CheckConditions(Job job, int position);
  StatementPtr BranchOnSelect(Job job, int position);
  StatementPtr ComputeAttached(Job job, int position);
  StatementPtr BeginReduction(Job job, int position);
  StatementPtr BeginTile(Job job, int position);
  StatementPtr EndTile(const Job& job, int position);
  StatementPtr Leaf(const Job& job);
  StatementPtr ShareReduction(Job job, int position);
  StatementPtr CombineThreads(Job job, int position);
  int AddPartials(Job& job, int position);
  std::vector<Expr> PartialIndices(const Job& job) const;
  const Stage& WithThreadsOutside(const Stage& stage);
  static std::shared_ptr<const LoopNames> NamesAsScheduled(const Stage& scheduled,
                                                           const Stage& reordered);

  // Position of a reduction loop from which on all spatial loops are unrolled or vectors; nullopt
  // if there is none.
  std::optional<int> TilePosition(const Nest& nest) const;
  bool AccumulatesInPlace(const Nest& nest) const;
  bool MustExpand(const Job& job, int position) const;
  MemoryScope ScopeOf(int id, const Region& region) const;
  Expr OverAxes(const Nest& nest, const Expr& expr) const;
  bool IsDetermined(const Nest& nest, const Expr& expr) const;
  std::vector<Expr> TileIndices(const Job& job) const;
  std::string UniqueName(const std::string& name) const;

  ProgramBuilder& builder_;
  const std::vector<bool>& live_;
  std::vector<std::vector<int>> attached_;  // stages computed at loops of each stage, in order
  std::vector<std::string> open_names_;     // of the enclosing loops
  std::vector<int> open_threads_;           // variables of the enclosing loops of threads
  std::vector<int> partials_;               // buffers of the kernel that is being lowered
  std::deque<Stage> reordered_;             // stages with loops in another order
  int depth_ = 0;                           // number of enclosing stages
};

// Returns the iterations of the loop at `position` (of this extent) in which every condition that
// the loop decides (a linear comparison in the nest's conditions or at the top of its select) holds
// for all values of the other loops. nullopt if no condition depends on it or no iteration matches.
std::optional<Range> SurelyTrueIterations(ProgramBuilder& builder, const Nest& nest, int position,
                                          int64_t extent);

}  // namespace schedulegym
