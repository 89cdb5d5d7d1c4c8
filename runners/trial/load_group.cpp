#include "runners/trial/load_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>

namespace netsettle::runners {
namespace {

std::string artifact_name(std::size_t index, std::string_view what) {
  return index == 0 ? fmt::format("load.{}", what) : fmt::format("load.{}.{}", index + 1, what);
}

}  // namespace

std::string first_words(const std::string& text) {
  const auto line = text.substr(0, text.find('\n'));
  return line.empty() ? "it wrote nothing" : line.substr(0, 200);
}

CpuSet part_of(const CpuSet& cpus, int index, int parts) {
  const std::vector<CpuId> list(cpus.begin(), cpus.end());
  const std::size_t size = list.size(), i = static_cast<std::size_t>(index), n = static_cast<std::size_t>(std::max(1, parts));
  if (size == 0) return {};
  if (size < n) return {list[i % size]};
  return CpuSet(list.begin() + static_cast<std::ptrdiff_t>(i * size / n), list.begin() + static_cast<std::ptrdiff_t>((i + 1) * size / n));
}

Expected<void> LoadGroup::start(const LoadSection& section, const LoadTarget& target, const CpuSet& cpus) {
  secret_ = target.tsig_key;
  for (int i = 0; i < section.instances; ++i) {
    LoadTarget own = target;
    own.instance = i;
    if (own.first_source_port) own.first_source_port = *own.first_source_port + i * section.clients;
    Instance instance;
    instance.cpus = part_of(cpus, i, section.instances);
    NETSETTLE_ASSIGN(instance.argv, load_.command_line(section, own));
    NETSETTLE_ASSIGN(instance.process, client_.start({.argv = instance.argv, .cpus = instance.cpus, .input = {}, .environment = {}}));
    const pid_t pid = instance.process->watched_pid();
    instances_.push_back(std::move(instance));
    NETSETTLE_TRY(guard_.watch_child(pid));
  }
  return {};
}

bool LoadGroup::wait(Microseconds timeout, const StopFlag* stop) {
  bool all_ended = true;
  for (Instance& instance : instances_) {
    if (!instance.ended) instance.ended = instance.process->wait(all_ended ? timeout : Microseconds(0), stop);
    all_ended = all_ended && instance.ended;
  }
  return all_ended;
}

void LoadGroup::interrupt(Microseconds patience) {
  for (Instance& instance : instances_)
    if (!instance.ended) (void)instance.process->signal(SIGINT);
  if (wait(patience)) return;
  for (Instance& instance : instances_)
    if (!instance.ended) (void)instance.process->signal(SIGKILL);
  (void)wait(std::chrono::seconds(2));
}

std::optional<LoadReport> LoadGroup::report() const {
  std::vector<LoadReport> reports;
  for (const Instance& instance : instances_)
    reports.push_back(load_.parse(instance.process->standard_output(), instance.process->standard_error()));
  if (reports.empty()) return std::nullopt;
  return reports.size() == 1 ? std::move(reports.front()) : added_up(reports);
}

std::vector<Artifact> LoadGroup::artifacts() const {
  std::vector<Artifact> artifacts;
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const Instance& instance = instances_[i];
    artifacts.push_back({artifact_name(i, "argv"), public_text(fmt::format("{}\n", fmt::join(instance.argv, " ")))});
    artifacts.push_back({artifact_name(i, "stdout"), public_text(instance.process->standard_output())});
    if (auto errors = instance.process->standard_error(); !errors.empty())
      artifacts.push_back({artifact_name(i, "stderr"), public_text(std::move(errors))});
  }
  return artifacts;
}

std::optional<std::string> LoadGroup::failure() const {
  for (const Instance& instance : instances_)
    if (!instance.ended || !instance.ended->ok())
      return fmt::format("{} ended with {}: {}", load_.program(),
                         instance.ended ? to_text(*instance.ended) : "a kill after its time was up",
                         public_text(first_words(instance.process->standard_error())));
  return std::nullopt;
}

std::optional<double> LoadGroup::cpu_seconds() const {
  double sum = 0;
  for (const Instance& instance : instances_) {
    if (!instance.ended || !instance.ended->cpu_seconds) return std::nullopt;
    sum += *instance.ended->cpu_seconds;
  }
  return sum;
}

std::vector<LoadGroup::Task> LoadGroup::tasks() const {
  std::vector<Task> tasks;
  for (const Instance& instance : instances_) tasks.push_back({instance.process->pid(), instance.cpus});
  return tasks;
}

/// dnsperf prints its whole command line.
std::string LoadGroup::public_text(std::string text) const {
  if (secret_.empty()) return text;
  constexpr std::string_view kInstead = "<key>";
  for (std::size_t at = text.find(secret_); at != std::string::npos; at = text.find(secret_, at + kInstead.size()))
    text.replace(at, secret_.size(), kInstead);
  return text;
}

}  // namespace netsettle::runners
