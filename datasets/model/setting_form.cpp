#include "datasets/model/setting_form.hpp"

#include <algorithm>

namespace netsettle {

const std::vector<std::string>& io_model_words() {
  static const std::vector<std::string> kWords = {"blocking", "nonblocking", "poll", "select", "epoll", "libevent", "recvmmsg", "io_uring"};
  return kWords;
}

const std::vector<std::string>& socket_words() {
  static const std::vector<std::string> kWords = {"shared", "reuseport", "reuseport-cpu"};
  return kWords;
}

const std::vector<std::string>& placement_words() {
  static const std::vector<std::string> kWords = {"spread", "pack", "one-per-core", "siblings", "nic-node", "remote-node"};
  return kWords;
}

const std::vector<std::string>& memory_words() {
  static const std::vector<std::string> kWords = {"default", "local", "bind", "interleave"};
  return kWords;
}

const std::vector<MachineSetting>& machine_settings() {
  using enum ParameterType;
  static const SettingForm kCount = {.types = {integer}, .smallest = 0};
  static const SettingForm kAnyWord = {.types = {categorical}};
  static const std::vector<MachineSetting> kSettings = {
      {"queues.rps.count", kCount},
      {"queues.rps.mask", {.types = {categorical, cpus}, .words = {"off"}, .cpu_list = true}},
      {"queues.rfs.entries", kCount},
      {"queues.xps.count", kCount},
      {"napi.defer_hard_irqs", kCount},
      {"napi.gro_flush_timeout", kCount},
      {"napi.threaded", kCount},
      {"nic.features.gro", kCount},
      {"nic.features.gso", kCount},
      {"nic.features.ntuple", kCount},
      {"nic.features.rxhash", kCount},
      {"nic.features.rx-gro-hw", kCount},
      {"nic.features.rx-gro-list", kCount},
      {"nic.features.rx-udp-gro-forwarding", kCount},
      {"nic.features.tx-udp-segmentation", kCount},
      {"nic.coalesce.adaptive-rx", kCount},
      {"nic.coalesce.rx-usecs", kCount},
      {"nic.coalesce.rx-frames", kCount},
      {"nic.coalesce.tx-usecs", kCount},
      {"nic.coalesce.tx-frames", kCount},
      {"nic.channels.combined", {.types = {integer}, .smallest = 1}},
      {"nic.channels.rx", {.types = {integer}, .smallest = 1}},
      {"nic.channels.tx", {.types = {integer}, .smallest = 1}},
      {"nic.ring.rx", {.types = {integer}, .smallest = 1}},
      {"nic.ring.tx", {.types = {integer}, .smallest = 1}},
      {"nic.rss.count", {.types = {integer}, .smallest = 1}},
      {"nic.rss.udp4", {.types = {categorical}, .words = {"sd", "sdfn"}}},
      {"nic.rss.udp6", {.types = {categorical}, .words = {"sd", "sdfn"}}},
      {"interrupts.count", {.types = {integer}, .smallest = 1}},
      {"interrupts.node", {.types = {categorical}, .words = {"local", "remote", "any", "with-server", "away-from-server", "sibling"}}},
      {"interrupts.map", kAnyWord},
      {"cpu.governor", kAnyWord},
      {"cpu.epp", kAnyWord},
      {"cpu.boost", kCount},
      {"cpu.idle", kCount},
      {"cpu.dma_latency", {.types = {integer, duration}, .smallest = 0}},
      {"sched.base_slice_ns", kCount},
      {"sched.wakeup_granularity_ns", kCount},
      {"sched.latency_ns", kCount},
      {"sched.migration_cost_ns", kCount},
      {"sched.nr_migrate", kCount},
      {"sched.tunable_scaling", kCount},
      {"sched.preempt", kAnyWord},
      {"actors.irqbalance", {.types = {categorical}, .words = {"running", "banned", "stopped"}}},
  };
  return kSettings;
}

const std::vector<std::string>& other_sysctls() {
  static const std::vector<std::string> kNames = {"sysctl.vm.min_free_kbytes",
                                                  "sysctl.vm.stat_interval",
                                                  "sysctl.vm.swappiness",
                                                  "sysctl.vm.zone_reclaim_mode",
                                                  "sysctl.vm.compaction_proactiveness",
                                                  "sysctl.vm.watermark_boost_factor",
                                                  "sysctl.vm.watermark_scale_factor",
                                                  "sysctl.vm.percpu_pagelist_high_fraction",
                                                  "sysctl.kernel.numa_balancing",
                                                  "sysctl.kernel.timer_migration",
                                                  "sysctl.kernel.nmi_watchdog",
                                                  "sysctl.kernel.watchdog",
                                                  "sysctl.kernel.sched_autogroup_enabled",
                                                  "sysctl.kernel.sched_cfs_bandwidth_slice_us"};
  return kNames;
}

SettingForm form_of(std::string_view setting) {
  using enum ParameterType;
  if (setting.starts_with("sysctl.")) return {};
  if (setting == "server.io_model") return {.types = {categorical}, .words = io_model_words()};
  if (setting == "server.sockets") return {.types = {categorical}, .words = socket_words()};
  if (setting == "server.placement") return {.types = {categorical, cpus}, .words = placement_words(), .cpu_list = true};
  if (setting == "memory.policy") return {.types = {categorical}, .words = memory_words(), .node = true};
  if (setting == "server.receive_buffer" || setting == "server.send_buffer") return {.types = {bytes}, .smallest = 0};
  if (setting == "server.busy_poll") return {.types = {duration}, .smallest = 0};
  if (setting == "load.rate") return {.types = {integer, real}};
  const auto known = std::ranges::find(machine_settings(), setting, &MachineSetting::name);
  if (known != machine_settings().end()) return known->form;
  return {.types = {integer}};
}

bool is_text(const SettingForm& form) {
  return std::ranges::any_of(form.types, [](ParameterType type) { return type == ParameterType::categorical; });
}

}  // namespace netsettle
