#include <algorithm>
#include <array>
#include <cmath>

#include "strategies/worlds/machine_formula.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kMillion = 1e6;

double square(double x) { return x * x; }

/// A plateau over log2 of a size: rises from `low` between `start` and `full`, and declines slowly beyond `over`.
double plateau(double size, double start, double full, double low, double over, double decline) {
  const double l = std::log2(size);
  const double rise = low + (1 - low) * std::clamp((l - start) / (full - start), 0.0, 1.0);
  return rise * (1 - decline * std::max(l - over, 0.0));
}

double budget_gain(const Settings& s) {
  const double budget = s.number("netdev_budget");
  return (0.7 + 0.3 * saturation(budget, 300, 900)) * (1 - 0.02 * std::log(budget / 300) / std::log(33));
}

/// Threads share queues; two threads a queue is best.
double threads_and_queues(const Settings& s) {
  const double threads = s.number("threads");
  return scalability(threads, 0.03, 0.0008) / 15 / (1 + 0.15 * square(std::log2(threads / (2 * s.number("queues")))));
}

constexpr std::string_view kUsl4 = R"(
[parameters.threads]
type = "integer"
range = [1, 96]
default = 4
[parameters.queues]
type = "integer"
range = [1, 48]
default = 1
[parameters.netdev_budget]
type = "integer"
range = [300, 10000]
default = 300
scale = "log"
[parameters.busy_poll]
type = "categorical"
values = ["0", "50", "100"]
default = "0"
)";

double usl4(const Settings& s) {
  const double poll = s.is("busy_poll", "0") ? 0.95 : s.is("busy_poll", "50") ? 1.0 : 0.98;
  return kMillion * threads_and_queues(s) * budget_gain(s) * poll;
}

constexpr std::string_view kCliff8 = R"(
[parameters.netdev_budget]
type = "integer"
range = [300, 10000]
default = 300
scale = "log"
[parameters.budget_usecs]
type = "integer"
range = [2000, 20000]
default = 2000
scale = "log"
[parameters.max_backlog]
type = "integer"
range = [1000, 250000]
default = 1000
scale = "log"
[parameters.rmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.wmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.txqueuelen]
type = "integer"
range = [100, 20000]
default = 1000
scale = "log"
[parameters.optmem]
type = "integer"
range = [16384, 4194304]
default = 65536
scale = "log"
[parameters.dev_weight]
type = "integer"
range = [8, 1024]
default = 64
scale = "log"
)";

double cliff8(const Settings& s) {
  const double usecs = s.number("budget_usecs");
  const double polls =
      0.72 + 0.28 * saturation(std::min(s.number("netdev_budget"), usecs * 0.45), 300, 800) - 0.02 * std::log(usecs / 2000);
  const double backlog = std::log10(s.number("max_backlog"));
  const double queue = (0.68 + 0.32 * logistic((backlog - 4.3) * 14)) * (1 - 0.03 * std::max(backlog - 4.6, 0.0));
  const double weight = 1 - 0.012 * square(std::log2(s.number("dev_weight")) - 7);
  return kMillion * polls * queue * plateau(s.number("rmem"), 17, 23, 0.6, 25, 0.012) * weight;
}

constexpr std::string_view kIrq9 = R"(
[parameters.irq_layout]
type = "categorical"
values = ["one_cpu", "all_cpus", "dedicated", "numa_local", "ht_pairs", "remote"]
default = "all_cpus"
[parameters.irq_cores]
type = "integer"
range = [1, 16]
default = 8
[parameters.worker_cores]
type = "integer"
range = [1, 16]
default = 4
[parameters.rps]
type = "categorical"
values = ["off", "on"]
default = "off"
[parameters.rps_flows]
type = "integer"
range = [256, 65536]
default = 256
scale = "log"
when = "rps in ['on']"
[parameters.gro]
type = "categorical"
values = ["on", "off"]
default = "on"
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
[parameters.adaptive_rx]
type = "categorical"
values = ["on", "off"]
default = "on"
)";

double layout_quality(const std::string& layout) {
  if (layout == "one_cpu") return 0.62;
  if (layout == "all_cpus") return 0.85;
  if (layout == "dedicated") return 1.0;
  if (layout == "numa_local") return 0.97;
  if (layout == "ht_pairs") return 0.92;
  return 0.78;
}

double irq_cores_gain(const std::string& layout, double irq) {
  if (layout == "one_cpu") return 0.8;
  if (layout == "all_cpus") return 0.86;
  return irq == 1 ? 0.8 : 1.0 - 0.035 * (irq - 2);
}

double interrupts(const Settings& s) {
  const std::string& layout = s.text("irq_layout");
  const double irq = s.number("irq_cores"), workers = s.number("worker_cores");
  const double room = layout == "dedicated" || layout == "numa_local" ? 16 : 20;
  const double over = std::max(irq + workers - room, 0.0);
  return scalability(workers, 0.02, 0.002) / 9 * irq_cores_gain(layout, irq) * layout_quality(layout) * (1 - 0.03 * over);
}

