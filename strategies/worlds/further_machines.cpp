#include <algorithm>
#include <array>
#include <cmath>

#include "strategies/worlds/machine_formula.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kMillion = 1e6;

double square(double x) { return x * x; }

/// Where a value of a logarithmic range lies, 0 to 1.
double place(double value, double low, double high) { return std::log(value / low) / std::log(high / low); }

// ---- pipeline6: a chain of stages of which the narrowest counts, on CPUs that they share

constexpr std::string_view kPipeline6 = R"(
[parameters.irq_cpus]
type = "integer"
range = [1, 16]
default = 1
[parameters.workers]
type = "integer"
range = [1, 32]
default = 4
[parameters.batch]
type = "integer"
range = [1, 256]
default = 1
scale = "log"
[parameters.ring]
type = "integer"
range = [64, 4096]
default = 256
scale = "log"
[parameters.coalesce_us]
type = "integer"
range = [1, 512]
default = 50
scale = "log"
[parameters.budget]
type = "integer"
range = [64, 2048]
default = 300
scale = "log"
)";

double pipeline6(const Settings& s) {
  const double irq = s.number("irq_cpus"), workers = s.number("workers");
  const double batch = std::log2(s.number("batch")), coalesce = std::log2(s.number("coalesce_us"));
  // A long wait pays only where batches are as long, and both need a ring that holds them.
  const double matched = std::exp(-square((batch - coalesce + 1) / 4));
  const double overflow = logistic((std::log2(s.number("ring")) - std::max(batch, coalesce) - 3.5) * 1.6);
  const double interrupts = 190e3 * scalability(irq, 0.05, 0.001) * (0.55 + 0.45 * saturation(s.number("budget"), 32, 300)) *
                            (0.7 + 0.3 * std::min(coalesce / 6, 1.0));
  const double serving = 75e3 * scalability(workers, 0.02, 0.0006) * (0.55 + 0.45 * std::min(batch / 5, 1.0));
  const double narrowest = std::pow(std::pow(interrupts, -6) + std::pow(serving, -6) + std::pow(1.4e6, -6), -1.0 / 6);
  const double crowding = 1 / (1 + 0.06 * std::max(irq + workers - 24, 0.0));
  return narrowest * (0.75 + 0.25 * matched) * (0.8 + 0.2 * overflow) * crowding;
}

// ---- wide20: six of twenty parameters matter, two pairs of them together

constexpr std::string_view kWide20 = R"(
[parameters.threads]
type = "integer"
range = [1, 64]
default = 4
[parameters.sockets]
type = "integer"
range = [1, 64]
default = 1
[parameters.batch]
type = "integer"
range = [1, 256]
default = 1
scale = "log"
[parameters.rmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.coalesce_us]
type = "integer"
range = [1, 512]
default = 1
scale = "log"
[parameters.steering]
type = "categorical"
values = ["none", "rps", "rfs", "xps"]
default = "none"
[parameters.wmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.optmem]
type = "integer"
range = [16384, 4194304]
default = 65536
scale = "log"
[parameters.txqueuelen]
type = "integer"
range = [100, 20000]
default = 1000
scale = "log"
[parameters.somaxconn]
type = "integer"
range = [128, 65536]
default = 4096
scale = "log"
[parameters.tx_ring]
type = "integer"
range = [64, 4096]
default = 512
scale = "log"
[parameters.tx_usecs]
type = "integer"
range = [1, 512]
default = 50
scale = "log"
[parameters.dirty_ratio]
type = "integer"
range = [1, 60]
default = 20
[parameters.swappiness]
type = "integer"
range = [0, 100]
default = 60
[parameters.sched_latency_us]
type = "integer"
range = [1000, 50000]
default = 6000
scale = "log"
[parameters.mtu_probing]
type = "categorical"
values = ["0", "1", "2"]
default = "0"
[parameters.thp]
type = "categorical"
values = ["always", "madvise", "never"]
default = "madvise"
[parameters.tso]
type = "categorical"
values = ["on", "off"]
default = "on"
[parameters.qdisc]
type = "categorical"
values = ["pfifo_fast", "fq", "fq_codel", "noqueue"]
default = "fq_codel"
[parameters.timestamps]
type = "categorical"
values = ["on", "off"]
default = "on"
)";

double wide20(const Settings& s) {
  const double threads = s.number("threads");
  const double spread = 1 / (1 + 0.12 * square(std::log2(threads / s.number("sockets"))));
  const double batch = std::log2(s.number("batch")), coalesce = std::log2(s.number("coalesce_us"));
  const double rhythm = std::exp(-square((batch + coalesce - 9) / 6)) * (1 - 0.008 * square(batch - 4));
  const double memory = 0.75 + 0.25 * logistic((std::log2(s.number("rmem")) - 21) * 1.5);
  const double steering = s.is("steering", "rfs") ? 1.0 : s.is("steering", "rps") ? 0.95 : s.is("steering", "xps") ? 0.92 : 0.88;
  return kMillion * scalability(threads, 0.03, 0.0009) / 13 * (0.6 + 0.4 * spread) * (0.7 + 0.3 * rhythm) * memory * steering;
}

