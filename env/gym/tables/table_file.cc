// Tables as JSON lines: a header (task with its `.dag` text, target, protocol, host, toolchain,
// knobs) and a line a row: point or parent and step, outcome, seconds, ratio with interval, cost,
// samples. Traces are shared: all different lines once, and for each row how many lines it keeps of
// the row before and the numbers of the rest. What is read is checked: version, the task's key
// against its text, numbers of rows, limits of 256 MiB of traces. Errors: InputError with file and
// line. Cost: O(bytes).
#include "env/gym/tables/table_file.h"

#include <map>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/gzip.h"
#include "env/base/json.h"
#include "env/base/json_limits.h"
#include "env/base/text.h"
#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

constexpr const char* kVersionField = "schedulegym_table";

Json KnobsJson(const KnobRows& rows) {
  Json knobs = Json::Array();
  for (const TableKnob& knob : rows.knobs) {
    knobs.Add(Json::Object({{"name", knob.name}, {"values", knob.values}}));
  }
  return knobs;
}

Json TilesJson(const KnobRows& rows) {
  Json tiles = Json::Array();
  for (const KnobTile& tile : rows.tiles) {
    tiles.Add(Json::Object({{"name", tile.name},
                            {"extent", tile.extent},
                            {"knobs", tile.knobs},
                            {"values", tile.values}}));
  }
  return tiles;
}

int VersionOf(const Table& table) {
  bool has_more = !table.facts().command.empty();
  for (int64_t row = 0; row < table.size() && !has_more; ++row) {
    has_more = !table.row(row).samples.empty();
  }
  return has_more ? kTableVersion : 1;
}

Json HeaderJson(const Table& table) {
  const Task& task = *table.task();
  const TableFacts& facts = table.facts();
  return Json::Object({{kVersionField, VersionOf(table)},
                       {"kind", table.tree() != nullptr ? "tree" : "knobs"},
                       {"workload", task.name},
                       {"task", TaskKey(task).ToText()},
                       {"target", task.target.ToText()},
                       {"dag", task.dag.ToText()},
                       {"space", facts.space},
                       {"seed", facts.seed},
                       {"protocol", facts.protocol},
                       {"host", facts.host},
                       {"toolchain", facts.toolchain},
                       {"reference_seconds", facts.reference_seconds},
                       {"rows", table.size()}});
}

void AddAnswer(const TableRow& row, Json& line) {
  line.Add(OutcomeName(row.evaluation.outcome));
  if (row.evaluation.ok()) {
    const RatioInterval& speed = row.evaluation.speed;
    for (double number : {*row.evaluation.seconds, speed.median, speed.low, speed.high}) {
      line.Add(number);
    }
  }
  line.Add(row.cost_seconds);
  if (row.samples.empty()) return;
  const double seconds = *row.evaluation.seconds;
  line.Add(SamplesText(row.samples.candidate, seconds));
  line.Add(SamplesText(row.samples.reference, seconds * row.evaluation.speed.median));
}

Json HeaderWithKnobs(const Table& table, const TraceLines& traces) {
  Json header = HeaderJson(table);
  if (!table.facts().command.empty()) header.Set("command", table.facts().command);
  if (const KnobRows* rows = table.knobs()) {
    header.Set("knobs", KnobsJson(*rows));
    header.Set("tiles", TilesJson(*rows));
    header.Set("lines", traces.lines);
  }
  return header;
}

Json RowJson(const Table& table, const TraceLines& traces, int64_t row) {
  if (const TreeRows* tree = table.tree()) {
    return Json::Array(tree->parents[row], tree->steps[row]);
  }
  const SharedTrace& trace = traces.traces[row];
  return Json::Array(table.knobs()->points[row], trace.kept, trace.rest);
}

// Reads the lines; every fault becomes an InputError that names the line.
class TableReader {
 public:
  TableReader(std::string_view text, std::string name)
      : lines_(SplitLines(text)), name_(std::move(name)) {}

  Table Read() {
    try {
      const Json header = ReadHeader();
      const auto task = ReadTask(header);
      const bool is_tree = ReadIsTree(header);
      ReadRows(header, is_tree);
      TableFacts facts = ReadFacts(header);
      if (is_tree) return {task, std::move(facts), std::move(rows_), std::move(tree_)};
      ReadKnobs(header);
      return {task, std::move(facts), std::move(rows_), std::move(knobs_)};
    } catch (const JsonError&) {
      throw InputError(name_ + ":" + std::to_string(line_ + 1) +
                       ": found a field that is missing or of another kind than a table's");
    } catch (const InputError& error) {
      throw InputError(name_ + ": " + error.what());
    }
  }

