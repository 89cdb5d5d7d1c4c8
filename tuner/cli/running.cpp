#include "tuner/cli/running.hpp"

#include "runners/hosts/local_host.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/topology/host_facts.hpp"

namespace netsettle::tuner {

Expected<std::optional<runners::LockHolder>> writer_of(const Record& record) {
  NETSETTLE_ASSIGN(const auto sessions, record.store.sessions());
  if (sessions.empty() || sessions.back().ended_us) return std::nullopt;
  const auto& last = sessions.back();
  const auto host = runners::make_local_host();
  if (last.info.boot_id != runners::boot_id(*host) || !runners::is_running({last.info.pid, last.info.pid_start})) return std::nullopt;
  runners::LockHolder writer;
  writer.study = record.study.name;
  writer.pid = last.info.pid;
  writer.pid_start = last.info.pid_start;
  writer.since_us = last.started_us;
  writer.database = std::filesystem::absolute(record.path);
  return writer;
}

}  // namespace netsettle::tuner
