#pragma once
// A bundle's input as an export makes it, for the tests of this folder.

#include "tuner/bundle/bundle.hpp"

namespace netsettle::tuner {

inline BundleSetting sysctl(const std::string& name, const std::string& path, const std::string& value, const std::string& as_found) {
  return {.name = "sysctl." + name, .value = value, .scope = BundleScope::network_namespace, .files = {{path, value, as_found}}};
}

inline BundleInput sample_input() {
  BundleInput input;
  input.study = "quick";
  input.created_us = 1'796'020'200'000'000;  // 2026-11-30T06:30:00Z
  input.tool_version = "0.1.0";
  input.configuration_id = 7;
  input.configuration.values = {{"processes", std::int64_t{2}}, {"rmem", std::int64_t{4194304}}, {"rps_cpus", AsFound{}}};
  input.settings = {sysctl("net.core.rmem_max", "/proc/sys/net/core/rmem_max", "4194304", "212992"),
                    sysctl("net.core.rmem_default", "/proc/sys/net/core/rmem_default", "4194304", "212992\n")};
  input.server_values = {{"server.processes", "2"}};
  input.evidence = {.verdict = strategies::VerdictKind::winner,
                    .statement = "processes=2, rmem=4 MiB beats the settings you had by 31 %",
                    .effect = strategies::Interval95{0.31, 0.24, 0.38},
                    .blocks = 6,
                    .n = 9,
                    .baseline_n = 20,
                    .alpha = 0.025,
                    .method = "paired-t-log"};
  input.workload = {.query_file = "mixed-1k.txt", .query_sha256 = std::string(64, 'a'), .clients = 8, .outstanding = 500};
  input.host_facts_json = R"({"kernel_release":"6.1.0"})";
  return input;
}

inline BundleSetting device_setting(const std::string& name, std::vector<BundleFile> files) {
  return {.name = name, .value = files.front().value, .scope = BundleScope::device, .files = std::move(files)};
}

inline BundleSetting rps(const std::vector<std::string>& masks, const std::string& as_found) {
  BundleSetting setting{.name = "queues.rps.count", .value = "2", .scope = BundleScope::device, .files = {}};
  for (std::size_t i = 0; i < masks.size(); ++i)
    setting.files.push_back({"/sys/class/net/nss0/queues/rx-" + std::to_string(i) + "/rps_cpus", masks[i], as_found});
  return setting;
}

}  // namespace netsettle::tuner
