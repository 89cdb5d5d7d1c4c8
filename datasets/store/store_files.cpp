// Making, opening and closing a record: everything about the files.

#include <system_error>

#include <fmt/format.h>

#include "datasets/store/location.hpp"
#include "datasets/store/schema.hpp"
#include "datasets/store/store_impl.hpp"
#include "datasets/store/study_rows.hpp"

namespace netsettle::datasets {

namespace {

constexpr std::int64_t kReserveBytes = 4 << 20;
// 1 MiB of WAL between checkpoints, well below the reserve: closing on a full disk must fit into what was given up.
constexpr int kCheckpointPages = 256;
// Readers hold their view for milliseconds; closing waits a little, not half a minute.
constexpr int kClosingPatienceMs = 2'000;
constexpr int kPatienceMs = 30'000;

/// A new record under a name of its own, complete or not at all: a kill in between leaves no half record behind.
Expected<void> write_new_file(const std::filesystem::path& path, const StudyRecord& study) {
  NETSETTLE_ASSIGN(const Connection connection, Connection::open(path, Access::create));
  NETSETTLE_ASSIGN(Transaction transaction, Transaction::begin(connection, Transaction::Kind::write));
  NETSETTLE_TRY(migrate(connection, migrations()));
  NETSETTLE_TRY(insert_study(connection, study));
  return transaction.commit();
}

Expected<void> make_record(const std::filesystem::path& path, const StudyRecord& study) {
  const UnfinishedFile unfinished(path);
  auto made = write_new_file(unfinished.path(), study);
  if (made) made = publish(unfinished.path(), path);
  if (!made && made.error().subject == unfinished.path().string()) made.error().subject = path.string();
  return made;
}

Expected<Connection> open_for_writing(const std::filesystem::path& path) {
  NETSETTLE_ASSIGN(Connection connection, Connection::open(path, Access::write));
  NETSETTLE_TRY(check_identity(connection, schema_version()));
  return connection;
}

Expected<void> bring_up_to_date(const Connection& connection) {
  NETSETTLE_ASSIGN(Transaction transaction, Transaction::begin(connection, Transaction::Kind::write));
  NETSETTLE_TRY(migrate(connection, migrations()));
  return transaction.commit();
}

}  // namespace

Store::Impl::~Impl() {
  // A failure here loses nothing: what is committed is in the WAL, and the next opening finds it there.
  if (reserve) (void)stop_writing();
}

Expected<std::unique_ptr<Store::Impl>> Store::Impl::open(const std::filesystem::path& path, Access access, std::optional<Reserve> reserve,
                                                         std::int64_t reserve_bytes) {
  NETSETTLE_ASSIGN(Connection connection, access == Access::read ? open_for_reading(path) : open_for_writing(path));
  auto impl = std::unique_ptr<Impl>(new Impl{path, reserve_bytes, std::move(reserve), std::move(connection), 0, std::nullopt});
  if (access == Access::write) {
    NETSETTLE_TRY(impl->start_writing());
    NETSETTLE_TRY(bring_up_to_date(impl->connection));
  }
  NETSETTLE_ASSIGN(const auto study_id, impl->connection.find_integer("SELECT min(study_id) FROM study"));
  if (!study_id) return fail(ErrorCode::io, path.string(), "has no study: it is damaged");
  impl->study_id = *study_id;
  return impl;
}

Expected<void> Store::Impl::start_writing() {
  if (!reserve) {
    NETSETTLE_ASSIGN(Reserve taken, Reserve::take(path, reserve_bytes));
    reserve.emplace(std::move(taken));
  }
  // Where a file system has no shared memory, SQLite stays with a rollback journal by itself: slower, as safe.
  return connection.execute(
      fmt::format("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = {}", kCheckpointPages));
}

Expected<void> Store::Impl::settle_into_one_file() {
  NETSETTLE_ASSIGN(const auto blocked, connection.find_integer("PRAGMA wal_checkpoint(TRUNCATE)"));
  if (blocked.value_or(0) != 0)
    return fail(ErrorCode::busy, path.string(), "a reader holds an old view: until it closes, copy the record together with its -wal file");
  // An open reader keeps the mode from being changed. The WAL is empty then, so the one file is complete all the same.
  auto changed = connection.execute("PRAGMA journal_mode = DELETE");
  if (!changed && changed.error().code == ErrorCode::busy) return {};
  return changed;
}

Expected<void> Store::Impl::stop_writing() {
  connection.set_patience_ms(kClosingPatienceMs);
  auto settled = settle_into_one_file();
  if (!settled && settled.error().code == ErrorCode::disk_full && reserve && reserve->give_up()) settled = settle_into_one_file();
  connection.set_patience_ms(kPatienceMs);
  reserve.reset();
  return settled;
}

Expected<Store> Store::create(const std::filesystem::path& path, const StudyRecord& study, std::int64_t reserve_bytes) {
  NETSETTLE_TRY(check_writable_folder(path));
  if (std::filesystem::exists(std::filesystem::symlink_status(path)))
    return fail(ErrorCode::conflict, path.string(), "exists already: continue it, or choose another name with --db");
  NETSETTLE_ASSIGN(Reserve reserve, Reserve::take(path, reserve_bytes));
  NETSETTLE_TRY(make_record(path, study));
  NETSETTLE_ASSIGN(auto impl, Impl::open(path, Access::write, std::move(reserve), reserve_bytes));
  return Store(std::move(impl));
}

Expected<Store> Store::open_writer(const std::filesystem::path& path) {
  NETSETTLE_TRY(check_file(path));
  NETSETTLE_TRY(check_writable_folder(path));
  NETSETTLE_ASSIGN(auto impl, Impl::open(path, Access::write, std::nullopt, kReserveBytes));
  return Store(std::move(impl));
}

Expected<Store> Store::open_reader(const std::filesystem::path& path) {
  NETSETTLE_TRY(check_file(path));
  NETSETTLE_ASSIGN(auto impl, Impl::open(path, Access::read, std::nullopt, 0));
  return Store(std::move(impl));
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Store::~Store() = default;

}  // namespace netsettle::datasets