double irq9(const Settings& s) {
  const double rps = s.is("rps", "off") ? 1.0 : 0.96 + 0.06 * std::exp(-square((std::log2(s.number("rps_flows")) - 13) / 1.5));
  const double gro = s.is("gro", "off") ? 1.0 : 0.985;
  const double coalescing = s.is("adaptive_rx", "on") ? 0.96 : 1 - 0.008 * square(std::log2(s.number("coalesce_us")) - 6);
  return kMillion * interrupts(s) * rps * gro * coalescing * (1 - 0.01 * square(std::log2(s.number("ring")) - 10.5));
}

constexpr std::string_view kBimodal6 = R"(
[parameters.io_model]
type = "categorical"
values = ["epoll_et", "epoll_lt", "io_uring", "recvmmsg"]
default = "epoll_lt"
[parameters.threads]
type = "integer"
range = [1, 32]
default = 4
[parameters.reuseport]
type = "categorical"
values = ["none", "hash", "cbpf_cpu"]
default = "hash"
[parameters.batch]
type = "integer"
range = [1, 256]
default = 1
scale = "log"
[parameters.sockets]
type = "integer"
range = [1, 4]
default = 1
[parameters.pin]
type = "categorical"
values = ["no", "yes"]
default = "no"
)";

/// Each way of receiving has the batch that suits it.
double receiving(const Settings& s) {
  const std::string& model = s.text("io_model");
  const double l = std::log2(s.number("batch"));
  if (model == "recvmmsg") return 0.99 * (1 - 0.012 * square(l - 5));
  if (model == "io_uring") return 1.0 * (1 - 0.016 * square(l - 6));
  return (model == "epoll_et" ? 0.93 : 0.90) * (1 - 0.004 * square(l - 3));
}

double bimodal6(const Settings& s) {
  constexpr std::array kSockets = {0.97, 1.0, 0.98, 0.95};
  const double placement = s.is("reuseport", "none") ? 0.6 : s.is("reuseport", "hash") ? 1.06 : 1.0;
  const double sockets = kSockets.at(static_cast<std::size_t>(s.number("sockets")) - 1);
  const double pin = s.is("pin", "yes") ? 1.0 : 1.01;
  return kMillion * receiving(s) * (scalability(s.number("threads"), 0.03, 0.001) / 13) * placement * sockets * pin;
}

SlowMode bimodal6_slow(const Settings& s) {
  if (s.is("reuseport", "hash")) return {.probability = s.number("sockets") < 3 ? 0.5 : 0.35, .depth = 0.25};
  if (s.is("pin", "no")) return {.probability = 0.15, .depth = 0.12};
  return {.probability = 0.02, .depth = 0.25};
}

constexpr std::string_view kDrift6 = R"(
[parameters.threads]
type = "integer"
range = [1, 48]
default = 4
[parameters.queues]
type = "integer"
range = [1, 16]
default = 4
[parameters.netdev_budget]
type = "integer"
range = [300, 10000]
default = 300
scale = "log"
[parameters.rmem]
type = "integer"
range = [131072, 134217728]
default = 212992
scale = "log"
[parameters.coalesce_us]
type = "integer"
range = [1, 512]
default = 50
scale = "log"
[parameters.xps]
type = "categorical"
values = ["off", "cpus", "rxqs"]
default = "off"
)";

double drift6(const Settings& s) {
  const double xps = s.is("xps", "off") ? 0.96 : s.is("xps", "cpus") ? 1.0 : 0.985;
  return kMillion * threads_and_queues(s) * budget_gain(s) * plateau(s.number("rmem"), 17, 22, 0.75, 24, 0.01) *
         (1 - 0.006 * square(std::log2(s.number("coalesce_us")) - 4)) * xps;
}

constexpr std::string_view kCrash8 = R"(
[parameters.io_model]
type = "categorical"
values = ["epoll", "io_uring", "af_xdp"]
default = "epoll"
[parameters.sqpoll]
type = "categorical"
values = ["off", "on"]
default = "off"
when = "io_model in ['io_uring']"
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
range = [64, 8192]
default = 512
scale = "log"
[parameters.max_backlog]
type = "integer"
range = [1000, 250000]
default = 1000
scale = "log"
[parameters.hugepages]
type = "categorical"
values = ["off", "on"]
default = "off"
[parameters.umem_frames]
type = "integer"
range = [1024, 131072]
default = 4096
scale = "log"
when = "io_model in ['af_xdp']"
)";

double io_model_gain(const Settings& s) {
  if (s.is("io_model", "epoll")) return 0.8;
  if (s.is("io_model", "io_uring")) return 0.86 + (s.is("sqpoll", "on") ? 0.06 : 0);
  return 0.70 + 0.30 * std::clamp((std::log2(s.number("umem_frames")) - 10) / 6, 0.0, 1.0);
}

