// The command `show-tree`: the nodes of a tree search, as a picture and as text.
#include <CLI/CLI.hpp>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/output_file.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/pictures/tree_picture.h"

namespace schedulegym {
namespace {

constexpr int kMostNodes = 10'000;

std::string WordsText(const TreeView& tree, const std::vector<std::string>& words) {
  std::string text = "# " + tree.task + ": the best way found, decision by decision";
  if (tree.nodes[0].seconds) text += "; " + FormatSeconds(*tree.nodes[0].seconds) + " measured";
  text += "\n";
  for (size_t i = 0; i < words.size(); ++i) {
    text += std::to_string(i + 1) + ". " + words[i] + "\n";
  }
  return text;
}

class ShowTreeCommand : public Command {
 public:
  std::string name() const override { return "show-tree"; }
  std::string help() const override { return "a tree of mcts(tree=FILE) as a picture and words"; }

  void Declare(CLI::App& app) override {
    app.add_option("FILE", path_, "what an agent mcts(tree=FILE) left")->required();
    app.add_option("-o", picture_, "the place of the picture, an SVG file")->type_name("PICTURE");
    app.add_option_function<std::string>(
           "--tree", [this](const std::string& typed) { tree_ = typed; },
           "which of its trees, from 0 (default the most visited)")
        ->type_name("N");
    app.add_option("--nodes", nodes_, "most visited places in the picture (default 60)")
        ->type_name("N");
  }

  int Run(Session& session) override {
    const int64_t most = ParseIntegerOption("--nodes", nodes_, 1);
    if (most > kMostNodes) {
      throw InputError("--nodes: found " + nodes_ + ", expected at most " +
                       std::to_string(kMostNodes));
    }
    const std::vector<TreeView> trees = ParseTreeViews(ReadUntrustedFile(path_, kTreeFile), path_);
    const size_t chosen = Choose(trees);
    const TreeView& tree = trees[chosen];
    const std::vector<std::string> words = VariationWords(tree);
    if (!picture_.empty()) {
      OutputFile file(picture_);
      file.Write(TreePicture(tree, static_cast<int>(most)));
      file.Commit();
    }
    session.report().Item("tree", FieldsOf(trees, chosen, words),
                          WordsText(tree, words) + (tree.loops.empty() ? "" : "\n" + tree.loops));
    if (!picture_.empty()) session.report().Note("tree in '" + picture_ + "'");
    return kExitOk;
  }

 private:
  size_t Choose(const std::vector<TreeView>& trees) const {
    if (trees.empty()) throw InputError(path_ + ": found no tree, expected at least one");
    if (!tree_) return FullestTree(trees);
    const int64_t number = ParseIntegerOption("--tree", *tree_, 0);
    if (number < std::ssize(trees)) return static_cast<size_t>(number);
    throw InputError("--tree: found " + *tree_ + ", expected 0 to " +
                     std::to_string(trees.size() - 1));
  }

  static JsonObject FieldsOf(const std::vector<TreeView>& trees, size_t chosen,
                             const std::vector<std::string>& words) {
    const TreeView& tree = trees[chosen];
    const ViewNode& root = tree.nodes[0];
    return {{"workload", tree.task},
            {"tree", static_cast<int64_t>(chosen)},
            {"trees", static_cast<int64_t>(trees.size())},
            {"visits", root.visits},
            {"best", root.best},
            {"seconds", root.seconds},
            {"decisions", std::vector<JsonValue>(words.begin(), words.end())},
            {"trace", tree.trace},
            {"loops", tree.loops}};
  }

  std::string path_, picture_, nodes_ = "60";
  std::optional<std::string> tree_;
};

}  // namespace

std::unique_ptr<Command> MakeShowTreeCommand() { return std::make_unique<ShowTreeCommand>(); }

}  // namespace schedulegym
