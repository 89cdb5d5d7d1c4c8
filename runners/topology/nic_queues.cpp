// How the kernel spreads an interface's packets: RPS, RFS and XPS masks, threaded NAPI, VMBus channels.

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"
#include "runners/topology/fact_reader.hpp"
#include "runners/topology/nic.hpp"

namespace netsettle::runners {
namespace {

std::optional<int> number_in(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  return text ? whole_number<int>(first_line(*text)) : std::nullopt;
}

std::optional<CpuSet> mask_in(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  if (!text) return std::nullopt;
  const auto cpus = parse_cpu_mask(*text);
  return cpus ? std::optional(*cpus) : std::nullopt;
}

std::optional<int> number_behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const auto number = whole_number<std::uint16_t>(name.substr(prefix.size()));
  return number ? std::optional(int{*number}) : std::nullopt;
}

void add_queues(Host& host, Nic& nic) {
  const std::string folder = nic.device.folder + "/queues";
  for (const std::string& name : host.list_directory(folder).value_or(std::vector<std::string>())) {
    const std::string queue = fmt::format("{}/{}/", folder, name);
    if (const auto rx = number_behind(name, "rx-")) {
      ++nic.rx_queues;
      if (auto cpus = mask_in(host, queue + "rps_cpus")) nic.rps_cpus[*rx] = std::move(*cpus);
      if (const auto flows = number_in(host, queue + "rps_flow_cnt")) nic.rps_flow_cnt[*rx] = *flows;
    } else if (const auto tx = number_behind(name, "tx-")) {
      ++nic.tx_queues;
      if (auto cpus = mask_in(host, queue + "xps_cpus")) nic.xps_cpus[*tx] = std::move(*cpus);
    }
  }
}

void add_channels(Host& host, Nic& nic) {
  if (nic.device.kind != NicKind::vmbus) return;
  const std::string folder = nic.device.device + "/channels";
  for (const std::string& name : host.list_directory(folder).value_or(std::vector<std::string>())) {
    const auto channel = number_behind(name, "");
    const auto cpu = channel ? number_in(host, fmt::format("{}/{}/cpu", folder, name)) : std::nullopt;
    if (cpu) nic.channel_cpus[*channel] = *cpu;
  }
}

}  // namespace

void add_queue_settings(Host& host, Nic& nic) {
  add_queues(host, nic);
  add_channels(host, nic);
  if (const auto threaded = number_in(host, nic.device.folder + "/threaded")) nic.threaded = *threaded != 0;
  nic.dev_port = number_in(host, nic.device.folder + "/dev_port");
}

}  // namespace netsettle::runners