 private:
  // Of the current line; null where it is no JSON.
  Json ParseLine() const {
    const std::string& text = lines_[line_];
    if (const auto beyond = BeyondLimits(text)) {
      throw InputError("line " + std::to_string(line_ + 1) + ": " + *beyond);
    }
    Result<Json> line = ParseJson(text);
    return line ? *std::move(line) : Json();
  }

  Json ReadHeader() {
    if (lines_.empty()) throw InputError("holds nothing, expected a table");
    Json header = ParseLine();
    if (!header.Has(kVersionField)) {
      throw InputError("is no table, expected what `schedulegym table` writes");
    }
    const int64_t version = header[kVersionField].As<int64_t>();
    if (version >= 1 && version <= kTableVersion) return header;
    throw InputError("found a table of version " + std::to_string(version) +
                     ", expected version 1 to " + std::to_string(kTableVersion));
  }

  static std::shared_ptr<const Task> ReadTask(const Json& header) {
    Result<ComputeDag> dag = ParseDag(header["dag"].Text(), "its dag");
    if (!dag) throw InputError(dag.error().message);
    const Result<Spec> target = ParseSpec(header["target"].Text());
    if (!target) throw InputError("its target: " + target.error().message);
    auto task = std::make_shared<const Task>(
        Task{*std::move(dag), MakeTarget(*target), header["workload"].Text()});
    const std::string key = TaskKey(*task).ToText();
    const std::string written = header["task"].Text();
    if (key == written) return task;
    throw InputError("found a table of task " + written + ", but its dag and target make task " +
                     key);
  }

  static bool ReadIsTree(const Json& header) {
    const std::string kind = header["kind"].Text();
    if (kind == "tree" || kind == "knobs") return kind == "tree";
    throw InputError("found a table of kind '" + kind + "', expected knobs or tree");
  }

  static TableFacts ReadFacts(const Json& header) {
    return {header["space"].Text(),
            header["seed"].As<uint64_t>(),
            header["protocol"].Text(),
            header["host"].Text(),
            header["toolchain"].Text(),
            header["reference_seconds"].As<double>(),
            header.ValueOr("command", std::string())};
  }

  void ReadRows(const Json& header, bool is_tree) {
    const int64_t count = header["rows"].As<int64_t>();
    const auto found = static_cast<int64_t>(lines_.size()) - 1;
    if (count != found) {
      throw InputError("found " + std::to_string(found) + " rows, expected " +
                       std::to_string(count));
    }
    if (count > kMostTableRows) {
      throw InputError("found a table of " + std::to_string(count) + " rows, expected at most " +
                       std::to_string(kMostTableRows));
    }
    for (line_ = 1; line_ < lines_.size(); ++line_) ReadRow(is_tree);
    line_ = 0;
  }

  void ReadRow(bool is_tree) {
    const Json row = ParseLine();
    const size_t first = is_tree ? 2 : 3;
    if (!row.is_array() || row.size() < first + 2) RefuseRow();
    if (is_tree) {
      tree_.parents.push_back(row[0].As<int>());
      tree_.steps.push_back(row[1].Text());
    } else {
      knobs_.points.push_back(row[0].As<KnobPoint>());
      traces_.push_back({row[1].As<int>(), row[2].As<std::vector<int>>()});
    }
    rows_.push_back(ReadAnswer(row, first));
  }

  TableRow ReadAnswer(const Json& row, size_t at) const {
    const std::optional<Outcome> outcome = ParseOutcome(row[at].Text());
    if (!outcome) RefuseRow();
    if (*outcome != Outcome::kOk) {
      if (row.size() != at + 2) RefuseRow();
      return {FailedEvaluationResult(*outcome), row[at + 1].As<double>()};
    }
    if (row.size() != at + 6 && row.size() != at + 8) RefuseRow();
    const RatioInterval speed = {row[at + 2].As<double>(), row[at + 3].As<double>(),
                                 row[at + 4].As<double>()};
    const double seconds = row[at + 1].As<double>();
    TableRow answer = {{Outcome::kOk, speed, seconds}, row[at + 5].As<double>()};
    if (row.size() == at + 6) return answer;
    answer.samples = {ReadSamples(row[at + 6], seconds),
                      ReadSamples(row[at + 7], seconds * speed.median)};
    return answer;
  }

  std::vector<float> ReadSamples(const Json& text, double middle) const {
    std::optional<std::vector<float>> samples = ParseSamples(text.Text(), middle);
    if (samples) return *std::move(samples);
    throw InputError("line " + std::to_string(line_ + 1) +
                     ": found no samples, expected a text of them");
  }

  [[noreturn]] void RefuseRow() const {
    throw InputError("line " + std::to_string(line_ + 1) +
                     ": found no row, expected an array of a point or a primitive, and what "
                     "measuring it gave");
  }

