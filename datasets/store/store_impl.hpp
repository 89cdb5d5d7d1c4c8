#pragma once
// What a Store owns: the connection, and for a writer the reserve with its lock. Private to datasets/store.

#include <filesystem>
#include <optional>

#include "datasets/store/connection.hpp"
#include "datasets/store/reserve.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

struct Store::Impl {
  std::filesystem::path path;
  std::int64_t reserve_bytes = 0;
  std::optional<Reserve> reserve;  // a writer's only; declared before the connection, so that the lock is freed after it is closed
  Connection connection;
  std::int64_t study_id = 0;
  std::optional<std::int64_t> session_id;

  ~Impl();

  static Expected<std::unique_ptr<Impl>> open(const std::filesystem::path& path, Access access, std::optional<Reserve> reserve,
                                              std::int64_t reserve_bytes);

  /// Takes the lock and the reserve where they are not held, and switches to WAL with a sync at every commit.
  Expected<void> start_writing();
  /// Brings everything into the one file. Failure: busy where a reader holds an old view for too long, disk_full.
  Expected<void> settle_into_one_file();
  /// settle_into_one_file, then gives up reserve and lock.
  Expected<void> stop_writing();

  /// Runs `work` in one write transaction and commits.
  template <typename Work>
  Expected<void> write(Work work) {
    NETSETTLE_ASSIGN(Transaction transaction, Transaction::begin(connection, Transaction::Kind::write));
    NETSETTLE_TRY(work());
    return transaction.commit();
  }

  /// As `write`; on a full disk the reserve is given up and it is tried once more. For what must not be lost: results and the end of a
  /// session, not for plans, so that a full disk is noticed before a trial rather than after it.
  template <typename Work>
  Expected<void> write_with_reserve(Work work) {
    auto result = write(work);
    if (result || result.error().code != ErrorCode::disk_full || !reserve || !reserve->give_up()) return result;
    return write(work);
  }

  /// One consistent view over several queries.
  template <typename Read>
  auto read(Read query) const -> decltype(query()) {
    NETSETTLE_ASSIGN(const Transaction view, Transaction::begin(connection, Transaction::Kind::read));
    return query();
  }

  Expected<void> heartbeat() const;
};

}  // namespace netsettle::datasets
