#include "datasets/store/schema.hpp"

#include <array>

#include <fmt/format.h>

#include "datasets/store/schema_v1.hpp"

namespace netsettle::datasets {

namespace {

constexpr std::array kMigrations{kSchemaV1};

Expected<std::int64_t> pragma(const Connection& connection, std::string_view name) {
  NETSETTLE_ASSIGN(const auto value, connection.find_integer(fmt::format("PRAGMA {}", name)));
  return value.value_or(0);
}

}  // namespace

std::span<const std::string_view> migrations() { return kMigrations; }

Expected<void> migrate(const Connection& connection, std::span<const std::string_view> scripts) {
  NETSETTLE_ASSIGN(const std::int64_t version, pragma(connection, "user_version"));
  for (auto next = static_cast<std::size_t>(version); next < scripts.size(); ++next)
    NETSETTLE_TRY(connection.execute(std::string(scripts[next])));
  // Pragmas of the file header take part in the transaction.
  return connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, scripts.size()));
}

Expected<void> check_identity(const Connection& connection, Access access, std::int64_t known_version) {
  NETSETTLE_ASSIGN(const std::int64_t application, pragma(connection, "application_id"));
  if (application != kApplicationId)
    return fail(ErrorCode::mismatch, connection.file(), "is not a netsettle record: an SQLite database of another program");
  NETSETTLE_ASSIGN(const std::int64_t version, pragma(connection, "user_version"));
  if (version > known_version)
    return fail(ErrorCode::mismatch, connection.file(),
                fmt::format("was written by a newer netsettle (schema {}, this one knows {}): use that version or a later one", version,
                            known_version));
  if (version < known_version && access == Access::read)
    return fail(
        ErrorCode::mismatch, connection.file(),
        fmt::format("was written by an older netsettle (schema {}, this one reads {}): continue the study once to bring it up to date",
                    version, known_version));
  return {};
}

}  // namespace netsettle::datasets
