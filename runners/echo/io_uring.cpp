// Needs Linux 6.1: multishot recvmsg, provided buffers, completions deferred to the serving thread, send with an address.

#include <liburing.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "runners/echo/exchange.hpp"
#include "runners/echo/pinning.hpp"

namespace netsettle::runners {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kGroup = 0;                           // of buffers
constexpr std::size_t kNameSize = sizeof(sockaddr_in6);  // of a client; the IPv4 one is smaller
constexpr std::size_t kHeaderSize = sizeof(io_uring_recvmsg_out) + kNameSize;
// The first bytes of all buffers are not to compete for the same few cache lines.
constexpr std::size_t kStride = kLargestDatagram + 1 + std::size_t{3} * 64;
static_assert(kStride >= kLargestDatagram + kHeaderSize);
constexpr std::uint64_t kReceive = ~std::uint64_t{0}, kCancel = kReceive - 1;  // user_data; of a send: the buffer's number
constexpr auto kLongestDrain = 100ms;

std::unexpected<Error> not_available(int result, std::string_view call) {
  Error error = errno_error(-result, "io_uring", fmt::format("not available here: {} (needs Linux 6.1)", call));
  error.code = ErrorCode::unsupported;
  return std::unexpected(std::move(error));
}

class Uring {
 public:
  explicit Uring(const ServeTask& task)
      : task_(task), buffers_(std::bit_ceil(std::max(2u * static_cast<unsigned>(task.batch), 16u))), free_(buffers_) {
    description_.msg_namelen = kNameSize;
  }
  Uring(const Uring&) = delete;
  Uring& operator=(const Uring&) = delete;

  /// The kernel takes a ring apart after the process has ended; the port must be free before that.
  ~Uring() {
    if (has_files_) io_uring_unregister_files(&ring_);
    if (set_up_) io_uring_queue_exit(&ring_);
    if (memory_ != MAP_FAILED) munmap(memory_, memory_size());
  }

  Expected<void> set_up() {
    io_uring_params parameters{};
    parameters.flags =
        IORING_SETUP_CQSIZE | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CLAMP | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
    parameters.cq_entries = 4 * buffers_;  // never full: each buffer is in one receive or one send
    if (const int result = io_uring_queue_init_params(std::min(buffers_, 1024u), &ring_, &parameters); result < 0)
      return not_available(result, "io_uring_setup");
    set_up_ = true;
    io_uring_register_ring_fd(&ring_);  // saves a look-up a call; goes without
    NETSETTLE_TRY(pin_kernel_threads());
    if (const int result = io_uring_register_files(&ring_, &task_.socket, 1); result < 0) return not_available(result, "registered files");
    has_files_ = true;
    NETSETTLE_TRY(provide_buffers());
    return start_receiving();
  }

  void run() {
    while (!stopped()) step();
    cancel_receiving();
    const auto give_up = std::chrono::steady_clock::now() + kLongestDrain;
    while ((receiving_ || in_flight_ > 0) && std::chrono::steady_clock::now() < give_up) step();
    count_many(task_.counters.errors, in_flight_);
  }

 private:
  bool stopped() const { return task_.stop.load(std::memory_order_relaxed); }
  std::size_t ring_size() const { return (buffers_ * sizeof(io_uring_buf) + 4095) & ~std::size_t{4095}; }
  std::size_t memory_size() const { return ring_size() + buffers_ * kStride; }
  std::uint8_t* buffer(unsigned id) { return static_cast<std::uint8_t*>(memory_) + ring_size() + id * kStride; }

  /// Sends that must wait for room may be handed to threads of the kernel.
  Expected<void> pin_kernel_threads() {
    if (!task_.cpu) return {};
    const CpuMask mask(*task_.cpu);
    if (const int result = io_uring_register_iowq_aff(&ring_, mask.size(), mask.get()); result < 0)
      return not_available(result, "pinning of the kernel's workers");
    return {};
  }

  Expected<void> provide_buffers() {
    memory_ = mmap(nullptr, memory_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) return std::unexpected(errno_error(errno, "io_uring", "no memory for buffers"));
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<std::uint64_t>(memory_);
    registration.ring_entries = buffers_;
    registration.bgid = kGroup;
    if (const int result = io_uring_register_buf_ring(&ring_, &registration, 0); result < 0) return not_available(result, "buffer rings");
    provided_ = static_cast<io_uring_buf_ring*>(memory_);
    io_uring_buf_ring_init(provided_);
    for (unsigned id = 0; id < buffers_; ++id) give_back(id);
    publish_buffers();
    free_ = buffers_;
    return {};
  }