  void ReadKnobs(const Json& header) {
    for (const Json& knob : header["knobs"].elements()) {
      knobs_.knobs.push_back({knob["name"].Text(), knob["values"].As<std::vector<std::string>>()});
    }
    for (const Json& tile : header["tiles"].elements()) {
      knobs_.tiles.push_back({tile["name"].Text(), tile["extent"].As<int64_t>(),
                              tile["knobs"].As<std::vector<int>>(),
                              tile["values"].As<std::vector<std::vector<int64_t>>>()});
    }
    knobs_.traces = UnshareTraces({header["lines"].As<std::vector<std::string>>(), traces_});
  }

  std::vector<std::string> lines_;
  std::string name_;
  size_t line_ = 0;  // of the current line
  std::vector<TableRow> rows_;
  KnobRows knobs_;
  TreeRows tree_;
  std::vector<SharedTrace> traces_;
};

constexpr const char* kFirstLine = "trace 1";
// Limit of all texts together: a few lines that many rows share may expand to any size.
constexpr size_t kMostBytes = size_t{256} << 20;

}  // namespace

std::string TableText(const Table& table) {
  SG_CHECK(!table.is_foreign(), "a table of our own schedules");
  const TraceLines traces = table.knobs() ? ShareTraces(table.knobs()->traces) : TraceLines();
  std::string text = HeaderWithKnobs(table, traces).ToText({.replace_invalid = true}) + "\n";
  for (int64_t row = 0; row < table.size(); ++row) {
    Json line = RowJson(table, traces, row);
    AddAnswer(table.row(row), line);
    text += line.ToText() + "\n";
  }
  return text;
}

Table ParseTable(std::string_view text, const std::string& name) {
  return TableReader(text, name).Read();
}

bool IsTableText(std::string_view text) {
  const std::string begin = std::string("{\"") + kVersionField + "\":";
  return text.substr(0, begin.size()) == begin;
}

Table ReadTable(const std::string& path) {
  return ParseTable(ReadPackedFile(path, kTableFile), path);
}

void CheckIsOf(const Table& table, const Task& task) {
  if (table.task()->dag == task.dag) return;
  throw InputError("found a table of " + table.task()->name + ", expected one of " + task.name);
}

void CheckIsFor(const Table& table, const Target& target) {
  if (table.task()->target == target) return;
  throw InputError("found a table for " + table.task()->target.ToText() + ", expected one for " +
                   target.ToText());
}

TraceLines ShareTraces(const std::vector<std::string>& texts) {
  TraceLines shared;
  std::map<std::string, int> known;
  std::vector<int> before;
  for (const std::string& text : texts) {
    std::vector<int> numbers;
    for (std::string& line : SplitLines(text)) {
      if (line == kFirstLine) continue;
      const auto [found, is_new] = known.emplace(line, static_cast<int>(shared.lines.size()));
      if (is_new) shared.lines.push_back(std::move(line));
      numbers.push_back(found->second);
    }
    size_t kept = 0;
    while (kept < numbers.size() && kept < before.size() && numbers[kept] == before[kept]) ++kept;
    shared.traces.push_back(
        {static_cast<int>(kept), {numbers.begin() + static_cast<long>(kept), numbers.end()}});
    before = std::move(numbers);
  }
  return shared;
}

std::vector<std::string> UnshareTraces(const TraceLines& shared) {
  std::vector<std::string> texts;
  std::vector<int> numbers;
  size_t bytes = 0;
  for (const SharedTrace& trace : shared.traces) {
    const std::string row = "row " + std::to_string(texts.size()) + " of the table: ";
    if (trace.kept < 0 || trace.kept > static_cast<int>(numbers.size())) {
      throw InputError(row + "found " + std::to_string(trace.kept) +
                       " primitives kept, expected at most " + std::to_string(numbers.size()));
    }
    numbers.resize(trace.kept);
    std::string text = std::string(kFirstLine) + "\n";
    for (int line : trace.rest) {
      if (line < 0 || line >= static_cast<int>(shared.lines.size())) {
        throw InputError(row + "found primitive " + std::to_string(line) + ", expected 0.." +
                         std::to_string(static_cast<int64_t>(shared.lines.size()) - 1));
      }
      numbers.push_back(line);
    }
    for (int line : numbers) {
      bytes += shared.lines[line].size() + 1;
      if (bytes > kMostBytes) {
        throw InputError(row + "found traces of more than " + std::to_string(kMostBytes >> 20) +
                         " MiB together, expected at most so much");
      }
      text.append(shared.lines[line]).append("\n");
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace schedulegym
