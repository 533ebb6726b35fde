#include "agents/tree/tree_view.h"

#include <nlohmann/json.hpp>

#include "env/base/fault.h"
#include "env/base/json_limits.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

constexpr int kVersion = 1;
// Of a file: far above what searches have, and not so deep that walking it down is a danger.
constexpr int kMostDepth = 1000;

nlohmann::json JsonOf(const std::optional<double>& number) {
  return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
}

nlohmann::json JsonOf(const TreeView& tree) {
  nlohmann::json nodes = nlohmann::json::array();
  for (const ViewNode& node : tree.nodes) {
    nodes.push_back({{"parent", node.parent},
                     {"word", node.word},
                     {"visits", node.visits},
                     {"mean", JsonOf(node.mean)},
                     {"best", JsonOf(node.best)},
                     {"seconds", JsonOf(node.seconds)}});
  }
  return {{"task", tree.task},   {"values", tree.values},     {"trace", tree.trace},
          {"loops", tree.loops}, {"left_out", tree.left_out}, {"nodes", std::move(nodes)}};
}

std::optional<double> NumberIn(const nlohmann::json& json, const char* key) {
  const nlohmann::json& value = json.at(key);
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

ViewNode NodeIn(const nlohmann::json& json, int position) {
  ViewNode node;
  node.parent = json.at("parent").get<int>();
  const bool is_parent =
      position == 0 ? node.parent == -1 : node.parent >= 0 && node.parent < position;
  if (!is_parent) throw InputError("node " + std::to_string(position) + " has no parent before it");
  node.word = json.at("word").get<std::string>();
  node.visits = json.at("visits").get<int64_t>();
  if (node.visits < 0) throw InputError("visits below 0 of node " + std::to_string(position));
  node.mean = NumberIn(json, "mean");
  node.best = NumberIn(json, "best");
  node.seconds = NumberIn(json, "seconds");
  return node;
}

TreeView TreeIn(const nlohmann::json& json) {
  TreeView tree;
  tree.task = json.at("task").get<std::string>();
  tree.values = json.at("values").get<std::string>();
  tree.trace = json.at("trace").get<std::string>();
  tree.loops = json.at("loops").get<std::string>();
  tree.left_out = json.at("left_out").get<int64_t>();
  std::vector<int> depths;
  for (const nlohmann::json& node : json.at("nodes")) {
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
  nlohmann::json json = {{"schedulegym_tree", kVersion}, {"trees", nlohmann::json::array()}};
  for (const TreeView& tree : trees) json["trees"].push_back(JsonOf(tree));
  return json.dump() + "\n";
}

std::vector<TreeView> ParseTreeViews(std::string_view text, const std::string& name) {
  const std::string expected = name + ": found no search tree, expected a file of mcts(tree=FILE)";
  if (BeyondLimits(text)) throw InputError(expected);
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    const int version = json.at("schedulegym_tree").get<int>();
    if (version != kVersion) {
      throw InputError("version " + std::to_string(version) + ", expected " +
                       std::to_string(kVersion));
    }
    std::vector<TreeView> trees;
    for (const nlohmann::json& tree : json.at("trees")) trees.push_back(TreeIn(tree));
    return trees;
  } catch (const nlohmann::json::exception&) {
    throw InputError(expected);
  } catch (const InputError& error) {
    throw InputError(name + ": found " + error.what());
  }
}

}  // namespace schedulegym
