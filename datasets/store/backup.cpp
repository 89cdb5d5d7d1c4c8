#include <system_error>

#include "datasets/store/care.hpp"
#include "datasets/store/connection.hpp"
#include "datasets/store/location.hpp"
#include "datasets/store/schema.hpp"

namespace netsettle::datasets {

namespace {

Expected<void> copy_record(const std::filesystem::path& record, const std::filesystem::path& target) {
  NETSETTLE_ASSIGN(const Connection source, Connection::open(record, Access::read));
  NETSETTLE_TRY(check_identity(source, schema_version()));
  NETSETTLE_ASSIGN(const Connection copy, Connection::open(target, Access::create));
  NETSETTLE_TRY(source.copy_to(copy));
  // A copy of a record that is being written says WAL; one file is what was asked for.
  return copy.execute("PRAGMA journal_mode = DELETE");
}

}  // namespace

Expected<std::int64_t> backup_record(const std::filesystem::path& record, const std::filesystem::path& copy) {
  NETSETTLE_TRY(check_file(record));
  NETSETTLE_TRY(check_new_file(copy));
  const UnfinishedFile unfinished(copy);
  NETSETTLE_TRY(copy_record(record, unfinished.path()));
  NETSETTLE_TRY(publish(unfinished.path(), copy));
  std::error_code error;
  return static_cast<std::int64_t>(std::filesystem::file_size(copy, error));
}

}  // namespace netsettle::datasets
