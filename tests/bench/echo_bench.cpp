// Queries per second of server CPU time of every I/O model of netsettle-echo, as a ratio to the least that a server can do: one recvfrom
// and one sendto in a bare loop. Each model is measured next to the bare loop (A B A B …), on one CPU, with the load on another.
// Usage: echo_bench [--rounds N] [--milliseconds N] [--batch N] [--only MODEL] [--peer PATH]
// PATH: ISC's dns-echo (dns-echo-user), which is then measured in the same rounds.

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "tests/bench/echo_blaster.hpp"

namespace {

using namespace netsettle;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

constexpr const char* kProgram = NETSETTLE_BIN_DIR "/netsettle-echo";

struct Options {
  int rounds = 7;
  std::chrono::milliseconds duration{300};
  std::string batch = "32", only, peer;
};

struct Cpus {
  int server = 0, load = 0;
};

/// How a server is started and how its answers are counted.
struct Contender {
  std::string name;
  Words argv;  // empty: the bare loop
  bool peer = false;
};

struct Sample {
  double per_cpu_second = 0;  // answers
  double share = 0;           // of the CPU, while the load ran
};

using Count = std::atomic<std::uint64_t>;

void pin(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(static_cast<std::size_t>(cpu), &mask);
  sched_setaffinity(0, sizeof mask, &mask);
}

/// Where that is allowed, so that what else runs on the machine takes little of the two CPUs. The servers inherit it.
void run_before_others() {
  const sched_param parameters{.sched_priority = 1};
  sched_setscheduler(0, SCHED_RR, &parameters);
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

int free_port() {
  const runners::Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return 0;
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

[[noreturn]] void serve_bare(int port, Count& answered) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  const sockaddr_in address = loopback(port);
  if (bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) _exit(1);
  static std::array<char, 65535> buffer;
  for (;;) {
    sockaddr_storage client;
    socklen_t size = sizeof client;
    auto* const sender = reinterpret_cast<sockaddr*>(&client);
    const ssize_t bytes = recvfrom(socket, buffer.data(), buffer.size(), 0, sender, &size);
    buffer[2] = static_cast<char>(buffer[2] | 0x80);
    if (bytes >= 0 && sendto(socket, buffer.data(), static_cast<std::size_t>(bytes), 0, sender, size) >= 0)
      answered.store(answered.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
}

[[noreturn]] void execute(Words argv, const std::string& output) {
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(file, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  execv(words.front(), words.data());
  _exit(127);
}

/// The process that does the work: the only child, or the process itself.
pid_t worker_of(pid_t process) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  pid_t child = 0;
  return children >> child ? child : process;
}

double cpu_seconds_of(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// netsettle-echo: the number after "answered"; dns-echo: the last number of the last line.
std::uint64_t count_in(const std::string& output, bool peer) {
  std::ifstream file(output);
  std::string line, last;
  while (std::getline(file, line))
    if (!line.empty()) last = line;
  constexpr std::string_view kKey = "\"answered\":";
  const std::size_t at = peer ? last.rfind('\t') + 1 : last.find(kKey) + kKey.size();
  std::uint64_t count = 0;
  std::from_chars(last.data() + std::min(at, last.size()), last.data() + last.size(), count);
  return count;
}

class Bench {
 public:
  Bench(const Options& options, Cpus cpus)
      : options_(options),
        cpus_(cpus),
        bare_count_(new(mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Count),
        output_(fmt::format("/tmp/echo-bench-{}.out", getpid())) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() { unlink(output_.c_str()); }

  /// Another process may take the port that was free: tried three times.
  std::optional<Sample> measure(const Contender& contender) {
    std::optional<Sample> sample;
    for (int attempt = 0; attempt < 3 && !sample; ++attempt) sample = measure_once(contender);
    return sample;
  }

 private:
  std::optional<Sample> measure_once(const Contender& contender) {
    const int port = free_port();
    *bare_count_ = 0;
    const pid_t process = start(contender, port);
    bench::EchoBlaster blaster(port);
    if (!blaster.probe()) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
      return std::nullopt;
    }
    const pid_t worker = worker_of(process);
    const double cpu_before = cpu_seconds_of(worker);
    const auto start_time = std::chrono::steady_clock::now();
    blaster.blast(options_.duration);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_time).count();
    const double cpu_loaded = cpu_seconds_of(worker) - cpu_before;
    if (contender.name != "nonblocking" && !contender.name.ends_with(" n")) std::this_thread::sleep_for(20ms);  // the rest of the queue
    const double cpu = cpu_seconds_of(worker) - cpu_before;
    kill(process, contender.argv.empty() ? SIGKILL : SIGINT);
    waitpid(process, nullptr, 0);
    const std::uint64_t answered = contender.argv.empty() ? bare_count_->load() : count_in(output_, contender.peer);
    return Sample{static_cast<double>(answered) / cpu, cpu_loaded / wall};
  }

  pid_t start(const Contender& contender, int port) {
    const pid_t process = fork();
    if (process != 0) return process;
    setpgid(0, 0);
    pin(cpus_.server);
    if (contender.argv.empty()) serve_bare(port, *bare_count_);
    Words argv = contender.argv;
    argv.insert(argv.end(), {contender.peer ? "-p" : "--port", std::to_string(port)});
    if (!contender.peer) argv.insert(argv.end(), {"--batch", options_.batch, "--cpus", std::to_string(cpus_.server)});
    execute(argv, output_);
  }

  const Options options_;
  const Cpus cpus_;
  Count* const bare_count_;
  const std::string output_;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// A model of netsettle-echo, and the same of dns-echo where there is one.
struct Pair {
  Contender own;
  std::optional<Contender> other;
};

std::vector<Pair> pairs(const Options& options) {
  const std::map<std::string, std::string> modes = {{"blocking", "b"}, {"nonblocking", "n"}, {"poll", "p"},
                                                    {"select", "s"},   {"libevent", "l"},    {"recvmmsg", "m"}};
  std::vector<Pair> all;
  for (const std::string model : {"blocking", "nonblocking", "poll", "select", "epoll", "libevent", "recvmmsg", "io_uring"}) {
    if (!options.only.empty() && options.only != model) continue;
    Pair pair{.own = {model, {kProgram, "--io-model", model}}, .other = {}};
    const auto mode = modes.find(model);
    if (!options.peer.empty() && mode != modes.end())
      pair.other = {"dns-echo " + mode->second, {options.peer, "-f", "0", "-t", "1", "-m", mode->second}, true};
    all.push_back(std::move(pair));
  }
  return all;
}

struct Series {
  std::vector<double> ratios, rates, shares;
};

void print_row(const std::string& name, const Series& series) {
  fmt::print("{:<26} {:>10.0f} {:>8.1f} %   {:.3f}  ({:.3f} to {:.3f})\n", name, median(series.rates), 100 * median(series.shares),
             median(series.ratios), std::ranges::min(series.ratios), std::ranges::max(series.ratios));
}

void add(Series& series, const Sample& sample, const Sample& bare) {
  series.rates.push_back(sample.per_cpu_second);
  series.shares.push_back(sample.share);
  series.ratios.push_back(sample.per_cpu_second / bare.per_cpu_second);
}

using Results = std::map<std::string, Series>;

/// False where a server does not answer.
bool measure_round(Bench& bench, const std::vector<Pair>& all, Results& results) {
  for (const Pair& pair : all) {
    const auto bare = bench.measure({"bare loop", {}}), own = bench.measure(pair.own);
    if (!bare || !own) return false;
    add(results["bare loop"], *bare, *bare);
    add(results[pair.own.name], *own, *bare);
    if (!pair.other) continue;
    const auto other = bench.measure(*pair.other);
    if (!other) return false;
    add(results[pair.other->name], *other, *bare);
    add(results[pair.own.name + " / " + pair.other->name], *own, *other);
  }
  return true;
}

void print_results(const std::vector<Pair>& all, Results& results, int rounds) {
  fmt::print("{:<26} {:>10} {:>10}   ratio: median of {} rounds (spread)\n", "", "answers/s", "share of", rounds);
  fmt::print("{:<26} {:>10} {:>10}   to the bare loop\n", "", "of CPU", "the CPU");
  print_row("bare loop", results["bare loop"]);
  for (const Pair& pair : all) print_row(pair.own.name, results[pair.own.name]);
  for (const Pair& pair : all)
    if (pair.other) print_row(pair.other->name, results[pair.other->name]);
  for (const Pair& pair : all)
    if (pair.other) print_row(pair.own.name + " / " + pair.other->name, results[pair.own.name + " / " + pair.other->name]);
}

int run(const Options& options, Cpus cpus) {
  pin(cpus.load);
  run_before_others();
  Bench bench(options, cpus);
  Results results;
  const std::vector<Pair> all = pairs(options);
  for (int round = 0; round < options.rounds; ++round)
    if (!measure_round(bench, all, results)) return fmt::print(stderr, "echo_bench: a server does not answer\n"), 1;
  print_results(all, results, options.rounds);
  return 0;
}

std::optional<Cpus> two_cpus() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return std::nullopt;
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) cpus.push_back(cpu);
  if (cpus.size() < 2) return std::nullopt;
  return Cpus{.server = cpus.back(), .load = cpus.front()};
}

std::optional<Options> parse(const Words& words) {
  Options options;
  const auto number = [](const std::string& word) { return std::max(1, std::atoi(word.c_str())); };
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    if (words[i] == "--rounds") {
      options.rounds = number(value);
    } else if (words[i] == "--milliseconds") {
      options.duration = std::chrono::milliseconds(number(value));
    } else if (words[i] == "--batch") {
      options.batch = value;
    } else if (words[i] == "--only") {
      options.only = value;
    } else if (words[i] == "--peer") {
      options.peer = value;
    } else {
      return std::nullopt;
    }
  }
  return words.size() % 2 == 0 ? std::optional(options) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse({argv + 1, argv + argc});
  if (!options)
    return fmt::print(stderr, "usage: echo_bench [--rounds N] [--milliseconds N] [--batch N] [--only MODEL] [--peer PATH]\n"), 2;
  const auto cpus = two_cpus();
  if (!cpus) return fmt::print(stderr, "echo_bench: needs two CPUs, one for the server and one for the load\n"), 1;
  return run(*options, *cpus);
}
