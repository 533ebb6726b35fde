// KnobField: all places of a task, each a sketch and a point of its knobs.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct FieldPlace {
  int sketch = 0;
  KnobPoint point;

  auto operator<=>(const FieldPlace&) const = default;
};

// The version of FillRow's numbers.
inline constexpr const char* kKnobRowMeaning = "knobs 1";

class KnobField {
 public:
  // The space outlives it. Throws InputError, which names `asker`, where it has no sketches.
  KnobField(const SearchSpace& space, std::shared_ptr<const Task> task, const std::string& asker);

  const std::shared_ptr<const Task>& task() const { return task_; }
  int sketches() const { return static_cast<int>(grids_.size()); }
  const KnobSpace& knobs(int sketch) const { return *grids_[sketch].knobs; }
  // At most so many places exist.
  double size() const { return size_; }
  // All of them in one order; the position is below size(), which is below 2^53.
  FieldPlace PlaceAt(int64_t position) const;
  int decisions(int sketch) const { return static_cast<int>(grids_[sketch].decisions.size()); }
  // That which a knob is a part of.
  int DecisionOf(int sketch, int knob) const;
  // Where each decision is the way at this share, in [0, 1), of its ways.
  FieldPlace AtShares(int sketch, std::span<const double> shares) const;
  FieldPlace Origin(int sketch) const { return {sketch, knobs(sketch).Origin()}; }
  // Whether the space knows that fewer schedules exist than places, as tables do.
  bool is_listed() const { return is_listed_; }
  // False only in spaces that list their schedules, such as tables; elsewhere State says more.
  bool Exists(const FieldPlace& place) const;

  // A sketch, then each decision, alike in chance; where a space lists its schedules, one of them.
  // None where the draw led nowhere. All lengths of a tile that have to divide are one decision.
  std::optional<FieldPlace> Draw(Rng& rng) const;
  // One decision drawn until it is another one; none where no such place was found.
  std::optional<FieldPlace> Redrawn(const FieldPlace& place, Rng& rng) const;
  // Whether the sketch has a decision of this kind with several ways.
  bool HasKind(int sketch, KnobKind kind) const;
  // One decision of this kind as another one: of a tile whose lengths have to divide a random
  // factor is carried from one level to another, as MetaSchedule's mutator does; any other is drawn
  // anew. None where no such place was found.
  std::optional<FieldPlace> Mutated(const FieldPlace& place, KnobKind kind, Rng& rng) const;
  // One knob that is no length of a tile one value up or down.
  std::vector<FieldPlace> Steps(const FieldPlace& place) const;
  // The least factor that both values allow from one level of a tile to another, mostly a prime.
  std::vector<FieldPlace> FactorMoves(const FieldPlace& place) const;
  // A fixed number of moves of a sketch by position, none where it is not there: for each ordered
  // pair of levels of a tile the least factor that both allow, then, with `others`, each knob that
  // is no length of a tile one value down, then up.
  std::vector<std::optional<FieldPlace>> MoveSlots(const FieldPlace& place, bool others) const;
  // One level of a tile raised to the next length that divides its product with another level,
  // which takes the rest.
  std::vector<FieldPlace> DivisorMoves(const FieldPlace& place) const;

  // Numbers that need no schedule: which sketch, and for each knob, by name over all sketches, its
  // position over the last one and log2(1 + its meaning); -1 where there is none.
  int columns() const { return columns_; }
  void FillRow(const FieldPlace& place, std::span<float> row) const;
  std::vector<float> Row(const FieldPlace& place) const;
  // The first column of a knob.
  int ColumnOf(int sketch, int knob) const { return grids_[sketch].columns[knob]; }

  // The schedule there. A value that does not go with those before it acts as the next lower one.
  Result<ScheduleState> State(const FieldPlace& place) const;
  // None where the schedule is no point of any sketch.
  std::optional<FieldPlace> PlaceOf(const ScheduleState& state) const;

 private:
  struct Decision {
    std::vector<int> knobs;
    std::vector<std::vector<int>> ways;  // values of these knobs
  };
  struct Grid {
    std::shared_ptr<const KnobSpace> knobs;
    KnobSpace lowering;
    std::vector<Decision> decisions;
    std::vector<int> columns;                         // by knob
    std::vector<std::vector<float>> positions, logs;  // by knob and value
  };

  static std::vector<Decision> DecisionsOf(const KnobSpace& knobs);
  void AddColumns(Grid& grid, std::map<std::string, int>& named);
  static bool Take(const Decision& decision, int64_t way, KnobPoint& point);
  void AddIfThere(FieldPlace place, std::vector<FieldPlace>& places) const;

  std::vector<Grid> grids_;
  std::shared_ptr<const Task> task_;
  double size_ = 0;
  bool is_listed_ = false;
  int columns_ = 0;
};

}  // namespace schedulegym
