#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "datasets/store/care.hpp"
#include "datasets/store/compression.hpp"
#include "datasets/store/configuration_rows.hpp"
#include "datasets/store/connection.hpp"
#include "datasets/store/location.hpp"
#include "datasets/store/schema.hpp"

namespace netsettle::datasets {

namespace {

constexpr std::pair<std::string_view, std::string_view> kCounted[] = {
    {"sessions", "session"}, {"configurations", "configuration"}, {"trials", "trial"},   {"decisions", "decision"},
    {"settings", "applied"}, {"measurements", "measurement"},     {"samples", "sample"}, {"raw_texts", "artifact"},
    {"bundles", "bundle"},
};

/// A query that a damaged file refuses is a finding like any other.
void note(Expected<void> result, std::vector<std::string>& findings) {
  if (!result) findings.push_back(to_text(result.error()));
}

Expected<void> check_database(const Connection& connection, std::vector<std::string>& findings) {
  NETSETTLE_ASSIGN(Statement check, connection.prepare("PRAGMA main.integrity_check"));
  return check.for_each([&](const Statement& row) {
    if (row.text(0) != "ok") findings.push_back("database: " + row.text(0));
  });
}

Expected<void> check_references(const Connection& connection, std::vector<std::string>& findings) {
  NETSETTLE_ASSIGN(Statement check,
                   connection.prepare("SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check(NULL, 'main') GROUP BY 1, 2"));
  return check.for_each([&](const Statement& row) {
    findings.push_back(
        fmt::format("references: {} rows of {} name rows of {} that do not exist", row.integer(2), row.text(0), row.text(1)));
  });
}

Expected<void> check_raw_output(const Connection& connection, std::vector<std::string>& findings) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT trial_id, kind, content, bytes, sha256 FROM artifact ORDER BY artifact_id"));
  return query.for_each([&](const Statement& row) {
    const auto text = unpack(row.bytes(2), row.integer(3), row.text(4));
    if (!text) findings.push_back(fmt::format("trial {}, {}: {}", row.integer(0), row.text(1), to_text(text.error())));
  });
}

Expected<void> check_bundles(const Connection& connection, std::vector<std::string>& findings) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT bundle_id, format, content, sha256 FROM bundle ORDER BY bundle_id"));
  return query.for_each([&](const Statement& row) {
    const Bytes content = row.bytes(2);
    if (sha256_hex({reinterpret_cast<const char*>(content.data()), content.size()}) != row.text(3))
      findings.push_back(fmt::format("bundle {}, {}: its SHA-256 is not the recorded one", row.integer(0), row.text(1)));
  });
}

Expected<void> check_configurations(const Connection& connection, std::vector<std::string>& findings) {
  NETSETTLE_ASSIGN(const auto study_id, connection.find_integer("SELECT min(study_id) FROM study"));
  if (!study_id) {
    findings.push_back("the record has no study");
    return {};
  }
  NETSETTLE_ASSIGN(const auto configurations, read_configurations(connection, *study_id));
  NETSETTLE_ASSIGN(Statement query,
                   connection.query("SELECT hash FROM configuration WHERE study_id = ?1 ORDER BY configuration_id", *study_id));
  auto next = configurations.begin();
  return query.for_each([&](const Statement& row) {
    if (next == configurations.end()) return;
    if (hash(next->configuration) != row.text(0))
      findings.push_back(fmt::format("configuration {}: its values are not those of its hash", next->id));
    ++next;
  });
}

Expected<void> count_rows(const Connection& connection, Examination& result) {
  for (const auto& [name, table] : kCounted) {
    NETSETTLE_ASSIGN(const auto count, connection.find_integer(fmt::format("SELECT count(*) FROM {}", table)));
    result.rows.emplace_back(name, count.value_or(0));
  }
  NETSETTLE_ASSIGN(const auto bytes, connection.find_integer("SELECT sum(length(content)) FROM artifact"));
  result.raw_output_bytes = bytes.value_or(0);
  return {};
}

}  // namespace

Expected<Examination> examine_record(const std::filesystem::path& record) {
  NETSETTLE_TRY(check_file(record));
  NETSETTLE_ASSIGN(const Connection connection, Connection::open(record, Access::read));
  NETSETTLE_TRY(check_identity(connection, schema_version()));
  NETSETTLE_ASSIGN(const Transaction view, Transaction::begin(connection, Transaction::Kind::read));
  Examination result;
  std::error_code error;
  result.file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(record, error));
  NETSETTLE_ASSIGN(const auto version, connection.find_integer("PRAGMA user_version"));
  result.schema = version.value_or(0);
  using Check = Expected<void> (*)(const Connection&, std::vector<std::string>&);
  for (const Check check : {check_database, check_references, check_raw_output, check_bundles, check_configurations})
    note(check(connection, result.findings), result.findings);
  note(count_rows(connection, result), result.findings);
  return result;
}

}  // namespace netsettle::datasets
