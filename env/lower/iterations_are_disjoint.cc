// Dimension by dimension, for the few variables that decide about each: iterations that touch the
// same stored index form a group. Two iterations that meet are in the same group along every
// dimension, so none meet if their groups differ. Where a dimension depends on the loop's variable
// only through values computed from it (those of a fused loop, say), these values are tried
// instead. At last all dimensions are tried together, if the budget is enough: that decides.
//
// What is left out makes iterations seem to meet that do not, never the other way round: conditions
// that share no variable with an index, and cells and iterations whose hashes collide.
#include "env/lower/iterations_are_disjoint.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "env/base/hash.h"

namespace schedulegym {
namespace {

// Divisor of the work left, as the budget of one dimension.
constexpr int64_t kShareOfWork = 4;

// Sets of numbers that are joined: union-find, the smaller under the larger.
class Groups {
 public:
  int Add() {
    above_.push_back(static_cast<int>(above_.size()));
    sizes_.push_back(1);
    return above_.back();
  }

  int Of(int member) const {
    while (above_[member] != member) member = above_[member];
    return member;
  }

  void Join(int a, int b) {
    a = Of(a);
    b = Of(b);
    if (a == b) return;
    if (sizes_[a] < sizes_[b]) std::swap(a, b);
    above_[b] = a;
    sizes_[a] += sizes_[b];
  }

 private:
  std::vector<int> above_, sizes_;
};

void Add(const std::vector<int>& variables, const Point& point, Hasher& hasher) {
  for (const int variable : variables) {
    hasher.Add(static_cast<uint64_t>(point[static_cast<size_t>(variable)]));
  }
}

// Facts that the accesses of all iterations of a loop share.
struct Iterations {
  const std::vector<BufferAccess>& accesses;
  size_t loop;              // the position of its range among their facts
  std::vector<Fact> views;  // values computed from its variable alone

  int variable() const { return accesses[0].facts[loop].variable; }
  std::span<const Fact> around() const { return std::span(accesses[0].facts).first(loop); }

  bool IsView(int id) const {
    return std::ranges::any_of(views, [&](const Fact& view) { return view.variable == id; });
  }
};

std::vector<Fact> ViewsOf(const std::vector<BufferAccess>& accesses, size_t loop) {
  std::map<int, Fact> views;
  for (const BufferAccess& access : accesses) {
    for (const Fact& fact : std::span(access.facts).subspan(loop)) {
      if (fact.kind != Fact::Kind::kValue || !HasValue(fact.expr)) continue;
      std::set<int> variables;
      AddVariables(fact.expr, variables);
      if (variables == std::set<int>{access.facts[loop].variable}) views[fact.variable] = fact;
    }
  }
  std::vector<Fact> found;
  for (const auto& [variable, fact] : views) found.push_back(fact);
  return found;
}

std::vector<int> LoopsAmong(std::span<const Fact> facts, const std::set<int>& variables) {
  std::vector<int> loops;
  for (const Fact& fact : facts) {
    const bool is_one = fact.kind == Fact::Kind::kRange && variables.contains(fact.variable);
    if (is_one) loops.push_back(fact.variable);
  }
  return loops;
}

// The groups of iterations along some dimensions taken together; without a dimension, all
// iterations with an access are one group. An iteration is identified by the values of the relevant
// variables around the loop, and by its own variable or, if `may_view`, by views of it.
class Grouping {
 public:
  Grouping(const Iterations& iterations, const std::vector<size_t>& dimensions, bool may_view)
      : iterations_(iterations), dimensions_(dimensions) {
    Relate({}, [&](const Fact& fact) { return !IsOfView(fact); });
    const bool has_views = may_view && !related_.contains(iterations.variable());
    if (!has_views) Relate({iterations.variable()}, [](const Fact&) { return true; });
    for (const BufferAccess& access : iterations.accesses) {
      facts_.push_back(FactsAbout(access.facts, related_));
      if (has_views) std::erase_if(facts_.back(), [&](const Fact& fact) { return IsOfView(fact); });
    }
    around_ = LoopsAmong(iterations.around(), related_);
    told_by_ = around_;
    if (!has_views) told_by_.push_back(iterations.variable());
    for (const Fact& view : iterations.views) {
      if (has_views && related_.contains(view.variable)) told_by_.push_back(view.variable);
    }
  }

  const std::set<int>& related() const { return related_; }

  // False if that takes more than `work`.
  bool FormGroups(int variables, int64_t& work) {
    const auto store = [&](uint64_t cell, const Point&) {
      const auto [stored, is_new] = stored_.try_emplace(cell, 0);
      if (is_new) stored->second = groups_.Add();
    };
    const auto join = [&](uint64_t cell, const Point& point) {
      const auto [member, is_new] = members_.try_emplace(IterationAt(point), 0);
      if (is_new) member->second = groups_.Add();
      const auto stored = stored_.find(cell);
      if (stored != stored_.end()) groups_.Join(member->second, stored->second);
    };
    const size_t count = iterations_.accesses.size();
    for (size_t i = 0; i < count; ++i) {
      if (iterations_.accesses[i].is_store && !AtAll(i, variables, work, store)) return false;
    }
    for (size_t i = 0; i < count; ++i) {
      if (!AtAll(i, variables, work, join)) return false;
    }
    return true;
  }

