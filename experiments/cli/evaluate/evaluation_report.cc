// A table of metrics by models. Cells are "value [low, high]" of the interval over tasks, or the
// value alone where there is no interval; "-" where a model has no such metric.
#include "experiments/cli/evaluate/evaluation_report.h"

#include <algorithm>
#include <utility>

#include "env/base/text.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

void AddCosts(const ModelReport& report, std::vector<EvaluationRow>& rows) {
  for (const PredictionCost& cost : report.costs) {
    const std::string states = std::to_string(cost.states);
    rows.push_back({report.model, "features-us-" + states, "", cost.features, {}, {}, {}, {}});
    rows.push_back({report.model, "predict-us-" + states, "", cost.prediction, {}, {}, {}, {}});
  }
}

std::optional<double> CeilingOf(const std::optional<ModelReport>& ceiling,
                                const std::string& network, const std::string& metric) {
  if (!ceiling) return std::nullopt;
  for (const TaskGroupMetrics& group : ceiling->groups) {
    if (group.network != network) continue;
    const auto found = std::ranges::find(group.metrics, metric, &OfflineMetric::name);
    if (found != group.metrics.end()) return found->value;
  }
  return std::nullopt;
}

// Distinct values of a member, in order of appearance.
std::vector<std::string> Distinct(std::span<const EvaluationRow> rows,
                                  std::string EvaluationRow::*member) {
  std::vector<std::string> values;
  for (const EvaluationRow& row : rows) {
    if (std::ranges::find(values, row.*member) == values.end()) values.push_back(row.*member);
  }
  return values;
}

// Those of OfflineMetricInfos first, in their order, then costs.
std::vector<std::string> MetricsIn(std::span<const EvaluationRow> rows) {
  const std::vector<std::string> found = Distinct(rows, &EvaluationRow::metric);
  std::vector<std::string> metrics;
  for (const OfflineMetricInfo& info : OfflineMetricInfos()) {
    if (std::ranges::find(found, info.name) != found.end()) metrics.push_back(info.name);
  }
  for (const std::string& name : found) {
    if (std::ranges::find(metrics, name) == metrics.end()) metrics.push_back(name);
  }
  return metrics;
}

std::string NumberText(const EvaluationRow& row) {
  return FormatFixed(row.value, row.value >= 10 ? 1 : 3);
}

std::string CellText(std::span<const EvaluationRow> rows, const std::string& model,
                     const std::string& metric, const std::string& network) {
  for (const EvaluationRow& row : rows) {
    if (row.model != model || row.metric != metric || row.network != network) continue;
    if (!row.low) return NumberText(row);
    const int digits = row.value >= 10 ? 0 : 2;
    return NumberText(row) + " [" + FormatFixed(*row.low, digits) + ", " +
           FormatFixed(*row.high, digits) + "]";
  }
  return "-";
}

// Cells of equal width by column, two spaces between them.
std::string TableText(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths(lines.front().size());
  for (const std::vector<std::string>& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    std::string row;
    for (size_t i = 0; i < line.size(); ++i) {
      row += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

// Pairs of a numerator and a denominator; null where there are none.
JsonValue TermsField(std::span<const MetricTerm> terms) {
  std::vector<JsonValue> pairs;
  for (const MetricTerm& term : terms) {
    pairs.emplace_back(std::vector<JsonValue>{term.numerator, term.denominator});
  }
  return pairs.empty() ? JsonValue() : JsonValue(std::move(pairs));
}

std::string CsvField(const std::optional<double>& value) {
  return value ? FormatDouble(*value) : "";
}

}  // namespace

std::vector<EvaluationRow> RowsOf(std::span<const ModelReport> reports,
                                  const std::optional<ModelReport>& ceiling) {
  std::vector<EvaluationRow> rows;
  const auto add = [&](const ModelReport& report) {
    for (const TaskGroupMetrics& group : report.groups) {
      for (const OfflineMetric& metric : group.metrics) {
        rows.push_back({report.model, metric.name, group.network, metric.value, metric.low,
                        metric.high, CeilingOf(ceiling, group.network, metric.name),
                        group.network.empty() ? metric.terms : std::vector<MetricTerm>()});
      }
    }
    AddCosts(report, rows);
  };
  for (const ModelReport& report : reports) add(report);
  if (ceiling) add(*ceiling);
  return rows;
}

JsonObject RowFields(const EvaluationRow& row) {
  std::optional<double> share;
  if (row.ceiling && *row.ceiling != 0) share = row.value / *row.ceiling;
  return {{"model", row.model},
          {"metric", row.metric},
          {"network", row.network.empty() ? JsonValue() : JsonValue(row.network)},
          {"value", row.value},
          {"low", row.low},
          {"high", row.high},
          {"ceiling", row.ceiling},
          {"of_ceiling", share},
          {"terms", TermsField(row.terms)}};
}

std::string RowsToCsv(std::span<const EvaluationRow> rows) {
  std::string text = "model,metric,network,value,low,high,ceiling\n";
  for (const EvaluationRow& row : rows) {
    text += Join({CsvField(row.model), CsvField(row.metric), CsvField(row.network),
                  FormatDouble(row.value), CsvField(row.low), CsvField(row.high),
                  CsvField(row.ceiling)},
                 ",") +
            "\n";
  }
  return text;
}

std::string EvaluationText(std::span<const EvaluationRow> rows) {
  const std::vector<std::string> models = Distinct(rows, &EvaluationRow::model);
  std::vector<std::vector<std::string>> lines = {{"metric"}};
  for (const std::string& model : models) lines[0].push_back(model);
  const auto add = [&](const std::string& title, const std::string& metric,
                       const std::string& network) {
    lines.push_back({title});
    for (const std::string& model : models) {
      lines.back().push_back(CellText(rows, model, metric, network));
    }
  };
  for (const std::string& metric : MetricsIn(rows)) add(metric, metric, "");
  for (const std::string& network : Distinct(rows, &EvaluationRow::network)) {
    if (!network.empty()) add("top-1 " + network, "top-1", network);
  }
  return TableText(lines);
}

}  // namespace schedulegym
