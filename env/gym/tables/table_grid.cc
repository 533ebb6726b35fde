// A recorded table as a knob space: its own knobs, or, for a tree, one knob a depth (0 none, else
// the number of the child). Only recorded points are legal. Completion of fixed values draws
// uniformly from the rows that have them: the rows of the rarest fixed value are filtered by the
// others. The origin of a grid is the recorded point of the lowest sum of values. Cost: O(log rows)
// a point; completion O(rows of the rarest value * knobs).
#include "env/gym/tables/table_grid.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Rows at their points.
class RowsBuilder : public KnobBuilder {
 public:
  // `points` by row, each with this many knobs; the table's own points where it has some.
  RowsBuilder(std::shared_ptr<const Table> table, std::shared_ptr<const RecordedStates> states,
              std::vector<KnobPoint> points, int knobs)
      : table_(std::move(table)),
        states_(std::move(states)),
        points_(std::move(points)),
        rows_(RowsOf(points_)),
        index_(PointsOf(rows_), knobs) {
    for (const auto& [point, row] : rows_) ordered_.push_back(row);
  }

  Result<ScheduleState> At(const KnobPoint& point, InvalidPointPolicy) const override {
    const auto row = rows_.find(point);
    if (row == rows_.end()) return Illegal("found a point that the table does not record");
    return StateOf(row->second);
  }

  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    const std::vector<int> fitting = index_.Fitting(fixed);
    if (fitting.empty()) return Illegal("found values that no point of the table has");
    return StateOf(ordered_[fitting[rng.Below(std::ssize(fitting))]]);
  }

  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    const std::optional<int64_t> row = RowOf(state);
    if (!row || *row >= std::ssize(points_)) return std::nullopt;
    return points_[*row];
  }

 private:
  using Rows = std::map<KnobPoint, int64_t>;

  static Rows RowsOf(const std::vector<KnobPoint>& points) {
    Rows rows;
    for (size_t row = 0; row < points.size(); ++row) {
      rows.emplace(points[row], static_cast<int64_t>(row));
    }
    return rows;
  }

  static std::vector<KnobPoint> PointsOf(const Rows& rows) {
    std::vector<KnobPoint> points;
    for (const auto& [point, row] : rows) points.push_back(point);
    return points;
  }

  Result<ScheduleState> StateOf(int64_t row) const {
    if (states_) return states_->state(row);
    const std::optional<std::string> trace = table_->TraceText(row);
    if (!trace) return Illegal("found a kernel of another tuner, which is no schedule");
    return ReplayText(table_->task(), *trace);
  }

  std::optional<int64_t> RowOf(const ScheduleState& state) const {
    if (states_) return states_->Find(state);
    const std::string text = state.TraceText();
    for (int64_t row = 0; row < table_->size(); ++row) {
      if (table_->TraceText(row) == text) return row;
    }
    return std::nullopt;
  }

  std::shared_ptr<const Table> table_;
  std::shared_ptr<const RecordedStates> states_;
  std::vector<KnobPoint> points_;
  Rows rows_;
  PointIndex index_;              // of the points of rows_
  std::vector<int64_t> ordered_;  // rows in the order of their points
};

// The recorded point with the smallest sum of values.
KnobPoint LowestOf(const std::vector<KnobPoint>& points) {
  const auto sum = [](const KnobPoint& point) {
    return std::accumulate(point.begin(), point.end(), int64_t{0});
  };
  return *std::min_element(points.begin(), points.end(),
                           [&](const KnobPoint& a, const KnobPoint& b) {
                             return std::pair(sum(a), a) < std::pair(sum(b), b);
                           });
}

bool IsOfTile(const KnobRows& rows, int knob) {
  return std::any_of(rows.tiles.begin(), rows.tiles.end(), [&](const KnobTile& tile) {
    return std::find(tile.knobs.begin(), tile.knobs.end(), knob) != tile.knobs.end();
  });
}

std::vector<Knob> KnobsOf(const KnobRows& rows) {
  std::vector<Knob> knobs;
  for (const TableKnob& knob : rows.knobs) {
    const bool is_tile = IsOfTile(rows, static_cast<int>(knobs.size()));
    knobs.push_back({knob.name, static_cast<int>(knob.values.size()),
                     is_tile ? KnobKind::kTile : KnobKind::kOther, std::nullopt, knob.values});
  }
  return knobs;
}