  // The group of the iteration at the point; nullopt if the iteration has no access.
  std::optional<int> GroupAt(const Point& point) const {
    const auto member = members_.find(IterationAt(point));
    if (member == members_.end()) return std::nullopt;
    return groups_.Of(member->second);
  }

 private:
  bool IsOfView(const Fact& fact) const {
    return fact.kind == Fact::Kind::kValue && iterations_.IsView(fact.variable);
  }

  // Collects the facts for which `counts` holds about these variables and the index.
  void Relate(std::set<int> variables, const std::function<bool(const Fact&)>& counts) {
    related_ = std::move(variables);
    size_t before = 0;
    do {
      before = related_.size();
      for (const BufferAccess& access : iterations_.accesses) {
        std::vector<Fact> facts;
        std::ranges::copy_if(access.facts, std::back_inserter(facts), counts);
        for (const size_t d : dimensions_) AddVariables(access.indices[d], related_);
        AddRelated(facts, related_);
      }
    } while (related_.size() > before);
  }

  uint64_t IterationAt(const Point& point) const {
    Hasher hasher;
    Add(told_by_, point, hasher);
    return hasher.Value();
  }

  // Calls visit(cell, point) for each point of an access.
  template <typename Visit>
  bool AtAll(size_t access, int variables, int64_t& work, const Visit& visit) {
    return HoldsAtEveryPoint(facts_[access], variables, work, [&](const Point& point) {
      Hasher cell;
      Add(around_, point, cell);
      for (const size_t d : dimensions_) {
        cell.Add(static_cast<uint64_t>(ValueAt(iterations_.accesses[access].indices[d], point)));
      }
      visit(cell.Value(), point);
      return true;
    });
  }

  const Iterations& iterations_;
  std::vector<size_t> dimensions_;
  std::set<int> related_;
  std::vector<std::vector<Fact>> facts_;  // facts of each access that matter here
  std::vector<int> around_, told_by_;
  std::unordered_map<uint64_t, int> stored_, members_;
  Groups groups_;
};

// Whether each iteration is alone in its groups of each kind.
bool TellApart(const Iterations& iterations, const std::vector<Grouping>& groupings, int variables,
               int64_t& work) {
  std::set<int> related = {iterations.variable()};
  for (const Grouping& grouping : groupings) {
    related.insert(grouping.related().begin(), grouping.related().end());
  }
  const auto to_loop = std::span(iterations.accesses[0].facts).first(iterations.loop + 1);
  AddRelated(to_loop, related);
  const std::vector<int> around = LoopsAmong(iterations.around(), related);
  std::vector<Fact> facts = FactsAbout(to_loop, related);
  facts.insert(facts.end(), iterations.views.begin(), iterations.views.end());
  std::unordered_set<uint64_t> seen;
  return HoldsAtEveryPoint(facts, variables, work, [&](const Point& point) {
    Hasher groups;
    Add(around, point, groups);
    for (const Grouping& grouping : groupings) {
      const std::optional<int> group = grouping.GroupAt(point);
      if (!group) return true;
      groups.Add(static_cast<uint64_t>(*group));
    }
    return seen.insert(groups.Value()).second;
  });
}

}  // namespace

bool IterationsAreDisjoint(const std::vector<BufferAccess>& accesses, size_t loop, int variables,
                           int64_t& work) {
  for (const BufferAccess& access : accesses) {
    if (!std::ranges::all_of(access.indices, HasValue)) return false;
  }
  const Iterations iterations{accesses, loop, ViewsOf(accesses, loop)};
  std::vector<std::vector<size_t>> kinds = {{}};
  std::vector<size_t> all;
  for (size_t d = 0; d < accesses[0].indices.size(); ++d) {
    kinds.push_back({d});
    all.push_back(d);
  }
  std::vector<Grouping> groupings;
  for (const std::vector<size_t>& dimensions : kinds) {
    Grouping grouping(iterations, dimensions, !dimensions.empty());
    const int64_t share = work / kShareOfWork;
    int64_t left = share;
    const bool is_formed = grouping.FormGroups(variables, left);
    work -= share - std::max(left, int64_t{0});
    if (!is_formed) continue;
    groupings.push_back(std::move(grouping));
    if (TellApart(iterations, groupings, variables, work)) return true;
  }
  Grouping together(iterations, all, false);
  if (all.empty() || !together.FormGroups(variables, work)) return false;
  return TellApart(iterations, {together}, variables, work);
}

}  // namespace schedulegym
