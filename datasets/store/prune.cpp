#include <system_error>

#include <fmt/format.h>

#include "datasets/store/care.hpp"
#include "datasets/store/connection.hpp"
#include "datasets/store/location.hpp"
#include "datasets/store/reserve.hpp"
#include "datasets/store/schema.hpp"

namespace netsettle::datasets {

namespace {

// The account is small, and `show trial` explains a trial with it.
constexpr std::string_view kOld =
    "kind <> 'account' AND trial_id NOT IN (SELECT trial_id FROM trial WHERE ended_us IS NOT NULL ORDER BY trial_id DESC LIMIT ?1)";

std::int64_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

Expected<Pruned> count_old(const Connection& connection, const std::filesystem::path& record, std::int64_t keep) {
  NETSETTLE_ASSIGN(
      Statement query,
      connection.query(fmt::format("SELECT count(DISTINCT trial_id), count(*), sum(length(content)) FROM artifact WHERE {}", kOld), keep));
  NETSETTLE_TRY(query.step());
  return Pruned{.trials = query.integer(0),
                .texts = query.integer(1),
                .bytes = query.integer(2),
                .file_before = size_of(record),
                .file_after = size_of(record)};
}

Expected<void> remove_old(const Connection& connection, const Pruned& pruned, std::int64_t keep) {
  NETSETTLE_ASSIGN(Transaction transaction, Transaction::begin(connection, Transaction::Kind::write));
  NETSETTLE_TRY(connection.run(fmt::format("DELETE FROM artifact WHERE {}", kOld), keep));
  NETSETTLE_TRY(
      connection.run("INSERT INTO meta VALUES ('pruned', ?1) ON CONFLICT (key) DO UPDATE SET value = value || '; ' || excluded.value",
                     fmt::format("{} raw texts of {} trials", pruned.texts, pruned.trials)));
  return transaction.commit();
}

/// The database is written anew without its free pages; a WAL is brought into the one file first.
Expected<void> make_smaller(const Connection& connection) {
  NETSETTLE_TRY(connection.execute("PRAGMA journal_mode = DELETE"));
  auto smaller = connection.execute("VACUUM");
  if (!smaller && smaller.error().code == ErrorCode::disk_full)
    smaller.error().text =
        "the raw output is out of the record, but the file is not smaller: there is no room for a second copy while it is "
        "written anew; make room and run the same command again";
  return smaller;
}

}  // namespace

Expected<Pruned> prune_record(const std::filesystem::path& record, const PruneOptions& options) {
  NETSETTLE_TRY(check_file(record));
  if (options.act == PruneOptions::Do::count) {
    NETSETTLE_ASSIGN(const Connection reader, open_for_reading(record));
    return count_old(reader, record, options.keep);
  }
  NETSETTLE_TRY(check_writable_folder(record));
  NETSETTLE_ASSIGN(const Reserve lock, Reserve::take(record, 0));
  NETSETTLE_ASSIGN(const Connection connection, Connection::open(record, Access::write));
  NETSETTLE_TRY(check_identity(connection, schema_version()));
  NETSETTLE_ASSIGN(Pruned pruned, count_old(connection, record, options.keep));
  if (pruned.texts > 0) NETSETTLE_TRY(remove_old(connection, pruned, options.keep));
  NETSETTLE_TRY(make_smaller(connection));
  pruned.file_after = size_of(record);
  return pruned;
}

}  // namespace netsettle::datasets
