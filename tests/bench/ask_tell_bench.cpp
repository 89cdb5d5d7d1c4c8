// What ask and tell cost in one run: tells a second as the record grows, the longest ask, and a bare durable write for comparison. The
// record is a real one, the trials take no time.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "datasets/model/experiment_file.hpp"
#include "runners/hosts/local_host.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tuner/loop/ask_tell.hpp"

namespace {

using namespace netsettle;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

/// Twenty parameters, as an experimenter who knows little would have them.
std::string experiment(int trials) {
  std::string text = fmt::format("schema = 1\n[study]\nname = \"bench\"\n[rig]\nkind = \"external\"\n[budget]\ntrials = {}\n", trials);
  for (int i = 0; i < 20; ++i) text += fmt::format("[parameters.p{}]\ntype = \"integer\"\nrange = [1, 1000]\ndefault = 500\n", i);
  return text;
}

struct Times {
  std::vector<double> asks, tells;
};

/// Runs a whole study; empty where the record cannot be written.
Times run(int trials) {
  Times times;
  const auto parsed = parse_experiment(experiment(trials), "bench.toml", {});
  const tests::TemporaryFolder folder;
  const auto host = runners::make_local_host();
  if (!parsed) return times;
  const auto session =
      tuner::AskTell::open(*host, *parsed, {.database = folder.path() / "bench.netsettle.db", .overrides = {}, .argv = {}});
  if (!session) return times;
  for (int n = 0;; ++n) {
    auto start = Clock::now();
    const auto asked = nlohmann::json::parse((*session)->answer(R"({"ask":{}})"));
    times.asks.push_back(milliseconds_since(start));
    if (!asked.contains("trial")) return times;
    start = Clock::now();
    (*session)->answer(fmt::format(R"({{"tell":{{"trial":{},"value":{}}}}})", asked.at("trial").get<int>(), 100 + (n * 7) % 11));
    times.tells.push_back(milliseconds_since(start));
  }
}

/// The median of an append of 4 KiB with fsync.
double bare_write() {
  const tests::TemporaryFolder folder;
  const int file = open((folder.path() / "bare").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string block(4096, 'x');
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) {
    const auto start = Clock::now();
    if (write(file, block.data(), block.size()) < 0 || fsync(file) != 0) break;
    times.push_back(milliseconds_since(start));
  }
  close(file);
  std::ranges::sort(times);
  return times.empty() ? 0 : times[times.size() / 2];
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

}  // namespace

int main() {
  const double bare = bare_write();
  for (const int trials : {100, 300, 1000}) {
    const Times times = run(trials);
    if (times.tells.empty()) {
      fmt::print(stderr, "ask_tell_bench: the record could not be written\n");
      return 1;
    }
    const double total = sum(times.asks) + sum(times.tells);
    std::vector<double> tells = times.tells;
    std::ranges::sort(tells);
    fmt::print(
        "{:>5} trials of 20 parameters: {:.0f} trials a second, asks included; tell: median {:.2f} ms ({:.1f} bare writes with fsync); "
        "longest "
        "ask {:.0f} ms\n",
        tells.size(), 1000.0 * static_cast<double>(tells.size()) / total, tells[tells.size() / 2], tells[tells.size() / 2] / bare,
        *std::ranges::max_element(times.asks));
  }
  return 0;
}
