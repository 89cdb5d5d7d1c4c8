// A DNS server that does one thing wrong on command, from a given moment on. Its report has the form of netsettle-echo's.
// --address A --port P [--after-ms T] and one or more of: --drop-every N, --silent, --stuck, --die, --rcode R, --truncate, --delay-us D,
// --late-ms L (every 20th answer), --filter N (the socket refuses one of N datagrams), --buffer BYTES, --lie PERCENT (of its counts).
// --loading N: the first N queries get SERVFAIL, as from a name server that still loads its zones.

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stop = 0;
void on_signal(int) { stop = 1; }

struct Options {
  std::map<std::string, std::string> texts;
  long number(const char* name, long otherwise = 0) const {
    const auto found = texts.find(name);
    return found == texts.end() ? otherwise : std::strtol(found->second.c_str(), nullptr, 10);
  }
  bool has(const char* name) const { return texts.contains(name); }
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const bool has_value = i + 1 < argc && std::strncmp(argv[i + 1], "--", 2) != 0;
    options.texts[name] = has_value ? argv[++i] : "";
  }
  return options;
}

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(EXIT_FAILURE);
}

int bound_socket(const Options& options) {
  const int socket_fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(options.number("--port")));
  inet_pton(AF_INET, options.texts.at("--address").c_str(), &address.sin_addr);
  if (bind(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) give_up("bind");
  if (const int bytes = static_cast<int>(options.number("--buffer")); bytes > 0)
    setsockopt(socket_fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  return socket_fd;
}

/// A classic BPF program that drops one of n datagrams at random.
void attach_filter(int socket_fd, std::uint32_t n) {
  sock_filter program[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_RANDOM)},
      {BPF_ALU | BPF_MOD | BPF_K, 0, 0, n},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0},
      {BPF_RET | BPF_K, 0, 0, 0},
      {BPF_RET | BPF_K, 0, 0, 0xffffffff},
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  if (setsockopt(socket_fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0) give_up("filter");
}

struct LateAnswer {
  Clock::time_point due;
  std::vector<unsigned char> bytes;
  sockaddr_in client;
};

class Server {
 public:
  Server(const Options& options, int socket_fd) : options_(options), socket_(socket_fd) {}

  void run() {
    while (!stop) {
      send_late();
      pollfd event{socket_, POLLIN, 0};
      if (poll(&event, 1, 5) <= 0) continue;
      if (begun() && options_.has("--stuck")) {
        pause();
        continue;
      }
      serve_one();
    }
  }

  void report() const {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    const long lie = 100 + options_.number("--lie");
    std::printf(R"({"workers":[{"process":0,"thread":0,"pid":%d,"cpus":"0","received":%lld,"answered":%lld,"malformed":0,"errors":0}],)"
                R"("cpu_seconds":%.3f,"receive_buffer":212992,"send_buffer":212992,"unpinned":0})"
                "\n",
                getpid(), received_ * lie / 100, answered_ * lie / 100, seconds);
  }

 private:
  /// The readiness queries come before: only from the 50th query on the clock runs.
  bool begun() {
    if (received_ == 50) first_ = Clock::now();
    return received_ > 50 && Clock::now() - first_ >= std::chrono::milliseconds(options_.number("--after-ms"));
  }

  void serve_one() {
    std::vector<unsigned char> bytes(4096);
    sockaddr_in client{};
    socklen_t size = sizeof client;
    const ssize_t length = recvfrom(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&client), &size);
    if (length < 12) return;
    ++received_;
    bytes.resize(static_cast<std::size_t>(length));
    bytes[2] = static_cast<unsigned char>(bytes[2] | 0x80);
    if (received_ <= options_.number("--loading")) bytes[3] = static_cast<unsigned char>((bytes[3] & 0xf0) | 2);
    const bool faulty = begun() || options_.number("--after-ms", -1) == 0;
    if (faulty && !break_something(bytes, client)) return;
    if (sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&client), size) > 0) ++answered_;
  }

  /// False: no answer now.
  bool break_something(std::vector<unsigned char>& bytes, const sockaddr_in& client) {
    if (options_.has("--die")) raise(SIGKILL);
    if (options_.has("--silent")) return false;
    if (const long n = options_.number("--drop-every"); n > 0 && received_ % n == 0) return false;
    if (const long rcode = options_.number("--rcode"); rcode > 0) bytes[3] = static_cast<unsigned char>((bytes[3] & 0xf0) | rcode);
    if (options_.has("--truncate")) bytes[2] = static_cast<unsigned char>(bytes[2] | 0x02);
    if (const long delay = options_.number("--delay-us"); delay > 0) usleep(static_cast<useconds_t>(delay));
    if (const long late = options_.number("--late-ms"); late > 0 && received_ % 20 == 0) {
      late_.push_back({Clock::now() + std::chrono::milliseconds(late), bytes, client});
      return false;
    }
    return true;
  }

  void send_late() {
    while (!late_.empty() && late_.front().due <= Clock::now()) {
      const LateAnswer& answer = late_.front();
      if (sendto(socket_, answer.bytes.data(), answer.bytes.size(), 0, reinterpret_cast<const sockaddr*>(&answer.client),
                 sizeof answer.client) > 0)
        ++answered_;
      late_.pop_front();
    }
  }

  const Options& options_;
  int socket_;
  long long received_ = 0, answered_ = 0;
  Clock::time_point first_;
  std::deque<LateAnswer> late_;
};

}  // namespace

int main(int argc, char** argv) {
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigaction(SIGTERM, &action, nullptr);
  const Options options = parse(argc, argv);
  const int socket_fd = bound_socket(options);
  if (const long n = options.number("--filter"); n > 0) attach_filter(socket_fd, static_cast<std::uint32_t>(n));
  Server server(options, socket_fd);
  server.run();
  server.report();
  return EXIT_SUCCESS;
}
