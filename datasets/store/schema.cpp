#include "datasets/store/schema.hpp"

#include <array>

#include <fmt/format.h>

#include "datasets/store/schema_v1.hpp"
#include "datasets/store/schema_v2.hpp"

namespace netsettle::datasets {

namespace {

constexpr std::array kMigrations{Migration{.script = kSchemaV1}, Migration{.script = kSchemaV2, .reading = kReadingV1}};

Expected<std::int64_t> pragma(const Connection& connection, std::string_view name) {
  NETSETTLE_ASSIGN(const auto value, connection.find_integer(fmt::format("PRAGMA {}", name)));
  return value.value_or(0);
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

std::int64_t schema_version() { return static_cast<std::int64_t>(kMigrations.size()); }

Expected<void> migrate(const Connection& connection, std::span<const Migration> steps) {
  NETSETTLE_ASSIGN(const std::int64_t version, pragma(connection, "user_version"));
  for (auto next = static_cast<std::size_t>(version); next < steps.size(); ++next)
    NETSETTLE_TRY(connection.execute(std::string(steps[next].script)));
  // Pragmas of the file header take part in the transaction.
  return connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, steps.size()));
}

Expected<void> bridge_for_reading(const Connection& connection, std::span<const Migration> steps) {
  NETSETTLE_ASSIGN(const std::int64_t version, pragma(connection, "user_version"));
  if (static_cast<std::size_t>(version) >= steps.size()) return {};
  NETSETTLE_TRY(connection.execute("PRAGMA temp_store = MEMORY"));
  for (auto next = static_cast<std::size_t>(version); next < steps.size(); ++next)
    NETSETTLE_TRY(connection.execute(std::string(steps[next].reading)));
  return {};
}

Expected<void> check_identity(const Connection& connection, std::int64_t known_version) {
  NETSETTLE_ASSIGN(const std::int64_t application, pragma(connection, "application_id"));
  if (application != kApplicationId)
    return fail(ErrorCode::mismatch, connection.file(), "is not a netsettle record: an SQLite database of another program");
  NETSETTLE_ASSIGN(const std::int64_t version, pragma(connection, "user_version"));
  if (version > known_version)
    return fail(ErrorCode::mismatch, connection.file(),
                fmt::format("was written by a newer netsettle (schema {}, this one knows {}): use that version or a later one", version,
                            known_version));
  return {};
}

Expected<Connection> open_for_reading(const std::filesystem::path& record) {
  NETSETTLE_ASSIGN(Connection connection, Connection::open(record, Access::read));
  NETSETTLE_TRY(check_identity(connection, schema_version()));
  NETSETTLE_TRY(bridge_for_reading(connection, migrations()));
  return connection;
}

}  // namespace netsettle::datasets
