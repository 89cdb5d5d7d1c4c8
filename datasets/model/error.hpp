#pragma once
// What went wrong, on what, and why: the one failure type of the project. Expected failures travel as values
// (std::expected); exceptions are for broken invariants only.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace netsettle {

enum class ErrorCode {
  invalid_input,      // an experiment file, an option, a malformed text
  not_found,          // a file, a setting, a program that does not exist
  permission_denied,  // EPERM, EACCES, EROFS
  refused,            // the kernel or a program rejected a value
  unsupported,        // this machine cannot do it
  busy,               // somebody else holds it
  timed_out,
  conflict,  // somebody else changed it meanwhile
  mismatch,  // a record belongs to another experiment, workload or machine
  disk_full,
  io,
  interrupted,
  internal,  // a bug of netsettle
};

/// The stable name of a code, as printed in --json ("not_found").
std::string_view to_text(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string subject;  // the setting, path, command or key it is about; may be empty
  std::string text;     // one sentence without final period: what happened, and where it helps, what to do
  int errno_value = 0;  // 0: no system call was involved
};

using Errors = std::vector<Error>;

template <typename T>
using Expected = std::expected<T, Error>;

/// "subject: text (strerror)" in one line.
std::string to_text(const Error& error);

/// An Error from errno; the code is derived from the number (ENOENT: not_found, EACCES/EPERM/EROFS:
/// permission_denied, EINVAL/ERANGE/EOVERFLOW: refused, ENOSPC/EDQUOT: disk_full, ...).
Error errno_error(int errno_value, std::string subject, std::string text);

inline std::unexpected<Error> fail(ErrorCode code, std::string subject, std::string text) {
  return std::unexpected(Error{code, std::move(subject), std::move(text), 0});
}

}  // namespace netsettle

/// Leaves the enclosing function with the error, or goes on.
#define NETSETTLE_TRY(expression)                                                                                             \
  do {                                                                                                                        \
    if (auto netsettle_result = (expression); !netsettle_result) return std::unexpected(std::move(netsettle_result).error()); \
  } while (false)

#define NETSETTLE_CONCAT_2(a, b) a##b
#define NETSETTLE_CONCAT(a, b) NETSETTLE_CONCAT_2(a, b)
/// `NETSETTLE_ASSIGN(auto x, f());`: x is the value of f(), or the enclosing function returns its error.
#define NETSETTLE_ASSIGN(declaration, expression) NETSETTLE_ASSIGN_2(declaration, expression, NETSETTLE_CONCAT(netsettle_result_, __LINE__))
#define NETSETTLE_ASSIGN_2(declaration, expression, result)       \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  declaration = std::move(*result)
