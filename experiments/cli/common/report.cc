#include "experiments/cli/common/report.h"

#include <signal.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "env/base/utf8.h"

namespace schedulegym {
namespace {

// Messages quote files of unknown origin: their length is limited, and control characters are
// removed.
constexpr size_t kLongestMessage = 4000;

std::string OneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  text = Shown(text);
  const bool is_long = text.size() > kLongestMessage;
  return is_long ? std::string(BeginOf(text, kLongestMessage)) + " ..." : text;
}

// A sink on any stream.
class StreamSink : public spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex> {
 public:
  explicit StreamSink(std::FILE* stream) : stdout_sink_base(stream) {}
};

}  // namespace

Report::Report(std::FILE* out, std::FILE* err, const ReportOptions& options)
    : out_(out), err_(err), options_(options) {
  log_ = std::make_unique<spdlog::logger>("schedulegym", std::make_shared<StreamSink>(err));
  log_->set_level(options.quiet ? spdlog::level::err : spdlog::level::info);
}

Report::~Report() = default;

void Report::Write(const std::string& text) {
  errno = 0;
  bool written = std::fwrite(text.data(), 1, text.size(), out_) == text.size();
  if (text.empty() || text.back() != '\n') written &= std::fputc('\n', out_) != EOF;
  if (std::fflush(out_) != 0 || !written) Lose();
}

void Report::Lose() {
  const int error = errno;
  if (error == EPIPE) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  if (std::exchange(is_lost_, true)) return;
  log_->set_pattern("error: %v");
  log_->error("cannot write standard output: {}", std::strerror(error));
}

bool Report::Finish() {
  if (std::fflush(out_) != 0) Lose();
  return !is_lost_;
}

void Report::Event(std::string_view event, JsonObject fields) {
  if (!options_.json) return;
  fields.insert(fields.begin(), {"event", std::string(event)});
  Write(ToJson(fields));
}

void Report::Text(const std::string& text) {
  if (!options_.json) Write(Shown(text));
}

void Report::Help(const std::string& text) { Write(text); }

void Report::Item(const std::string& name, JsonObject fields, const std::string& text) {
  if (options_.json) {
    fields.insert(fields.begin(), {"name", name});
    Event("item", std::move(fields));
  } else {
    Write(Shown(text));
  }
}

void Report::Note(const std::string& message) {
  log_->set_pattern("%v");
  log_->info("{}", OneLine(message));
}

void Report::Warn(const std::string& message) {
  log_->set_pattern("warning: %v");
  log_->warn("{}", OneLine(message));
}

void Report::Fail(const std::string& kind, const std::string& message) {
  log_->set_pattern("error: %v");
  log_->error("{}", OneLine(message));
  Event("error", {{"kind", kind}, {"message", OneLine(message)}});
}

}  // namespace schedulegym
