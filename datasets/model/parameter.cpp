#include "datasets/model/parameter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "datasets/model/cpu_set.hpp"

namespace netsettle {
namespace {

template <typename Number>
Expected<Value> parse_number(std::string_view text, std::string_view expected) {
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = status == std::errc() && end == text.data() + text.size() && std::isfinite(static_cast<double>(number));
  if (!whole) return fail(ErrorCode::invalid_input, std::string(text), fmt::format("not {}", expected));
  return Value(number);
}

Expected<Value> parse_boolean(std::string_view text) {
  if (text == "true") return Value(true);
  if (text == "false") return Value(false);
  return fail(ErrorCode::invalid_input, std::string(text), "not true or false");
}

}  // namespace

Expected<Value> parse_value(ParameterType type, std::string_view text) {
  if (text == "as-found") return Value(AsFound{});
  switch (type) {
    case ParameterType::integer:
      return parse_number<std::int64_t>(text, "a whole number (like 4096)");
    case ParameterType::real:
      return parse_number<double>(text, "a number (like 0.5)");
    case ParameterType::bytes:
      return parse_bytes(text);
    case ParameterType::duration:
      return parse_duration_us(text);
    case ParameterType::boolean:
      return parse_boolean(text);
    case ParameterType::categorical:
      if (text.empty()) return fail(ErrorCode::invalid_input, {}, "an empty text is not a value");
      return Value(std::string(text));
    case ParameterType::cpus: {
      NETSETTLE_ASSIGN(const CpuSet cpus, parse_cpu_list(text));
      if (cpus.empty()) return fail(ErrorCode::invalid_input, {}, "an empty CPU list is not a value");
      return Value(to_cpu_list(cpus));
    }
  }
  return fail(ErrorCode::internal, {}, "a parameter type that does not exist");
}

bool is_numeric(ParameterType type) {
  return type == ParameterType::integer || type == ParameterType::real || type == ParameterType::bytes || type == ParameterType::duration;
}

bool is_host_wide(std::string_view setting) {
  // net.core: in other namespaces these files are absent or read-only, but for a few that only newer kernels give to each namespace;
  // counting those as host-wide is the cautious side.
  if (setting.starts_with("sysctl.net.core.")) return true;
  static constexpr std::array<std::string_view, 6> kMachine = {"sysctl.vm.", "sysctl.kernel.", "interrupts.", "cpu.", "sched.", "actors."};
  if (std::ranges::any_of(kMachine, [setting](std::string_view room) { return setting.starts_with(room); })) return true;
  if (setting == "queues.rfs.entries") return true;  // the table of flows is the whole machine's
  // The files of net.ipv4 and net.ipv6 that exist in the initial namespace only (seen on Linux 6.18).
  static constexpr std::array<std::string_view, 19> kInitialNamespaceOnly = {"sysctl.net.ipv4.cipso_cache_bucket_size",
                                                                             "sysctl.net.ipv4.cipso_cache_enable",
                                                                             "sysctl.net.ipv4.cipso_rbm_optfmt",
                                                                             "sysctl.net.ipv4.cipso_rbm_strictvalid",
                                                                             "sysctl.net.ipv4.fib_sync_mem",
                                                                             "sysctl.net.ipv4.inet_peer_maxttl",
                                                                             "sysctl.net.ipv4.inet_peer_minttl",
                                                                             "sysctl.net.ipv4.inet_peer_threshold",
                                                                             "sysctl.net.ipv4.ipfrag_secret_interval",
                                                                             "sysctl.net.ipv4.tcp_available_ulp",
                                                                             "sysctl.net.ipv4.tcp_low_latency",
                                                                             "sysctl.net.ipv4.tcp_max_orphans",
                                                                             "sysctl.net.ipv4.tcp_mem",
                                                                             "sysctl.net.ipv4.udp_mem",
                                                                             "sysctl.net.ipv6.calipso_cache_bucket_size",
                                                                             "sysctl.net.ipv6.calipso_cache_enable",
                                                                             "sysctl.net.ipv6.ip6frag_secret_interval",
                                                                             "sysctl.net.ipv6.mld_max_msf",
                                                                             "sysctl.net.ipv6.mld_qrv"};
  return std::ranges::find(kInitialNamespaceOnly, setting) != kInitialNamespaceOnly.end();
}

}  // namespace netsettle
