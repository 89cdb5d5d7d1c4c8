#include "datasets/store/study_rows.hpp"

#include <bit>
#include <cmath>

#include <nlohmann/json.hpp>

#include "datasets/store/parameter_rows.hpp"
#include "datasets/store/value_columns.hpp"

namespace netsettle::datasets {

namespace {

constexpr int kServerRole = 1;  // host_role

std::optional<std::int64_t> whole_fact(const Facts& facts, const std::string& name) {
  const auto fact = facts.find(name);
  if (fact == facts.end() || !std::isfinite(fact->second)) return std::nullopt;
  return static_cast<std::int64_t>(fact->second);
}

/// The metric that the views rank by.
Expected<std::string> objective_metric(const std::string& objective_json) {
  const auto objective = nlohmann::json::parse(objective_json, nullptr, false);
  if (objective.is_object() && objective.contains("maximize") && objective["maximize"].is_string())
    return objective["maximize"].get<std::string>();
  return fail(ErrorCode::invalid_input, "objective", "is not JSON with the name of a metric in \"maximize\"");
}

/// The columns are for queries; `facts_json` is kept as it came, whatever it is.
Expected<std::int64_t> insert_host(const Connection& connection, const StudyRecord& study) {
  return connection.insert(
      "INSERT INTO host (fingerprint, facts_json, kernel, cpu_model, sockets, cores, threads, nodes, ram_bytes) VALUES (?1, ?2, "
      "iif(json_valid(?2), iif(json_type(?2, '$.kernel') = 'text', json_extract(?2, '$.kernel'), NULL), NULL), "
      "iif(json_valid(?2), iif(json_type(?2, '$.cpu_model') = 'text', json_extract(?2, '$.cpu_model'), NULL), NULL), "
      "iif(json_valid(?2), iif(json_type(?2, '$.sockets') = 'integer', json_extract(?2, '$.sockets'), NULL), NULL), ?3, ?4, ?5, ?6)",
      study.host_fingerprint, study.host_facts_json, whole_fact(study.facts, "cores"), whole_fact(study.facts, "cpus"),
      whole_fact(study.facts, "nodes"), whole_fact(study.facts, "ram"));
}

Expected<void> insert_facts(const Connection& connection, std::int64_t study_id, const StudyRecord& study) {
  NETSETTLE_ASSIGN(Statement fact, connection.prepare("INSERT INTO fact VALUES (?1, ?2, ?3)"));
  for (const auto& [name, value] : study.facts) {
    fact.bind(study_id, name, value);
    NETSETTLE_TRY(fact.finish());
  }
  NETSETTLE_ASSIGN(Statement found, connection.prepare("INSERT INTO as_found VALUES (?1, ?2, ?3, ?4, ?5, ?6)"));
  for (const auto& [setting, value] : study.as_found) {
    const ValueColumns columns = to_columns(value);
    found.bind(study_id, setting, static_cast<int>(columns.type), columns.integer, columns.real, columns.text);
    NETSETTLE_TRY(found.finish());
  }
  return {};
}

Expected<void> read_facts(const Connection& connection, std::int64_t study_id, StudyRecord& study) {
  NETSETTLE_ASSIGN(Statement facts, connection.query("SELECT name, value FROM fact WHERE study_id = ?1", study_id));
  NETSETTLE_TRY(facts.for_each([&](const Statement& row) { study.facts[row.text(0)] = row.real(1); }));
  NETSETTLE_ASSIGN(Statement found, connection.query("SELECT setting, type, integer_value, real_value, text_value FROM as_found "
                                                     "WHERE study_id = ?1",
                                                     study_id));
  return found.for_each([&](const Statement& row) { study.as_found[row.text(0)] = value_at(row, 1); });
}

Expected<void> read_host(const Connection& connection, std::int64_t study_id, StudyRecord& study) {
  NETSETTLE_ASSIGN(Statement host, connection.query("SELECT fingerprint, facts_json FROM host JOIN study_host USING (host_id) "
                                                    "WHERE study_id = ?1 AND role = ?2 AND ordinal = 0",
                                                    study_id, kServerRole));
  return host.for_each([&](const Statement& row) {
    study.host_fingerprint = row.text(0);
    study.host_facts_json = row.text(1);
  });
}

Expected<StudyRecord> read_study_row(const Connection& connection, std::int64_t study_id) {
  NETSETTLE_ASSIGN(Statement row,
                   connection.query("SELECT name, spec_file, spec_text, overrides_json, spec_hash, space_hash, workload_hash, "
                                    "seed, until_us, status, created_us, objective_json, parent_record FROM study WHERE study_id = ?1",
                                    study_id));
  NETSETTLE_ASSIGN(const bool found, row.step());
  if (!found) return fail(ErrorCode::io, connection.file(), "has no study: it is damaged");
  NETSETTLE_ASSIGN(std::vector<std::string> overrides, texts_from_json(row.text(3)));
  StudyRecord study;
  study.name = row.text(0);
  study.spec_file = row.text(1);
  study.spec_text = row.text(2);
  study.overrides = std::move(overrides);
  study.spec_hash = row.text(4);
  study.space_hash = row.text(5);
  study.workload_hash = row.text(6);
  study.seed = std::bit_cast<std::uint64_t>(row.integer(7));
  study.until_us = row.optional_integer(8);
  study.status = static_cast<StudyStatus>(row.integer(9));
  study.created_us = row.integer(10);
  study.objective_json = row.text(11);
  study.parent_record = row.optional_text(12);
  return study;
}

}  // namespace

std::string_view to_text(StudyStatus status) {
  switch (status) {
    case StudyStatus::fresh:
      return "new";
    case StudyStatus::running:
      return "running";
    case StudyStatus::paused:
      return "paused";
    case StudyStatus::converged:
      return "converged";
    case StudyStatus::exhausted:
      return "exhausted";
    case StudyStatus::aborted:
      return "aborted";
  }
  return "";
}

Expected<std::int64_t> insert_study(const Connection& connection, const StudyRecord& study) {
  NETSETTLE_ASSIGN(const std::string objective, objective_metric(study.objective_json));
  NETSETTLE_ASSIGN(
      const std::int64_t study_id,
      connection.insert(
          "INSERT INTO study (name, spec_file, spec_text, overrides_json, spec_hash, space_hash, workload_hash, objective, "
          "objective_json, seed, until_us, status, created_us, parent_record) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
          "?12, ?13, ?14)",
          study.name, study.spec_file, study.spec_text, to_json(study.overrides), study.spec_hash, study.space_hash, study.workload_hash,
          objective, study.objective_json, std::bit_cast<std::int64_t>(study.seed), study.until_us, static_cast<int>(study.status),
          study.created_us, study.parent_record));
  NETSETTLE_ASSIGN(const std::int64_t host_id, insert_host(connection, study));
  NETSETTLE_TRY(
      connection.run("INSERT INTO study_host (study_id, host_id, role, ordinal) VALUES (?1, ?2, ?3, 0)", study_id, host_id, kServerRole));
  NETSETTLE_TRY(insert_facts(connection, study_id, study));
  NETSETTLE_TRY(insert_parameters(connection, study_id, study));
  NETSETTLE_TRY(connection.execute("INSERT INTO meta VALUES ('created_by', 'netsettle'), ('schema_notes', 'docs/database.md')"));
  return study_id;
}

Expected<StudyRecord> read_study(const Connection& connection, std::int64_t study_id) {
  NETSETTLE_ASSIGN(StudyRecord study, read_study_row(connection, study_id));
  NETSETTLE_TRY(read_host(connection, study_id, study));
  NETSETTLE_TRY(read_facts(connection, study_id, study));
  NETSETTLE_TRY(read_parameters(connection, study_id, study));
  return study;
}

Expected<std::int64_t> insert_session(const Connection& connection, std::int64_t study_id, const SessionInfo& session,
                                      std::int64_t now_us) {
  NETSETTLE_TRY(connection.run("INSERT INTO meta VALUES ('tool_version', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                               session.tool_version));
  return connection.insert(
      "INSERT INTO session (study_id, boot_id, pid, pid_start, tool_version, argv_json, started_us, heartbeat_us) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
      study_id, session.boot_id, session.pid, session.pid_start, session.tool_version, to_json(session.argv), now_us);
}

Expected<std::vector<SessionRecord>> read_sessions(const Connection& connection, std::int64_t study_id) {
  NETSETTLE_ASSIGN(Statement query, connection.query("SELECT session_id, boot_id, pid, pid_start, tool_version, argv_json, started_us, "
                                                     "heartbeat_us, ended_us, end_reason FROM session WHERE study_id = ?1 "
                                                     "ORDER BY session_id",
                                                     study_id));
  std::vector<SessionRecord> sessions;
  for (;;) {
    NETSETTLE_ASSIGN(const bool row, query.step());
    if (!row) return sessions;
    NETSETTLE_ASSIGN(std::vector<std::string> argv, texts_from_json(query.text(5)));
    sessions.push_back({.id = query.integer(0),
                        .info = {.boot_id = query.text(1),
                                 .pid = query.integer(2),
                                 .pid_start = query.integer(3),
                                 .tool_version = query.text(4),
                                 .argv = std::move(argv)},
                        .started_us = query.integer(6),
                        .heartbeat_us = query.integer(7),
                        .ended_us = query.optional_integer(8),
                        .end_reason = query.text(9)});
  }
}

}  // namespace netsettle::datasets