// ---- mixed9: three words of six values each that depend on each other

constexpr std::string_view kMixed9 = R"(
[parameters.io_model]
type = "categorical"
values = ["blocking", "epoll", "recvmmsg", "io_uring", "af_packet", "af_xdp"]
default = "blocking"
[parameters.layout]
type = "categorical"
values = ["one_cpu", "all_cpus", "dedicated", "numa_local", "ht_pairs", "remote"]
default = "all_cpus"
[parameters.steering]
type = "categorical"
values = ["none", "rps", "rfs", "xps", "ntuple", "cbpf"]
default = "none"
[parameters.pin]
type = "categorical"
values = ["no", "yes"]
default = "no"
[parameters.poll]
type = "categorical"
values = ["off", "busy"]
default = "off"
[parameters.threads]
type = "integer"
range = [1, 32]
default = 4
[parameters.batch]
type = "integer"
range = [1, 128]
default = 1
scale = "log"
[parameters.ring]
type = "integer"
range = [64, 4096]
default = 512
scale = "log"
[parameters.coalesce_us]
type = "integer"
range = [1, 512]
default = 50
scale = "log"
)";

double model_in_layout(const Settings& s) {
  const std::string& model = s.text("io_model");
  const bool near = s.is("layout", "dedicated") || s.is("layout", "numa_local");
  double gain = s.is("layout", "dedicated")  ? 0.96
                : near                       ? 0.97
                : s.is("layout", "ht_pairs") ? 0.92
                : s.is("layout", "all_cpus") ? 0.85
                                             : 0.7;
  if (model == "af_xdp") return near ? gain : gain * 0.75;  // the best where its queue is near, poor elsewhere
  if (model == "af_packet") return gain * 0.8;
  if (model == "io_uring") return gain * (s.is("layout", "ht_pairs") ? 1.04 : 0.95);
  if (model == "recvmmsg") return gain * 0.94;
  return gain * (model == "epoll" ? 0.86 : 0.8);
}

double model_with_steering(const Settings& s) {
  const std::string& steering = s.text("steering");
  if (s.is("io_model", "af_xdp")) return steering == "ntuple" ? 1.0 : steering == "none" ? 0.93 : 0.85;  // the others are not on its way
  if (steering == "cbpf") return s.is("pin", "yes") ? 1.02 : 0.9;
  if (steering == "rfs") return 0.99;
  if (steering == "ntuple") return 0.97;
  return steering == "none" ? 0.92 : 0.95;
}

double mixed9(const Settings& s) {
  const bool busy = s.is("poll", "busy");
  const double threads = s.number("threads"), coalesce = std::log2(s.number("coalesce_us"));
  const double crowding = busy ? 1 / (1 + 0.05 * std::max(threads - 14, 0.0)) : 1.0;  // polling threads need CPUs of their own
  const double wait = busy ? 1 - 0.01 * coalesce : 1 - 0.01 * square(coalesce - 6);
  const double batch = 1 - 0.012 * square(std::log2(s.number("batch")) - (s.is("io_model", "af_xdp") ? 6 : 4));
  return kMillion * model_in_layout(s) * model_with_steering(s) * (scalability(threads, 0.03, 0.001) / 13) * crowding * wait * batch *
         (busy ? 1.05 : 1.0) * (s.is("pin", "yes") ? 1.0 : 0.98) * (1 - 0.008 * square(std::log2(s.number("ring")) - 10));
}

// ---- corners8: every best value is an end of its range, some of them only together

constexpr std::string_view kCorners8 = R"(
[parameters.coalesce_us]
type = "integer"
range = [1, 1024]
default = 32
scale = "log"
[parameters.ring]
type = "integer"
range = [64, 8192]
default = 512
scale = "log"
[parameters.rmem]
type = "integer"
range = [131072, 134217728]
default = 2097152
scale = "log"
[parameters.backlog]
type = "integer"
range = [1000, 250000]
default = 10000
scale = "log"
[parameters.threads]
type = "integer"
range = [1, 16]
default = 8
[parameters.queues]
type = "integer"
range = [1, 16]
default = 8
[parameters.weight]
type = "integer"
range = [8, 1024]
default = 64
scale = "log"
[parameters.rps]
type = "categorical"
values = ["off", "half", "all"]
default = "half"
)";

double corners8(const Settings& s) {
  const double wait = place(s.number("coalesce_us"), 1, 1024), ring = place(s.number("ring"), 64, 8192);
  const double rmem = place(s.number("rmem"), 131072, 134217728), backlog = place(s.number("backlog"), 1000, 250000);
  const double threads = (s.number("threads") - 1) / 15, queues = (s.number("queues") - 1) / 15;
  const double weight = place(s.number("weight"), 8, 1024);
  const double rps = s.is("rps", "off") ? 1.0 : s.is("rps", "half") ? 0.95 : 0.97;
  return kMillion * (0.8 + 0.2 * ring * (1 - wait)) * (0.75 + 0.25 * std::sqrt(threads * (0.2 + 0.8 * queues))) *
         (0.9 + 0.1 * rmem * rmem) * (0.94 + 0.06 * (backlog * weight + (1 - backlog) * (1 - weight) * 0.8)) * rps;
}

