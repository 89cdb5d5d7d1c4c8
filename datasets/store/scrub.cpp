// A copy of a record without personal details: every text of every table, and the raw output.

#include <fstream>
#include <sstream>
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

struct Column {
  std::string table, name;
};

Expected<std::vector<Column>> text_columns(const Connection& connection) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT s.name, c.name FROM main.sqlite_schema s, pragma_table_info(s.name) c "
                                                       "WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND c.type = 'TEXT'"));
  std::vector<Column> columns;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) { columns.push_back({row.text(0), row.text(1)}); }));
  return columns;
}

Expected<void> scrub_columns(const Connection& connection, Pseudonyms& pseudonyms) {
  NETSETTLE_TRY(connection.define_text_function("scrub", [&](std::string_view text) { return pseudonyms.apply(text); }));
  NETSETTLE_ASSIGN(const auto columns, text_columns(connection));
  for (const auto& [table, name] : columns)
    NETSETTLE_TRY(connection.execute(fmt::format("UPDATE {0} SET {1} = scrub({1}) WHERE {1} <> scrub({1})", table, name)));
  return {};
}

/// "udp.server.before" is a table of sockets.
std::string scrubbed(Pseudonyms& pseudonyms, const std::string& kind, const std::string& text) {
  return kind.starts_with("udp") ? pseudonyms.apply_to_sockets(text) : pseudonyms.apply(text);
}

Expected<void> scrub_raw_output(const Connection& connection, Pseudonyms& pseudonyms) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT kind, content, bytes, sha256 FROM artifact WHERE artifact_id = ?1"));
  NETSETTLE_ASSIGN(Statement update,
                   connection.prepare("UPDATE artifact SET content = ?2, bytes = ?3, sha256 = ?4 WHERE artifact_id = ?1"));
  NETSETTLE_ASSIGN(Statement ids, connection.prepare("SELECT artifact_id FROM artifact"));
  std::vector<std::int64_t> all;
  NETSETTLE_TRY(ids.for_each([&](const Statement& row) { all.push_back(row.integer(0)); }));
  for (const std::int64_t id : all) {
    query.bind(id);
    NETSETTLE_TRY(query.step());
    const std::string kind = query.text(0);
    auto text = unpack(query.bytes(1), query.integer(2), query.text(3));
    NETSETTLE_TRY(query.finish());
    if (!text) return std::unexpected(std::move(text).error());
    const std::string other = scrubbed(pseudonyms, kind, *text);
    if (other == *text) continue;
    NETSETTLE_ASSIGN(const PackedText packed, pack(other));
    update.bind(id, Bytes(packed.content), packed.bytes, packed.sha256);
    NETSETTLE_TRY(update.finish());
  }
  return {};
}

Expected<void> scrub_bundles(const Connection& connection, Pseudonyms& pseudonyms) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT bundle_id, CAST(content AS TEXT) FROM bundle"));
  std::vector<std::pair<std::int64_t, std::string>> bundles;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) { bundles.emplace_back(row.integer(0), row.text(1)); }));
  for (const auto& [id, content] : bundles) {
    const std::string other = pseudonyms.apply(content);
    NETSETTLE_TRY(connection.run("UPDATE bundle SET content = ?2, sha256 = ?3 WHERE bundle_id = ?1", id, std::as_bytes(std::span(other)),
                                 sha256_hex(other)));
  }
  return {};
}

/// A value that had a name in it has another now.
Expected<void> renew_hashes(const Connection& connection) {
  NETSETTLE_ASSIGN(const auto study_id, connection.find_integer("SELECT min(study_id) FROM study"));
  NETSETTLE_ASSIGN(const auto configurations, read_configurations(connection, study_id.value_or(0)));
  for (const StudyConfiguration& configuration : configurations)
    NETSETTLE_TRY(connection.run("UPDATE configuration SET hash = ?2 WHERE configuration_id = ?1 AND hash <> ?2", configuration.id,
                                 hash(configuration.configuration)));
  return {};
}

Expected<void> scrub(const std::filesystem::path& copy, Pseudonyms& pseudonyms) {
  NETSETTLE_ASSIGN(const Connection connection, Connection::open(copy, Access::write));
  NETSETTLE_TRY(check_identity(connection, schema_version()));
  NETSETTLE_ASSIGN(Transaction transaction, Transaction::begin(connection, Transaction::Kind::write));
  NETSETTLE_TRY(scrub_columns(connection, pseudonyms));
  NETSETTLE_TRY(scrub_raw_output(connection, pseudonyms));
  NETSETTLE_TRY(scrub_bundles(connection, pseudonyms));
  NETSETTLE_TRY(renew_hashes(connection));
  NETSETTLE_TRY(connection.run("INSERT OR REPLACE INTO meta VALUES ('published', 'personal details have other names')"));
  NETSETTLE_TRY(transaction.commit());
  // What was overwritten is still in free pages: the file is written anew.
  return connection.execute("VACUUM");
}

}  // namespace

Expected<void> write_publishable_copy(const std::filesystem::path& record, const std::filesystem::path& copy, Pseudonyms& pseudonyms) {
  NETSETTLE_TRY(check_file(record));
  NETSETTLE_TRY(check_new_file(copy));
  const UnfinishedFile unfinished(copy);
  NETSETTLE_TRY(backup_record(record, unfinished.path()));
  NETSETTLE_TRY(scrub(unfinished.path(), pseudonyms));
  return publish(unfinished.path(), copy);
}

}  // namespace netsettle::datasets