double crash8(const Settings& s) {
  const double pages = s.is("hugepages", "on") ? 1.01 : 1.0;
  const double backlog = 0.8 + 0.2 * logistic((std::log10(s.number("max_backlog")) - 4) * 10);
  return kMillion * io_model_gain(s) * pages * (scalability(s.number("threads"), 0.03, 0.0006) / 15) *
         plateau(s.number("rmem"), 17, 25, 0.7, 27, 0.01) * (1 - 0.008 * square(std::log2(s.number("ring")) - 11)) * backlog;
}

/// Out of memory, too many polling threads, or more frames than can be locked.
bool crash8_fails(const Settings& s) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  const double threads = s.number("threads");
  if (threads * s.number("rmem") > kGiB) return true;
  if (s.is("io_model", "io_uring") && s.is("sqpoll", "on") && threads > 12) return true;
  return s.is("io_model", "af_xdp") && s.number("umem_frames") * 4096 * threads > 4 * kGiB * (s.is("hugepages", "on") ? 2 : 1);
}

constexpr std::string_view kFlat10 = R"(
[parameters.netdev_budget]
type = "integer"
range = [300, 10000]
default = 300
scale = "log"
[parameters.max_backlog]
type = "integer"
range = [1000, 250000]
default = 1000
scale = "log"
[parameters.rmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.wmem]
type = "integer"
range = [131072, 268435456]
default = 212992
scale = "log"
[parameters.threads]
type = "integer"
range = [4, 16]
default = 8
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
[parameters.gro]
type = "categorical"
values = ["on", "off"]
default = "on"
[parameters.thp]
type = "categorical"
values = ["always", "madvise", "never"]
default = "madvise"
[parameters.xps]
type = "categorical"
values = ["off", "on"]
default = "off"
)";

double flat10(const Settings& s) {
  const auto away = [&](const char* name, double best, double slope) { return 1 - slope * std::abs(std::log2(s.number(name)) - best); };
  return kMillion * (1 - 0.010 * std::abs(std::log(s.number("netdev_budget") / 450))) * away("rmem", 19, 0.004) *
         (1 - 0.006 * std::abs(s.number("threads") - 7)) * away("ring", 9.5, 0.006) * away("coalesce_us", 5, 0.005) *
         (s.is("gro", "on") ? 1.0 : 0.985) * (s.is("xps", "on") ? 1.0 : 0.99);
}

}  // namespace

std::span<const MachineFormula> published_machines() {
  static constexpr std::array kMachines = {
      MachineFormula{.name = "usl4",
                     .about = "universal scalability law x queues, saturating budget, busy poll",
                     .parameters = kUsl4,
                     .rate = usl4,
                     .best = "threads=34 queues=17 netdev_budget=5475 busy_poll=50"},
      MachineFormula{.name = "cliff8",
                     .about = "a cliff in the backlog, a buffer plateau, a budget limited by its time limit, 3 inert parameters",
                     .parameters = kCliff8,
                     .rate = cliff8,
                     .best = "netdev_budget=3647 budget_usecs=8041 max_backlog=45358 rmem=8400248 dev_weight=128"},
      MachineFormula{.name = "irq9",
                     .about = "six interrupt layouts x interrupt CPUs (best at exactly 2) x worker CPUs, conditional flows",
                     .parameters = kIrq9,
                     .noise = 0.04,
                     .rate = irq9,
                     .best = "irq_layout=dedicated irq_cores=2 worker_cores=14 rps=on rps_flows=8192 gro=off coalesce_us=64 ring=1448 "
                             "adaptive_rx=off"},
      MachineFormula{.name = "bimodal6",
                     .about = "placement by hash: the highest peak falls by 25 % in half of its trials",
                     .parameters = kBimodal6,
                     .noise = 0.015,
                     .rate = bimodal6,
                     .slow = bimodal6_slow,
                     .best = "io_model=io_uring threads=31 reuseport=cbpf_cpu batch=64 sockets=2 pin=yes"},
      MachineFormula{.name = "drift6",
                     .about = "a 5 % swing, a 6 % step and a random walk over the night",
                     .parameters = kDrift6,
                     .noise = 0.02,
                     .wander = {.swing = 0.05, .step = 0.06, .walk = 0.003},
                     .rate = drift6,
                     .best = "threads=33 queues=16 netdev_budget=5475 rmem=4197941 coalesce_us=16 xps=cpus"},
      MachineFormula{.name = "crash8",
                     .about = "a memory limit and regions that crash (27 % of the space), the optimum at their border",
                     .parameters = kCrash8,
                     .rate = crash8,
                     .fails = crash8_fails,
                     .best = "io_model=af_xdp threads=32 rmem=33554432 ring=2048 max_backlog=250000 hugepages=on umem_frames=65536"},
      MachineFormula{.name = "flat10",
                     .about = "the defaults are nearly optimal, 8 % noise: nothing to gain",
                     .parameters = kFlat10,
                     .noise = 0.08,
                     .rate = flat10,
                     .best = "netdev_budget=450 rmem=524288 threads=7 ring=724 coalesce_us=32 xps=on"},
  };
  return kMachines;
}

}  // namespace netsettle::strategies
