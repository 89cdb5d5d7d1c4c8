#include "datasets/store/connection.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

namespace netsettle::datasets {

namespace {

constexpr int kPatienceMs = 30'000;

ErrorCode code_of_constraint(int extended) {
  switch (extended) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return ErrorCode::conflict;
    default:
      return ErrorCode::invalid_input;
  }
}

ErrorCode code_of(int extended, int errno_value) {
  switch (extended & 0xff) {
    case SQLITE_CONSTRAINT:
      return code_of_constraint(extended);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::busy;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return ErrorCode::permission_denied;
    case SQLITE_FULL:
      return ErrorCode::disk_full;
    case SQLITE_NOTADB:
      return ErrorCode::mismatch;
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      return errno_value == 0 ? ErrorCode::io : errno_error(errno_value, {}, {}).code;
    case SQLITE_CORRUPT:
      return ErrorCode::io;
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
      return ErrorCode::invalid_input;
    default:
      return ErrorCode::internal;
  }
}

Error error_of(sqlite3* database, const std::string& file) {
  const int extended = sqlite3_extended_errcode(database);
  const int primary = extended & 0xff;
  const bool from_system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL;
  const int errno_value = from_system ? sqlite3_system_errno(database) : 0;
  if (primary == SQLITE_NOTADB) return {ErrorCode::mismatch, file, "is not a netsettle record: not an SQLite database", 0};
  const std::string_view what = primary == SQLITE_FULL ? "the disk is full" : "the record's database refused";
  return {code_of(extended, errno_value), file, fmt::format("{}: {}", what, sqlite3_errmsg(database)), errno_value};
}

Error error_of(sqlite3_stmt* statement, const std::string& file) { return error_of(sqlite3_db_handle(statement), file); }

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::note(int result) {
  if (bind_result_ == SQLITE_OK) bind_result_ = result;
}

void Statement::bind_one(int index, std::nullopt_t) { note(sqlite3_bind_null(handle_.get(), index)); }
void Statement::bind_one(int index, std::int64_t value) { note(sqlite3_bind_int64(handle_.get(), index, value)); }
void Statement::bind_one(int index, double value) { note(sqlite3_bind_double(handle_.get(), index, value)); }

void Statement::bind_one(int index, std::string_view value) {
  // An empty view may have a null pointer, which SQLite would take for NULL.
  const char* data = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(handle_.get(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_one(int index, Bytes value) {
  if (value.empty())
    note(sqlite3_bind_zeroblob(handle_.get(), index, 0));
  else
    note(sqlite3_bind_blob64(handle_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT));
}

Expected<bool> Statement::step() {
  if (const int failed = std::exchange(bind_result_, SQLITE_OK); failed != SQLITE_OK)
    return fail(ErrorCode::invalid_input, file_, fmt::format("a value cannot be stored: {}", sqlite3_errstr(failed)));
  const int result = sqlite3_step(handle_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) {
    Error error = error_of(handle_.get(), file_);
    sqlite3_reset(handle_.get());
    return std::unexpected(std::move(error));
  }
  sqlite3_reset(handle_.get());
  return false;
}

Expected<void> Statement::finish() {
  return for_each([](const Statement&) {});
}

bool Statement::is_null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

Bytes Statement::bytes(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

std::optional<std::int64_t> Statement::optional_integer(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}
std::optional<double> Statement::optional_real(int column) const { return is_null(column) ? std::nullopt : std::optional(real(column)); }
std::optional<std::string> Statement::optional_text(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

void Connection::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Expected<Connection> Connection::open(const std::filesystem::path& path, Access access) {
  // An absolute path: a name that starts with "file:" or ":" is a name and nothing special.
  const std::string file = std::filesystem::absolute(path).string();
  const int flags = access == Access::read    ? SQLITE_OPEN_READONLY
                    : access == Access::write ? SQLITE_OPEN_READWRITE
                                              : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* database = nullptr;
  const int result = sqlite3_open_v2(file.c_str(), &database, flags, nullptr);
  Connection connection(database, path.string());
  if (result != SQLITE_OK) {
    if (database == nullptr) return fail(ErrorCode::internal, path.string(), "no memory to open the record");
    return std::unexpected(error_of(database, path.string()));
  }
  NETSETTLE_TRY(connection.prepare_settings());
  return connection;
}

Expected<void> Connection::prepare_settings() const {
  sqlite3_extended_result_codes(handle_.get(), 1);
  set_patience_ms(kPatienceMs);
  // A record may come from a stranger: nothing in its schema may do more than compute.
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return execute("PRAGMA foreign_keys = ON");
}

Expected<void> Connection::execute(const std::string& script) const {
  if (sqlite3_exec(handle_.get(), script.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return std::unexpected(error_of(handle_.get(), file_));
}

Expected<Statement> Connection::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) == SQLITE_OK)
    return Statement(statement, file_);
  return std::unexpected(error_of(handle_.get(), file_));
}

Expected<void> Connection::define_text_function(const std::string& name, std::function<std::string(std::string_view)> function) const {
  using Function = std::function<std::string(std::string_view)>;
  const auto call = [](sqlite3_context* context, int, sqlite3_value** values) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    if (text == nullptr) return;
    const auto& work = *static_cast<const Function*>(sqlite3_user_data(context));
    const std::string result = work({text, static_cast<std::size_t>(sqlite3_value_bytes(values[0]))});
    sqlite3_result_text64(context, result.data(), result.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  };
  const auto forget = [](void* work) { std::unique_ptr<Function>(static_cast<Function*>(work)); };
  auto owned = std::make_unique<Function>(std::move(function));
  // SQLite calls `forget` in every case, also where it refuses.
  if (sqlite3_create_function_v2(handle_.get(), name.c_str(), 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, owned.release(), call, nullptr, nullptr,
                                 forget) == SQLITE_OK)
    return {};
  return std::unexpected(error_of(handle_.get(), file_));
}

Expected<void> Connection::copy_to(const Connection& target) const {
  sqlite3_backup* backup = sqlite3_backup_init(target.handle_.get(), "main", handle_.get(), "main");
  if (backup == nullptr) return std::unexpected(error_of(target.handle_.get(), target.file_));
  // All pages in one step: one view of the source, whatever a writer commits meanwhile. In WAL mode that does not block it.
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) == SQLITE_OK) return {};
  return std::unexpected(error_of(target.handle_.get(), target.file_));
}

int Connection::changes() const { return sqlite3_changes(handle_.get()); }
bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
void Connection::set_patience_ms(int milliseconds) const { sqlite3_busy_timeout(handle_.get(), milliseconds); }
std::int64_t Connection::last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

Expected<Transaction> Transaction::begin(const Connection& connection, Kind kind) {
  // IMMEDIATE takes the write lock at once: a transaction that has read cannot fail later because somebody else wrote.
  NETSETTLE_TRY(connection.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED"));
  return Transaction(connection);
}

Transaction::~Transaction() {
  // After some failures (a full disk) SQLite has rolled back already.
  if (connection_ != nullptr && connection_->in_transaction()) (void)connection_->execute("ROLLBACK");
}

Expected<void> Transaction::commit() {
  NETSETTLE_TRY(connection_->execute("COMMIT"));
  connection_ = nullptr;
  return {};
}

}  // namespace netsettle::datasets
