#pragma once
// The SQLite C API as three owning types: Connection, Statement, Transaction. Used by datasets/store only; nothing outside this
// folder sees SQLite. Every failure is an Error whose subject is the file and whose text ends with SQLite's own words.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/model/error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace netsettle::datasets {

enum class Access { create, write, read };

using Bytes = std::span<const std::byte>;

/// One prepared statement, and while it is on a row, that row. Must not outlive its Connection.
class Statement {
 public:
  /// Binds to the parameters ?1, ?2, …; texts and bytes are copied. A real that is not finite is bound as NULL where it is not a
  /// number. A failure is reported by the next step().
  template <typename... Values>
  void bind(const Values&... values) {
    int index = 0;
    (bind_one(++index, values), ...);
  }

  /// True: there is a row. False: done, and the statement may be bound and stepped again.
  Expected<bool> step();
  /// For statements without rows: runs to the end.
  Expected<void> finish();
  /// Calls `take(row)` for every row.
  template <typename Take>
  Expected<void> for_each(Take take) {
    for (;;) {
      NETSETTLE_ASSIGN(const bool row, step());
      if (!row) return {};
      take(static_cast<const Statement&>(*this));
    }
  }

  // Columns of the present row, counted from 0.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  Bytes bytes(int column) const;  // valid until the next step
  std::optional<std::int64_t> optional_integer(int column) const;
  std::optional<double> optional_real(int column) const;
  std::optional<std::string> optional_text(int column) const;

 private:
  friend class Connection;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, std::string file) : handle_(statement), file_(std::move(file)) {}

  void bind_one(int index, std::nullopt_t);
  void bind_one(int index, std::int64_t value);
  void bind_one(int index, int value) { bind_one(index, std::int64_t{value}); }
  void bind_one(int index, double value);
  void bind_one(int index, std::string_view value);
  void bind_one(int index, const std::string& value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, const char* value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, Bytes value);
  template <typename T>
  void bind_one(int index, const std::optional<T>& value) {
    if (value)
      bind_one(index, *value);
    else
      bind_one(index, std::nullopt);
  }
  void note(int result);

  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  std::string file_;
  int bind_result_ = 0;  // the first failure of a bind
};

/// One open database file. A handle: const functions may write to the file, as with a file descriptor.
class Connection {
 public:
  /// Opens with foreign keys on, extended error codes, 30 s of patience with locks, and no trust in the file's own schema.
  static Expected<Connection> open(const std::filesystem::path& path, Access access);

  /// Runs a script of statements that have no parameters.
  Expected<void> execute(const std::string& script) const;
  Expected<Statement> prepare(std::string_view sql) const;

  /// A statement with its parameters bound, ready to be stepped.
  template <typename... Values>
  Expected<Statement> query(std::string_view sql, const Values&... values) const {
    NETSETTLE_ASSIGN(Statement statement, prepare(sql));
    statement.bind(values...);
    return statement;
  }
  /// Runs one statement to its end.
  template <typename... Values>
  Expected<void> run(std::string_view sql, const Values&... values) const {
    NETSETTLE_ASSIGN(Statement statement, query(sql, values...));
    return statement.finish();
  }
  /// Runs one INSERT; returns the new row's id.
  template <typename... Values>
  Expected<std::int64_t> insert(std::string_view sql, const Values&... values) const {
    NETSETTLE_TRY(run(sql, values...));
    return last_id();
  }
  /// The first column of the first row; nullopt where there is no row or it is NULL.
  template <typename... Values>
  Expected<std::optional<std::int64_t>> find_integer(std::string_view sql, const Values&... values) const {
    NETSETTLE_ASSIGN(Statement statement, query(sql, values...));
    NETSETTLE_ASSIGN(const bool row, statement.step());
    return row ? statement.optional_integer(0) : std::nullopt;
  }

  /// Makes `function` callable in SQL under `name`, with one text as argument and result; NULL stays NULL. Not from a schema's own views.
  Expected<void> define_text_function(const std::string& name, std::function<std::string(std::string_view)> function) const;

  /// Copies the whole database, as it is now, into `target` (SQLite's online backup): others may go on writing. `target` is to be new.
  Expected<void> copy_to(const Connection& target) const;

  int changes() const;  // rows that the last INSERT, UPDATE or DELETE touched
  bool in_transaction() const;
  void set_patience_ms(int milliseconds) const;  // how long a lock is waited for
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Connection(sqlite3* database, std::string file) : handle_(database), file_(std::move(file)) {}
  std::int64_t last_id() const;
  Expected<void> prepare_settings() const;

  std::unique_ptr<sqlite3, Close> handle_;
  std::string file_;
};

/// Rolled back unless committed. `read` gives several queries one consistent view and never blocks the writer.
class Transaction {
 public:
  enum class Kind { read, write };
  static Expected<Transaction> begin(const Connection& connection, Kind kind);
  Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Expected<void> commit();

 private:
  explicit Transaction(const Connection& connection) : connection_(&connection) {}
  const Connection* connection_;
};

}  // namespace netsettle::datasets
