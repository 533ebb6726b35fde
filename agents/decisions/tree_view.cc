// Search trees as JSON: a version, and for each tree its task, kind of values, best trace and
// loops, and nodes with parent, word, visits, mean, best and seconds. Parents come before children
// and depth is at most 1000, which the reader checks, with the version and the sizes of the JSON.
// The principal variation follows the best value from the root. Errors: InputError with the file's
// name. Cost: O(nodes); the principal variation O(nodes * depth).
#include "agents/decisions/tree_view.h"

#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

constexpr int kVersion = 1;
// Depth limit of a file: far above that of searches, and safe for recursion.
constexpr int kMostDepth = 1000;

Json JsonOf(const TreeView& tree) {
  Json nodes = Json::Array();
  for (const ViewNode& node : tree.nodes) {
    nodes.Add(Json::Object({{"parent", node.parent},
                            {"word", node.word},
                            {"visits", node.visits},
                            {"mean", node.mean},
                            {"best", node.best},
                            {"seconds", node.seconds}}));
  }
  return Json::Object({{"task", tree.task},
                       {"values", tree.values},
                       {"trace", tree.trace},
                       {"loops", tree.loops},
                       {"left_out", tree.left_out},
                       {"nodes", std::move(nodes)}});
}

std::optional<double> NumberIn(const Json& json, const char* key) {
  const Json& value = json[key];
  return value.is_null() ? std::nullopt : std::optional(value.As<double>());
}

ViewNode NodeIn(const Json& json, int position) {
  ViewNode node;
  node.parent = json["parent"].As<int>();
  const bool is_parent =
      position == 0 ? node.parent == -1 : node.parent >= 0 && node.parent < position;
  if (!is_parent) throw InputError("node " + std::to_string(position) + " has no parent before it");
  node.word = json["word"].Text();
  node.visits = json["visits"].As<int64_t>();
  if (node.visits < 0) throw InputError("visits below 0 of node " + std::to_string(position));
  node.mean = NumberIn(json, "mean");
  node.best = NumberIn(json, "best");
  node.seconds = NumberIn(json, "seconds");
  return node;
}

TreeView TreeIn(const Json& json) {
  TreeView tree;
  tree.task = json["task"].Text();
  tree.values = json["values"].Text();
  tree.trace = json["trace"].Text();
  tree.loops = json["loops"].Text();
  tree.left_out = json["left_out"].As<int64_t>();
  std::vector<int> depths;
  for (const Json& node : json["nodes"].elements()) {
    tree.nodes.push_back(NodeIn(node, static_cast<int>(tree.nodes.size())));
    const int parent = tree.nodes.back().parent;
    depths.push_back(parent < 0 ? 0 : depths[parent] + 1);
    if (depths.back() <= kMostDepth) continue;
    throw InputError("a tree deeper than " + std::to_string(kMostDepth) + " decisions");
  }
  if (tree.nodes.empty()) throw InputError("a tree without nodes");
  return tree;
}

}  // namespace

void ShowSchedule(const ScheduleState& state, TreeView& view) {
  view.trace = state.TraceText();
  view.loops = InferLoops(state).ToText(state);
}

std::vector<int> PrincipalVariation(const TreeView& tree) {
  std::vector<int> path = {0};
  while (true) {
    std::optional<int> next;
    for (int i = path.back() + 1; i < static_cast<int>(tree.nodes.size()); ++i) {
      const ViewNode& node = tree.nodes[i];
      if (node.parent != path.back() || !node.best) continue;
      if (!next || *node.best > *tree.nodes[*next].best) next = i;
    }
    if (!next) return path;
    path.push_back(*next);
  }
}

std::string ToText(const std::vector<TreeView>& trees) {
  Json list = Json::Array();
  for (const TreeView& tree : trees) list.Add(JsonOf(tree));
  const Json json = Json::Object({{"schedulegym_tree", kVersion}, {"trees", std::move(list)}});
  return json.ToText({.sort_keys = true, .replace_invalid = true}) + "\n";
}

std::vector<TreeView> ParseTreeViews(std::string_view text, const std::string& name) {
  const std::string expected = name + ": found no search tree, expected a file of mcts(tree=FILE)";
  if (BeyondLimits(text)) throw InputError(expected);
  const Result<Json> json = ParseJson(text);
  if (!json) throw InputError(expected);
  try {
    const int version = (*json)["schedulegym_tree"].As<int>();
    if (version != kVersion) {
      throw InputError("version " + std::to_string(version) + ", expected " +
                       std::to_string(kVersion));
    }
    std::vector<TreeView> trees;
    for (const Json& tree : (*json)["trees"].elements()) trees.push_back(TreeIn(tree));
    return trees;
  } catch (const JsonError&) {
    throw InputError(expected);
  } catch (const InputError& error) {
    throw InputError(name + ": found " + error.what());
  }
}

}  // namespace schedulegym
