#include "datasets/model/error.hpp"

#include <cerrno>
#include <system_error>

namespace netsettle {

std::string_view to_text(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_input:
      return "invalid_input";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::permission_denied:
      return "permission_denied";
    case ErrorCode::refused:
      return "refused";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::busy:
      return "busy";
    case ErrorCode::timed_out:
      return "timed_out";
    case ErrorCode::conflict:
      return "conflict";
    case ErrorCode::mismatch:
      return "mismatch";
    case ErrorCode::disk_full:
      return "disk_full";
    case ErrorCode::io:
      return "io";
    case ErrorCode::interrupted:
      return "interrupted";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

std::string to_text(const Error& error) {
  std::string line = error.subject.empty() ? error.text : error.subject + ": " + error.text;
  if (error.errno_value != 0) line += " (" + std::generic_category().message(error.errno_value) + ")";
  return line;
}

namespace {

ErrorCode code_of(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOTDIR:
      return ErrorCode::not_found;
    case EPERM:
    case EACCES:
    case EROFS:
      return ErrorCode::permission_denied;
    case EINVAL:
    case ERANGE:
    case EOVERFLOW:
      return ErrorCode::refused;
    case EOPNOTSUPP:
    case ENOSYS:
      return ErrorCode::unsupported;
    case EBUSY:
    case EAGAIN:
      return ErrorCode::busy;
    case ETIMEDOUT:
      return ErrorCode::timed_out;
    case ENOSPC:
    case EDQUOT:
      return ErrorCode::disk_full;
    case EINTR:
      return ErrorCode::interrupted;
    default:
      return ErrorCode::io;
  }
}

}  // namespace

Error errno_error(int errno_value, std::string subject, std::string text) {
  return Error{code_of(errno_value), std::move(subject), std::move(text), errno_value};
}

}  // namespace netsettle
