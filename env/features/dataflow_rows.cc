#include "env/features/dataflow_rows.h"

#include <optional>
#include <span>

#include "env/features/buffer_entry.h"

namespace schedulegym {
namespace {

using Place = DataflowLayout;
enum Row { kInitialisation = 0, kFirstMade = 1, kFirstRead = 5, kStore = 7 };
constexpr size_t kMostMade = 2, kMostReads = 2;

double Flops(const LoopNest& nest) { return nest.operations.Flops() * nest.iterations; }

// The reduction with most operations, by position.
std::optional<size_t> MainNest(const LoopNests& nests) {
  std::optional<size_t> main;
  for (size_t i = 0; i < nests.nests.size(); ++i) {
    if (!nests.nests[i].first_reduction) continue;
    if (!main || Flops(nests.nests[i]) > Flops(nests.nests[*main])) main = i;
  }
  return main;
}

// None of an input.
const LoopNest* MakerOf(const LoopNests& nests, int buffer) {
  for (const LoopNest& nest : nests.nests) {
    if (nest.stage == buffer) return &nest;
  }
  return nullptr;
}

class DataflowWriter {
 public:
  DataflowWriter(const ScheduleState& state, const LoopNests& nests, const LoopNest& main,
                 std::span<float> rows)
      : line_bytes_(state.task().target.line_bytes), nests_(nests), main_(main), rows_(rows) {
    for (size_t i = 1; i < main.accesses.size() && made_.size() < kMostMade; ++i) {
      const LoopNest* maker = MakerOf(nests, main.accesses[i].buffer);
      if (maker != nullptr && maker != &main) made_.push_back(maker);
    }
  }

  // At the statement's turn.
  void Visit(const LoopNest& nest, const TouchedRegions& regions) {
    for (size_t i = 0; i < made_.size(); ++i) {
      if (made_[i] != &nest) continue;
      const auto row = static_cast<int>(kFirstMade + 2 * i);
      Write(row, nest, nest.accesses[0], Flops(nest), regions);
      if (nest.accesses.size() > 1) Write(row + 1, nest, nest.accesses[1], Flops(nest), regions);
    }
    if (&nest != &main_) return;
    NestAccess cells = nest.accesses[0];
    cells.is_read = false;
    Write(kInitialisation, nest, cells, 0, regions);
    for (size_t i = 1; i < nest.accesses.size() && i <= kMostReads; ++i) {
      Write(static_cast<int>(kFirstRead + i - 1), nest, nest.accesses[i], Flops(nest), regions);
    }
    Write(kStore, nest, nest.accesses[0], Flops(nest), regions);
  }

 private:
  void Write(int position, const LoopNest& nest, const NestAccess& access, double flops,
             const TouchedRegions& regions) {
    const auto row = rows_.subspan(static_cast<size_t>(position) * Place::kWidth, Place::kWidth);
    row[Place::kFlops] = AnsorScaled(flops);
    const LoopNest* maker = MakerOf(nests_, access.buffer);
    const bool is_own = maker != nullptr && !maker->is_parameter;
    row[Place::kLocation + (!is_own ? 0 : maker->outer == 0 ? 1 : 2)] = 1;
    WriteBuffer(EntryOf(nest, access, regions, line_bytes_),
                row.subspan(Place::kBuffer, AnsorBufferLayout::kWidth));
    if (!is_own) return;
    row[Place::kAllocation] = AnsorScaled(static_cast<double>(maker->stored_elements) *
                                          static_cast<double>(access.element_bytes));
  }

  int64_t line_bytes_;
  const LoopNests& nests_;
  const LoopNest& main_;
  std::vector<const LoopNest*> made_;
  std::span<float> rows_;
};

}  // namespace

std::vector<float> DataflowRows(const ScheduleState& state, const LoopNests& nests) {
  std::vector<float> rows(static_cast<size_t>(Place::kAccesses) * Place::kWidth);
  const std::optional<size_t> main = MainNest(nests);
  if (!main) return rows;
  DataflowWriter writer(state, nests, nests.nests[*main], rows);
  TouchedRegions regions(nests.loops, state.size());
  for (const NestStep& step : nests.steps) {
    const LoopNest& nest = nests.nests[static_cast<size_t>(step.nest)];
    if (step.initializes) {
      regions.AddInitialization(nest);
      continue;
    }
    regions.AddUpdate(nest);
    writer.Visit(nest, regions);
  }
  return rows;
}

}  // namespace schedulegym