// By row: the numbers of the children on the way to it, counted from 1.
std::vector<KnobPoint> PathsOf(const TreeRows& tree) {
  std::vector<KnobPoint> paths;
  std::vector<int> children(tree.parents.size());
  for (const int parent : tree.parents) {
    KnobPoint path = parent < 0 ? KnobPoint() : paths[parent];
    if (parent >= 0) path.push_back(++children[parent]);
    paths.push_back(std::move(path));
  }
  return paths;
}

// Number of values of each depth, up to the depth at which the index would overflow.
std::vector<int> ValuesByDepth(const std::vector<KnobPoint>& paths) {
  std::vector<int> values;
  for (const KnobPoint& path : paths) {
    values.resize(std::max(values.size(), path.size()), 1);
    for (size_t depth = 0; depth < path.size(); ++depth) {
      values[depth] = std::max(values[depth], path[depth] + 1);
    }
  }
  KnobIndex points = 1;
  for (size_t depth = 0; depth < values.size(); ++depth) {
    const auto count = static_cast<KnobIndex>(values[depth]);
    if (points > std::numeric_limits<KnobIndex>::max() / count) values.resize(depth);
    points *= count;
  }
  return values;
}

}  // namespace

KnobSpace GridOf(const std::shared_ptr<const Table>& table,
                 std::shared_ptr<const RecordedStates> states) {
  const KnobRows* rows = table->knobs();
  SG_CHECK(rows != nullptr, "a table of points");
  auto builder = std::make_shared<const RowsBuilder>(table, std::move(states), rows->points,
                                                     static_cast<int>(rows->knobs.size()));
  return {table->task(), KnobsOf(*rows), std::move(builder), rows->tiles, LowestOf(rows->points)};
}

KnobSpace TreeGridOf(const std::shared_ptr<const RecordedStates>& states) {
  const std::shared_ptr<const Table>& table = states->shared_table();
  SG_CHECK(table->tree() != nullptr, "a table of a tree");
  std::vector<KnobPoint> paths = PathsOf(*table->tree());
  const std::vector<int> values = ValuesByDepth(paths);
  std::vector<Knob> knobs;
  for (size_t depth = 0; depth < values.size(); ++depth) {
    Knob knob{"step " + std::to_string(depth + 1), values[depth]};
    knob.meanings = {"none"};
    for (int child = 1; child < values[depth]; ++child) {
      knob.meanings.push_back("child " + std::to_string(child));
    }
    knobs.push_back(std::move(knob));
  }
  for (KnobPoint& path : paths) {
    if (path.size() <= values.size()) path.resize(values.size());
  }
  auto builder = std::make_shared<const RowsBuilder>(table, states, std::move(paths),
                                                     static_cast<int>(knobs.size()));
  return {table->task(), std::move(knobs), std::move(builder)};
}

PointIndex::PointIndex(const std::vector<KnobPoint>& points, int knobs)
    : values_(knobs, std::vector<int>(points.size())), having_(knobs) {
  for (size_t position = 0; position < points.size(); ++position) {
    if (std::ssize(points[position]) != knobs) continue;
    all_.push_back(static_cast<int>(position));
    for (int knob = 0; knob < knobs; ++knob) {
      const int value = points[position][knob];
      values_[knob][position] = value;
      if (value >= std::ssize(having_[knob])) having_[knob].resize(value + 1);
      having_[knob][value].push_back(static_cast<int>(position));
    }
  }
}

std::vector<int> PointIndex::Fitting(const OpenPoint& fixed) const {
  SG_CHECK(fixed.size() == values_.size(), "a value or none for each knob");
  const std::vector<int>* rarest = &all_;
  for (size_t knob = 0; knob < fixed.size(); ++knob) {
    if (!fixed[knob]) continue;
    if (*fixed[knob] < 0 || *fixed[knob] >= std::ssize(having_[knob])) return {};
    const std::vector<int>& having = having_[knob][*fixed[knob]];
    if (having.size() < rarest->size()) rarest = &having;
  }
  std::vector<int> fitting = *rarest;
  for (size_t knob = 0; knob < fixed.size(); ++knob) {
    if (!fixed[knob]) continue;
    const std::vector<int>& values = values_[knob];
    std::erase_if(fitting, [&](int position) { return values[position] != *fixed[knob]; });
  }
  return fitting;
}

}  // namespace schedulegym
