// Report: how a command tells what it found: events with --json, else lines for people.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "experiments/cli/common/json.h"

namespace spdlog {
class logger;  // NOLINT(readability-identifier-naming)
}

namespace schedulegym {

struct ReportOptions {
  bool json = false;
  bool quiet = false;  // no messages and no progress; errors stay
};

// Where results and messages go. Results are flushed line by line, and each write is checked: the
// first that is lost is one line on stderr. A closed pipe ends the program at once and in silence,
// as SIGPIPE does.
class Report {
 public:
  Report(std::FILE* out, std::FILE* err, const ReportOptions& options);
  ~Report();

  bool json() const { return options_.json; }
  bool quiet() const { return options_.quiet; }
  std::FILE* err() const { return err_; }

  // One object on stdout; nothing without --json.
  void Event(std::string_view event, JsonObject fields);
  // Text on stdout for people, a newline added where it has none; nothing with --json.
  void Text(const std::string& text);
  // The same with --json, too.
  void Help(const std::string& text);
  // One thing that list, show, export, records and doctor report: an `item` event or `text`.
  void Item(const std::string& name, JsonObject fields, const std::string& text);
  // One line on stderr; nothing with --quiet.
  void Note(const std::string& message);
  void Warn(const std::string& message);
  // One line on stderr, and with --json an `error` event.
  void Fail(const std::string& kind, const std::string& message);

  // Flushes what is left; whether nothing was lost on stdout.
  bool Finish();

 private:
  void Write(const std::string& text);
  // Of the write that has just failed; says so the first time.
  void Lose();

  std::FILE* out_;
  std::FILE* err_;
  ReportOptions options_;
  bool is_lost_ = false;
  std::unique_ptr<spdlog::logger> log_;
};

}  // namespace schedulegym
