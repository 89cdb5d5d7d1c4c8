#include "datasets/store/configuration_rows.hpp"

#include <fmt/format.h>

#include "datasets/store/value_columns.hpp"

namespace netsettle::datasets {

namespace {

Expected<void> insert_values(const Connection& connection, std::int64_t configuration_id, const Configuration& configuration) {
  NETSETTLE_ASSIGN(Statement insert, connection.prepare("INSERT INTO configuration_value VALUES (?1, ?2, ?3, ?4, ?5, ?6)"));
  for (const auto& [name, value] : configuration.values) {
    const ValueColumns columns = to_columns(value);
    insert.bind(configuration_id, name, static_cast<int>(columns.type), columns.integer, columns.real, columns.text);
    NETSETTLE_TRY(insert.finish());
  }
  return {};
}

}  // namespace

Expected<std::int64_t> find_or_insert_configuration(const Connection& connection, std::int64_t study_id, const Configuration& configuration,
                                                    std::string_view origin, std::int64_t now_us) {
  const std::string digest = hash(configuration);
  NETSETTLE_ASSIGN(
      const auto existing,
      connection.find_integer("SELECT configuration_id FROM configuration WHERE study_id = ?1 AND hash = ?2", study_id, digest));
  if (existing) return *existing;
  NETSETTLE_ASSIGN(const std::int64_t id,
                   connection.insert("INSERT INTO configuration (study_id, hash, origin, state, state_reason, created_us) "
                                     "VALUES (?1, ?2, ?3, (SELECT value FROM configuration_state WHERE name = 'active'), '', ?4)",
                                     study_id, digest, origin, now_us));
  NETSETTLE_TRY(insert_values(connection, id, configuration));
  return id;
}

Expected<void> update_configuration_state(const Connection& connection, std::int64_t configuration_id, std::string_view state,
                                          std::string_view reason) {
  NETSETTLE_ASSIGN(const auto value, connection.find_integer("SELECT value FROM configuration_state WHERE name = ?1", state));
  if (!value) return fail(ErrorCode::invalid_input, std::string(state), "is no state of a configuration");
  NETSETTLE_TRY(connection.run("UPDATE configuration SET state = ?2, state_reason = ?3 WHERE configuration_id = ?1", configuration_id,
                               *value, reason));
  if (connection.changes() == 0)
    return fail(ErrorCode::not_found, fmt::format("configuration {}", configuration_id), "is not in the record");
  return {};
}

Expected<std::vector<StudyConfiguration>> read_configurations(const Connection& connection, std::int64_t study_id) {
  NETSETTLE_ASSIGN(Statement query,
                   connection.query("SELECT c.configuration_id, c.origin, v.name, v.type, v.integer_value, v.real_value, v.text_value "
                                    "FROM configuration c LEFT JOIN configuration_value v USING (configuration_id) "
                                    "WHERE c.study_id = ?1 ORDER BY c.configuration_id, v.name",
                                    study_id));
  std::vector<StudyConfiguration> configurations;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) {
    const std::int64_t id = row.integer(0);
    if (configurations.empty() || configurations.back().id != id) configurations.push_back({.id = id, .origin = row.text(1)});
    if (!row.is_null(2)) configurations.back().configuration.values.emplace(row.text(2), value_at(row, 3));
  }));
  return configurations;
}

}  // namespace netsettle::datasets