// ---- twin7: a wide hill and, far away, a narrow one that is a little higher

constexpr std::string_view kTwin7 = R"(
[parameters.threads]
type = "integer"
range = [1, 32]
default = 8
[parameters.batch]
type = "integer"
range = [1, 256]
default = 4
scale = "log"
[parameters.busy_poll_us]
type = "integer"
range = [1, 1000]
default = 10
scale = "log"
[parameters.coalesce_us]
type = "integer"
range = [1, 512]
default = 50
scale = "log"
[parameters.ring]
type = "integer"
range = [64, 4096]
default = 512
scale = "log"
[parameters.rmem]
type = "integer"
range = [131072, 134217728]
default = 212992
scale = "log"
[parameters.offload]
type = "categorical"
values = ["off", "gro", "gro_list"]
default = "off"
)";

double twin7(const Settings& s) {
  const std::array at = {(s.number("threads") - 1) / 31,           place(s.number("batch"), 1, 256),
                         place(s.number("busy_poll_us"), 1, 1000), place(s.number("coalesce_us"), 1, 512),
                         place(s.number("ring"), 64, 4096),        place(s.number("rmem"), 131072, 134217728)};
  constexpr std::array kMany = {0.75, 0.25, 0.10, 0.70, 0.60, 0.60};  // many threads that sleep
  constexpr std::array kFew = {0.20, 0.80, 0.85, 0.10, 0.40, 0.60};   // few that poll
  double to_many = 0, to_few = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    to_many += square(at.at(i) - kMany.at(i));
    to_few += square(at.at(i) - kFew.at(i));
  }
  const double many = 0.94 * std::exp(-to_many / 1.2) * (s.is("offload", "off") ? 0.97 : s.is("offload", "gro") ? 1.0 : 0.98);
  const double few = 1.0 * std::exp(-to_few / 0.7) * (s.is("offload", "off") ? 1.0 : s.is("offload", "gro") ? 0.95 : 0.97);
  return kMillion * std::max(many, few);
}

// ---- null6: nothing does anything

constexpr std::string_view kNull6 = R"(
[parameters.threads]
type = "integer"
range = [1, 32]
default = 4
[parameters.rmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.ring]
type = "integer"
range = [64, 4096]
default = 512
scale = "log"
[parameters.coalesce_us]
type = "integer"
range = [1, 512]
default = 50
scale = "log"
[parameters.steering]
type = "categorical"
values = ["none", "rps", "rfs", "xps"]
default = "none"
[parameters.gro]
type = "categorical"
values = ["on", "off"]
default = "on"
)";

double null6(const Settings& /*s*/) { return kMillion; }

}  // namespace

std::span<const MachineFormula> further_machines() {
  static constexpr std::array kMachines = {
      MachineFormula{.name = "pipeline6",
                     .about = "a chain of stages of which the narrowest counts, on CPUs that they share: nothing is a product",
                     .parameters = kPipeline6,
                     .noise = 0.04,
                     .rate = pipeline6,
                     .best = "batch=32 budget=2048 coalesce_us=64 irq_cpus=7 ring=4096 workers=17"},
      MachineFormula{.name = "wide20",
                     .about = "twenty parameters of which fourteen do nothing",
                     .parameters = kWide20,
                     .rate = wide20,
                     .best = "batch=16 coalesce_us=32 rmem=268435456 sockets=33 steering=rfs threads=33"},
      MachineFormula{
          .name = "mixed9",
          .about = "three words of six values each whose best values depend on each other",
          .parameters = kMixed9,
          .noise = 0.06,
          .rate = mixed9,
          .best = "batch=16 coalesce_us=64 io_model=io_uring layout=ht_pairs pin=yes poll=off ring=1024 steering=cbpf threads=31"},
      MachineFormula{.name = "corners8",
                     .about = "every best value is an end of its range",
                     .parameters = kCorners8,
                     .noise = 0.02,
                     .rate = corners8,
                     .best = "backlog=250000 coalesce_us=1 queues=16 ring=8192 rmem=134217728 rps=off threads=16 weight=1024"},
      MachineFormula{.name = "twin7",
                     .about = "a wide hill and, far away, a narrow one that is 6 % higher, 10 % noise",
                     .parameters = kTwin7,
                     .noise = 0.10,
                     .rate = twin7,
                     .best = "batch=84 busy_poll_us=355 coalesce_us=2 offload=off ring=338 rmem=8388608 threads=7"},
      MachineFormula{.name = "null6",
                     .about = "nothing does anything, and the machine swings by 3 %: every claim is wrong",
                     .parameters = kNull6,
                     .noise = 0.04,
                     .wander = {.swing = 0.03},
                     .rate = null6},
  };
  return kMachines;
}

}  // namespace netsettle::strategies
