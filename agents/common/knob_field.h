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

// The version of the columns that FillRow writes.
inline constexpr const char* kKnobRowMeaning = "knobs 1";

class KnobField {
 public:
  // The space outlives it. Throws InputError, with `asker` in the message, if it has no sketches.
  KnobField(const SearchSpace& space, std::shared_ptr<const Task> task, const std::string& asker);

  const std::shared_ptr<const Task>& task() const { return task_; }
  int sketches() const { return static_cast<int>(grids_.size()); }
  const KnobSpace& knobs(int sketch) const { return *grids_[sketch].knobs; }
  // An upper bound of the number of places.
  double size() const { return size_; }
  // Enumerates all places. `position` is in [0, size()); size() is below 2^53.
  FieldPlace PlaceAt(int64_t position) const;
  int decisions(int sketch) const { return static_cast<int>(grids_[sketch].decisions.size()); }
  // Returns the decision that a knob is a part of.
  int DecisionOf(int sketch, int knob) const;
  // Returns the place whose decisions have their values at these shares, in [0, 1), of their ways.
  FieldPlace AtShares(int sketch, std::span<const double> shares) const;
  FieldPlace Origin(int sketch) const { return {sketch, knobs(sketch).Origin()}; }
  // True if the space lists its schedules, as tables do; there may be fewer than places.
  bool is_listed() const { return is_listed_; }
  // False only in spaces that list their schedules; in others, State reports errors.
  bool Exists(const FieldPlace& place) const;

  // Draws a sketch, then each decision, uniformly. A space that lists its schedules draws one of
  // them. nullopt if the draw failed. All lengths of a tile that have to divide are one decision.
  std::optional<FieldPlace> Draw(Rng& rng) const;
  // Redraws one decision until it differs; nullopt if no such place was found.
  std::optional<FieldPlace> Redrawn(const FieldPlace& place, Rng& rng) const;
  // Returns whether the sketch has a decision of this kind with several ways.
  bool HasKind(int sketch, KnobKind kind) const;
  // Changes one decision of this kind. For a tile whose lengths have to divide, moves a random
  // factor from one level to another, as MetaSchedule's mutator does. Redraws any other. nullopt if
  // no such place was found.
  std::optional<FieldPlace> Mutated(const FieldPlace& place, KnobKind kind, Rng& rng) const;
  // Moves one knob that is not a tile length one value up or down.
  std::vector<FieldPlace> Steps(const FieldPlace& place) const;
  // Moves the least factor, mostly a prime, between two levels of a tile that both allow it.
  std::vector<FieldPlace> FactorMoves(const FieldPlace& place) const;
  // Returns a fixed number of moves, by position; nullopt for moves that do not exist. First, for
  // each ordered pair of levels of a tile, the move of the least factor that both allow. Then, with
  // `others`, each knob that is not a tile length one value down, then up.
  std::vector<std::optional<FieldPlace>> MoveSlots(const FieldPlace& place, bool others) const;
  // Raises one level of a tile to the next length that divides its product with another level,
  // which takes the rest.
  std::vector<FieldPlace> DivisorMoves(const FieldPlace& place) const;

  // Features that need no schedule: the sketch, and for each knob (by name over all sketches) its
  // position over the last one and log2(1 + its meaning); -1 for knobs that the sketch lacks.
  int columns() const { return columns_; }
  void FillRow(const FieldPlace& place, std::span<float> row) const;
  std::vector<float> Row(const FieldPlace& place) const;
  // The first column of a knob.
  int ColumnOf(int sketch, int knob) const { return grids_[sketch].columns[knob]; }

  // Builds the schedule. A value that does not fit those before it acts as the next lower one.
  Result<ScheduleState> State(const FieldPlace& place) const;
  // nullopt if the schedule is not a point of any sketch.
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
