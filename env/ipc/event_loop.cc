#include "env/ipc/event_loop.h"

#include <array>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/write.hpp>
#include <chrono>
#include <deque>
#include <utility>

namespace schedulegym {

using asio::error_code;

struct EventLoop::Implementation {
  asio::io_context context{1};
  // Keeps the loop running without a worker, so that it waits until the deadline.
  asio::executor_work_guard<asio::io_context::executor_type> work = make_work_guard(context);
};

EventLoop::EventLoop() : implementation_(std::make_unique<Implementation>()) {}
EventLoop::~EventLoop() = default;

void EventLoop::Wait(double seconds) {
  asio::io_context& context = implementation_->context;
  context.restart();
  if (context.poll() > 0) return;
  context.restart();
  context.run_one_for(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds)));
  context.poll();
}

// Handlers that still wait hold it, so that a link may go at any time.
struct WorkerLink::State : std::enable_shared_from_this<WorkerLink::State> {
  State(asio::io_context& context, int descriptor)
      : socket(context, asio::local::stream_protocol(), descriptor) {}

  void Read() {
    socket.async_read_some(asio::buffer(block),
                           [self = shared_from_this()](error_code error, size_t size) {
                             if (error) return self->Close();
                             self->decoder.Feed({self->block.data(), size});
                             self->Decode();
                             if (!self->closed) self->Read();
                           });
  }

  void Decode() {
    while (true) {
      Result<std::optional<Frame>> frame = decoder.Next();
      if (!frame) return Close();
      if (!*frame) return;
      received.push_back(*std::move(*frame));
    }
  }

  void Write() {
    asio::async_write(socket, asio::buffer(to_send.front()),
                      [self = shared_from_this()](error_code error, size_t) {
                        if (error) return self->Close();
                        self->to_send.pop_front();
                        if (!self->to_send.empty()) self->Write();
                      });
  }

  void Close() {
    closed = true;
    error_code ignored;
    socket.close(ignored);
  }

  asio::local::stream_protocol::socket socket;
  std::array<char, 1 << 16> block;
  FrameDecoder decoder;
  std::deque<Frame> received;
  std::deque<std::string> to_send;
  bool closed = false;
};

WorkerLink::WorkerLink(EventLoop& loop, const std::string& program, const std::string& role,
                       const std::vector<std::string>& variables)
    : process_(program, role, variables),
      state_(
          std::make_shared<State>(loop.implementation_->context, process_.TakeSocket().Release())) {
  state_->Read();
}

WorkerLink::~WorkerLink() { state_->Close(); }

void WorkerLink::Send(const Frame& frame) {
  if (state_->closed) return;
  state_->to_send.push_back(EncodeFrame(frame));
  if (state_->to_send.size() == 1) state_->Write();
}

std::optional<Frame> WorkerLink::Take() {
  if (state_->received.empty()) return std::nullopt;
  Frame frame = std::move(state_->received.front());
  state_->received.pop_front();
  return frame;
}

bool WorkerLink::is_closed() const { return state_->closed && state_->received.empty(); }

}  // namespace schedulegym
