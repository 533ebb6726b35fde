#include "env/gym/evaluators/background_evaluator.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace schedulegym {

class BackgroundEvaluator::Desk {
 public:
  explicit Desk(std::shared_ptr<Measurer> measurer) : measurer_(std::move(measurer)) {}

  ~Desk() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    asked_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  bool is_here() const { return !thread_.joinable() || process_ == getpid(); }

  void Ask(std::span<const PlaceQuestion> questions) {
    {
      const std::lock_guard lock(mutex_);
      questions_.insert(questions_.end(), questions.begin(), questions.end());
    }
    asked_.notify_one();
    if (thread_.joinable()) return;
    process_ = getpid();
    thread_ = std::thread([this] { Serve(); });
  }

  bool Wait(double seconds) {
    std::unique_lock lock(mutex_);
    return answered_.wait_for(lock, std::chrono::duration<double>(seconds),
                              [&] { return fault_ != nullptr || !answers_.empty(); });
  }

  std::vector<PlaceAnswer> Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answers_, {});
  }

  void ThrowFault() {
    std::exception_ptr fault;
    {
      const std::lock_guard lock(mutex_);
      if (!fault_) return;
      fault = std::exchange(fault_, nullptr);
      questions_.clear();
    }
    std::rethrow_exception(fault);
  }

 private:
  void Serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      asked_.wait(lock, [&] { return ends_ || (!questions_.empty() && !fault_); });
      if (ends_) return;
      lock.unlock();
      try {
        AnswerSome();
        lock.lock();
      } catch (...) {
        lock.lock();
        fault_ = std::current_exception();
      }
      answered_.notify_all();
    }
  }

  // The first of the questions, which stay until they are answered.
  void AnswerSome() {
    const auto width = static_cast<size_t>(std::max(measurer_->Width(), 1));
    std::vector<const EpisodeState*> places;
    {
      const std::lock_guard lock(mutex_);
      for (const PlaceQuestion& question : questions_) places.push_back(question.place);
    }
    Expect(places, *measurer_);
    const auto some = std::span(places).first(std::min(width, places.size()));
    const std::vector<EvaluationResult> evaluations = Evaluate(some, *measurer_);
    const std::lock_guard lock(mutex_);
    for (const EvaluationResult& evaluation : evaluations) {
      answers_.push_back({questions_.front().id, evaluation});
      questions_.pop_front();
    }
  }

  std::shared_ptr<Measurer> measurer_;
  std::mutex mutex_;
  std::condition_variable asked_, answered_;
  std::deque<PlaceQuestion> questions_;
  std::vector<PlaceAnswer> answers_;
  std::exception_ptr fault_;
  bool ends_ = false;
  int process_ = 0;  // the process that started the thread
  std::thread thread_;
};

BackgroundEvaluator::BackgroundEvaluator(std::shared_ptr<Measurer> measurer)
    : desk_(std::make_unique<Desk>(std::move(measurer))) {}

BackgroundEvaluator::~BackgroundEvaluator() {
  if (!is_here()) (void)desk_.release();
}

void BackgroundEvaluator::Ask(std::span<const PlaceQuestion> questions) { desk_->Ask(questions); }

bool BackgroundEvaluator::Wait(double seconds) { return desk_->Wait(seconds); }

std::vector<PlaceAnswer> BackgroundEvaluator::Take() { return desk_->Take(); }

void BackgroundEvaluator::ThrowFault() { desk_->ThrowFault(); }

bool BackgroundEvaluator::is_here() const { return desk_->is_here(); }

}  // namespace schedulegym
