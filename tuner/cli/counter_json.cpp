#include "tuner/cli/counter_json.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "runners/probes/cpu_counters.hpp"
#include "runners/probes/text_lines.hpp"
#include "runners/probes/udp_sockets.hpp"

namespace netsettle::tuner {

Json malformed_fields(const Error& error, std::size_t lines_before) {
  Json fields = {{"malformed", true}, {"why", printable(error.text)}};
  if (const auto line = runners::line_of(error); line && *line > 0) fields["good_lines"] = *line - 1 - std::min(*line - 1, lines_before);
  return fields;
}

std::string printable(std::string_view text) {
  std::string clean(text);
  std::ranges::replace_if(clean, [](char c) { return c < ' ' || c > '~'; }, '?');
  return clean;
}

std::uint32_t delta_modulo_32(std::uint64_t before, std::uint64_t after) { return static_cast<std::uint32_t>(after - before); }

bool looks_reset_32(std::uint64_t before, std::uint64_t after) {
  constexpr std::uint32_t kHalf = 1u << 31, kMuch = 1u << 29;
  const std::uint32_t delta = delta_modulo_32(before, after);
  return delta >= kHalf || (after < before && delta >= kMuch);
}

// ---- /proc/stat ----

namespace {

using runners::CpuTimes;

std::int64_t ticks_between(std::uint64_t before, std::uint64_t after) { return static_cast<std::int64_t>(after - before); }

Json times_between(const CpuTimes& before, const CpuTimes& after) {
  Json fields = {{"user", ticks_between(before.user, after.user)},         {"nice", ticks_between(before.nice, after.nice)},
                 {"system", ticks_between(before.system, after.system)},   {"idle", ticks_between(before.idle, after.idle)},
                 {"iowait", ticks_between(before.iowait, after.iowait)},   {"irq", ticks_between(before.irq, after.irq)},
                 {"softirq", ticks_between(before.softirq, after.softirq)}};
  const auto add = [&](const char* name, const auto& first, const auto& second) {
    if (first && second) fields[name] = ticks_between(*first, *second);
  };
  add("steal", before.steal, after.steal);
  add("guest", before.guest, after.guest);
  add("guest_nice", before.guest_nice, after.guest_nice);
  fields["total"] = ticks_between(total_of(before), total_of(after));
  return fields;
}

bool went_back(const CpuTimes& before, const CpuTimes& after) {  // idle and iowait may, proc(5)
  return after.user < before.user || after.nice < before.nice || after.system < before.system || after.irq < before.irq ||
         after.softirq < before.softirq || after.steal < before.steal;
}

Expected<std::map<int, CpuTimes>> cpu_times_in(const CounterTree& tree, Json& problem) {
  NETSETTLE_ASSIGN(const std::string text, tree.text("proc/stat"));
  auto times = runners::parse_stat(text);
  if (!times) problem = malformed_fields(times.error());
  return times ? std::move(*times) : std::map<int, CpuTimes>();
}

}  // namespace

Expected<Json> stat_reading(const CounterTree& tree) {
  Json problem;
  NETSETTLE_ASSIGN(auto times, cpu_times_in(tree, problem));
  if (!problem.is_null()) return problem;
  Json cpus = Json::object();
  Json fields = {{"columns", times.at(-1).columns}};
  times.erase(-1);
  for (const auto& [cpu, own] : times) cpus[std::to_string(cpu)] = times_between({.steal = 0, .guest = 0, .guest_nice = 0}, own);
  fields["cpus"] = std::move(cpus);
  return fields;
}

Expected<Json> stat_difference(const CounterTree& before, const CounterTree& after) {
  Json problem;
  NETSETTLE_ASSIGN(auto first, cpu_times_in(before, problem));
  if (!problem.is_null()) return problem;
  NETSETTLE_ASSIGN(auto second, cpu_times_in(after, problem));
  if (!problem.is_null()) return problem;
  Json fields = {{"columns", second.at(-1).columns}};
  const bool counts_steal = first.at(-1).steal && second.at(-1).steal;
  first.erase(-1);
  second.erase(-1);
  Json delta = Json::object(), steal_seen = Json::object();
  bool reset = false;
  for (const int cpu : keys_of_both(first, second)) {
    const std::string name = std::to_string(cpu);
    const auto earlier = first.find(cpu), later = second.find(cpu);
    const bool in_both = earlier != first.end() && later != second.end();
    delta[name] = in_both ? times_between(earlier->second, later->second) : Json(nullptr);
    if (counts_steal) steal_seen[name] = in_both ? Json(later->second.steal > earlier->second.steal) : Json(nullptr);
    reset = reset || (in_both && went_back(earlier->second, later->second));
  }
  fields["delta"] = std::move(delta);
  if (counts_steal) fields["steal_seen"] = std::move(steal_seen);
  if (reset) fields["reset_suspected"] = true;
  return fields;
}

// ---- /proc/net/udp and udp6 ----

namespace {

using runners::UdpSocket;

/// Both families; a file that is not there has no sockets, but one of them must be.
Expected<std::vector<UdpSocket>> sockets_in(const CounterTree& tree, Json& problem) {
  std::vector<UdpSocket> sockets;
  constexpr const char *kUdp = "proc/net/udp", *kUdp6 = "proc/net/udp6";
  std::vector<const char*> paths;
  if (tree.has(kUdp) || !tree.has(kUdp6)) paths.push_back(kUdp);
  if (tree.has(kUdp6)) paths.push_back(kUdp6);
  for (const char* path : paths) {
    NETSETTLE_ASSIGN(const std::string text, tree.text(path));
    auto found = runners::parse_udp_sockets(text);
    if (!found) {
      problem = malformed_fields(found.error(), 1);
      return sockets;
    }
    std::ranges::move(*found, std::back_inserter(sockets));
  }
  return sockets;
}

Json sockets_json(const std::vector<UdpSocket>& sockets) {
  Json list = Json::array();
  for (const UdpSocket& socket : sockets)
    list.push_back({{"inode", socket.inode},
                    {"local", socket.local},
                    {"remote", socket.remote},
                    {"rx_queue", socket.rx_queue},
                    {"tx_queue", socket.tx_queue},
                    {"drops", socket.drops}});
  return list;
}

std::map<std::uint64_t, std::uint64_t> drops_by_inode(const std::vector<UdpSocket>& sockets) {
  std::map<std::uint64_t, std::uint64_t> drops;
  for (const UdpSocket& socket : sockets)
    if (socket.inode != 0) drops.emplace(socket.inode, socket.drops);  // 0: some of the kernel's own, several may be
  return drops;
}

}  // namespace

Expected<Json> udp_reading(const CounterTree& tree) {
  Json problem;
  NETSETTLE_ASSIGN(const auto sockets, sockets_in(tree, problem));
  if (!problem.is_null()) return problem;
  return Json{{"sockets", sockets_json(sockets)}};
}

Expected<Json> udp_difference(const CounterTree& before, const CounterTree& after) {
  Json problem;
  NETSETTLE_ASSIGN(const auto first, sockets_in(before, problem));
  if (!problem.is_null()) return problem;
  NETSETTLE_ASSIGN(const auto second, sockets_in(after, problem));
  if (!problem.is_null()) return problem;
  const auto earlier = drops_by_inode(first), later = drops_by_inode(second);
  Json delta = Json::object(), gone = Json::array(), fresh = Json::array();
  bool reset = false;
  for (const std::uint64_t inode : keys_of_both(earlier, later)) {
    if (!later.contains(inode)) {
      gone.push_back(inode);
    } else if (!earlier.contains(inode)) {
      fresh.push_back(inode);
    } else {
      delta[std::to_string(inode)] = delta_modulo_32(earlier.at(inode), later.at(inode));
      reset = reset || looks_reset_32(earlier.at(inode), later.at(inode));
    }
  }
  Json fields = {{"before", sockets_json(first)}, {"after", sockets_json(second)}};
  fields["drops_delta"] = std::move(delta);
  fields["gone"] = std::move(gone);
  fields["new"] = std::move(fresh);
  if (reset) fields["reset_suspected"] = true;
  return fields;
}

}  // namespace netsettle::tuner
