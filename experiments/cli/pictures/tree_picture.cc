// Leaves have a row each, one below the other; a node stands in the middle of its children, in the
// column of its depth. The first `most` nodes are shown, and the principal variation wholly, drawn
// above the rest. A line's width is 1 + 5 sqrt(visits of the child / visits of the root) pixels.
// Cost: O(nodes shown * log nodes).
#include "experiments/cli/pictures/tree_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <tuple>

#include "experiments/cli/common/units.h"
#include "experiments/cli/pictures/svg_text.h"

namespace schedulegym {
namespace {

constexpr int kColumn = 290;  // pixels
constexpr int kRow = 36;
constexpr int kBend = 90;  // where lines leave their row, before the next column
constexpr int kMargin = 20;
constexpr int kTitle = 40;
constexpr size_t kMostLetters = 36;  // of a word in its column

std::string Short(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::string FiguresOf(const ViewNode& node) {
  std::string text = std::to_string(node.visits) + (node.visits == 1 ? " visit" : " visits");
  if (node.best) text += ", best " + Short(*node.best);
  if (node.seconds) text += ", " + FormatSeconds(*node.seconds);
  return text;
}

class Picture {
 public:
  Picture(const TreeView& tree, int most) : tree_(tree), spots_(tree.nodes.size()) {
    for (int node : PrincipalVariation(tree)) variation_.insert(node);
    children_.resize(tree.nodes.size());
    for (int i = 1; i < static_cast<int>(tree.nodes.size()); ++i) {
      if (i < most || variation_.contains(i)) children_[tree.nodes[i].parent].push_back(i);
    }
    Place(0, 0);
  }

  std::string Text() const {
    const int width = 2 * kMargin + (depth_ + 1) * kColumn;
    const int height = 2 * kMargin + kTitle + rows_ * kRow;
    std::string text = SvgHead(width, height);
    text += "<text x=\"" + std::to_string(kMargin) + "\" y=\"" + std::to_string(kMargin + 8) +
            "\" font-size=\"14\">" + SvgEscaped(Title()) + "</text>\n";
    text += LinesBelow(0) + NodesBelow(0);
    return text + "</svg>\n";
  }

 private:
  struct Spot {
    int depth = 0;
    double row = 0;
  };

  void Place(int node, int depth) {
    depth_ = std::max(depth_, depth);
    spots_[node].depth = depth;
    for (int child : children_[node]) Place(child, depth + 1);
    const std::vector<int>& below = children_[node];
    spots_[node].row =
        below.empty() ? rows_++ : (spots_[below.front()].row + spots_[below.back()].row) / 2;
  }

  std::string Title() const {
    std::string title = tree_.task;
    if (!tree_.values.empty()) title += "; values: " + tree_.values;
    const int64_t shown = 1 + CountBelow(0);
    const int64_t all = std::ssize(tree_.nodes) + tree_.left_out;
    return title + "; " + std::to_string(shown) + " of " + std::to_string(all) + " places";
  }

  int64_t CountBelow(int node) const {
    int64_t count = std::ssize(children_[node]);
    for (int child : children_[node]) count += CountBelow(child);
    return count;
  }

  double X(int node) const { return kMargin + 8 + spots_[node].depth * kColumn; }
  double Y(int node) const { return kMargin + kTitle + (spots_[node].row + 0.5) * kRow; }

  // Those of the principal variation last, above the others.
  std::string LinesBelow(int node) const {
    std::string text, above;
    for (int child : children_[node]) {
      (variation_.contains(child) ? above : text) += Line(node, child) + LinesBelow(child);
    }
    return text + above;
  }

  std::string Line(int node, int child) const {
    const auto all = static_cast<double>(std::max<int64_t>(tree_.nodes[0].visits, 1));
    const double share = static_cast<double>(tree_.nodes[child].visits) / all;
    const double middle = X(child) - kBend / 2.0;
    return "<path d=\"M" + Pixels(X(node)) + " " + Pixels(Y(node)) + " H" +
           Pixels(X(child) - kBend) + " C" + Pixels(middle) + " " + Pixels(Y(node)) + " " +
           Pixels(middle) + " " + Pixels(Y(child)) + " " + Pixels(X(child)) + " " +
           Pixels(Y(child)) + "\" fill=\"none\" stroke=\"" +
           (variation_.contains(child) ? "#c8501e" : "#b8c4d0") + "\" stroke-width=\"" +
           Short(1 + 5 * std::sqrt(share)) + "\"/>\n";
  }

  std::string NodesBelow(int node) const {
    std::string text = Mark(node);
    for (int child : children_[node]) text += NodesBelow(child);
    return text;
  }

  std::string Mark(int node) const {
    const ViewNode& view = tree_.nodes[node];
    const std::string word = node == 0 ? "all schedules" : view.word;
    const std::string colour = variation_.contains(node) ? "#c8501e" : "#4a6078";
    std::string text = "<g><title>" + SvgEscaped(word + ": " + FiguresOf(view)) + "</title>";
    text += "<circle cx=\"" + Pixels(X(node)) + "\" cy=\"" + Pixels(Y(node)) +
            "\" r=\"4\" fill=\"" + colour + "\"/>";
    text += Label(node, -6, "#000000", ShortenedTo(word, kMostLetters));
    text += Label(node, 14, "#666666", FiguresOf(view));
    return text + "</g>\n";
  }

  // Beside the node, above or below its line, readable on lines.
  std::string Label(int node, int below, const char* colour, const std::string& words) const {
    return "<text x=\"" + Pixels(X(node) + 8) + "\" y=\"" + Pixels(Y(node) + below) + "\" fill=\"" +
           colour + "\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">" +
           SvgEscaped(words) + "</text>";
  }

  const TreeView& tree_;
  std::vector<std::vector<int>> children_;  // the nodes that are shown
  std::vector<Spot> spots_;
  std::set<int> variation_;
  int depth_ = 0;
  int rows_ = 0;
};

}  // namespace

std::string TreePicture(const TreeView& tree, int most) { return Picture(tree, most).Text(); }

std::vector<std::string> VariationWords(const TreeView& tree) {
  std::vector<std::string> words;
  for (int node : PrincipalVariation(tree)) {
    if (node != 0) words.push_back(tree.nodes[node].word);
  }
  return words;
}

size_t FullestTree(const std::vector<TreeView>& trees) {
  // An absent value is less than any.
  const auto less = [](const TreeView& a, const TreeView& b) {
    return std::tie(a.nodes[0].visits, a.nodes[0].best) <
           std::tie(b.nodes[0].visits, b.nodes[0].best);
  };
  return std::max_element(trees.begin(), trees.end(), less) - trees.begin();
}

}  // namespace schedulegym