  void give_back(unsigned id) {
    io_uring_buf_ring_add(provided_, buffer(id), kStride, static_cast<unsigned short>(id), io_uring_buf_ring_mask(buffers_), returned_++);
    ++free_;
  }

  void publish_buffers() { io_uring_buf_ring_advance(provided_, std::exchange(returned_, 0)); }

  io_uring_sqe* next_entry() {
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    while (!entry) {
      io_uring_submit(&ring_);
      entry = io_uring_get_sqe(&ring_);
    }
    return entry;
  }

  void receive() {
    io_uring_sqe* entry = next_entry();
    io_uring_prep_recvmsg_multishot(entry, 0, &description_, 0);
    entry->flags |= IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT;
    entry->buf_group = kGroup;
    entry->user_data = kReceive;
    receiving_ = true;
  }

  /// A kernel that does not know one of the flags refuses the very first request.
  Expected<void> start_receiving() {
    receive();
    if (const int result = io_uring_submit(&ring_); result < 0) return not_available(result, "io_uring_enter");
    io_uring_cqe* completion = nullptr;
    if (io_uring_peek_cqe(&ring_, &completion) == 0 && completion->user_data == kReceive && completion->res == -EINVAL)
      return not_available(completion->res, "multishot recvmsg");
    return {};
  }

  void cancel_receiving() {
    if (!receiving_) return;
    io_uring_sqe* entry = next_entry();
    io_uring_prep_cancel64(entry, kReceive, 0);
    entry->user_data = kCancel;
  }

  /// One system call: hands over the answers of the last round, waits, takes what is there.
  void step() {
    if (!receiving_ && free_ > 0 && !stopped()) receive();
    io_uring_submit_and_wait(&ring_, 1);
    unsigned head = 0, seen = 0;
    io_uring_cqe* completion = nullptr;
    io_uring_for_each_cqe(&ring_, head, completion) {
      ++seen;
      if (completion->user_data == kReceive) {
        on_received(*completion);
      } else if (completion->user_data != kCancel) {
        on_sent(*completion);
      }
    }
    io_uring_cq_advance(&ring_, seen);
    publish_buffers();
  }

  void on_received(const io_uring_cqe& completion) {
    if (!(completion.flags & IORING_CQE_F_MORE)) receiving_ = false;
    if (completion.res < 0) {
      const int error = -completion.res;
      if (error != ENOBUFS && error != ECANCELED) count_failed_read(error, task_.counters);
      return;
    }
    if (!(completion.flags & IORING_CQE_F_BUFFER)) return;
    --free_;
    const unsigned id = completion.flags >> IORING_CQE_BUFFER_SHIFT;
    auto* const result = io_uring_recvmsg_validate(buffer(id), completion.res, &description_);
    if (!result) {  // cannot be: each datagram has its header
      count_one(task_.counters.errors);
      return give_back(id);
    }
    auto* const payload = static_cast<std::uint8_t*>(io_uring_recvmsg_payload(result, &description_));
    const std::size_t size = io_uring_recvmsg_payload_length(result, completion.res, &description_);
    auto* const client = static_cast<sockaddr*>(io_uring_recvmsg_name(result));
    if (!becomes_answer({payload, size}, *client, task_.counters)) return give_back(id);
    send(id, {payload, size}, *client, static_cast<std::uint16_t>(result->namelen));
  }

  void send(unsigned id, std::span<const std::uint8_t> answer, const sockaddr& client, std::uint16_t client_size) {
    io_uring_sqe* entry = next_entry();
    io_uring_prep_send(entry, 0, answer.data(), answer.size(), 0);
    io_uring_prep_send_set_addr(entry, &client, client_size);
    entry->flags |= IOSQE_FIXED_FILE;
    entry->user_data = id;
    ++in_flight_;
  }

  void on_sent(const io_uring_cqe& completion) {
    count_one(completion.res < 0 ? task_.counters.errors : task_.counters.answered);
    --in_flight_;
    give_back(static_cast<unsigned>(completion.user_data));
  }

  const ServeTask task_;
  const unsigned buffers_;
  unsigned free_;  // buffers that the kernel may fill
  io_uring ring_{};
  bool set_up_ = false, has_files_ = false;
  msghdr description_{};  // of what a multishot recvmsg puts before a datagram
  void* memory_ = MAP_FAILED;
  io_uring_buf_ring* provided_ = nullptr;
  int returned_ = 0;  // buffers given back, not published yet
  bool receiving_ = false;
  std::uint64_t in_flight_ = 0;  // sends
};

}  // namespace

Expected<Serve> prepare_io_uring(const ServeTask& task) {
  auto ring = std::make_unique<Uring>(task);
  NETSETTLE_TRY(ring->set_up());
  return [ring = std::move(ring)] { ring->run(); };
}

}  // namespace netsettle::runners
