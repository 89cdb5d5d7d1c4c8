#include "runners/settings/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runners/hosts/clock.hpp"
#include "runners/hosts/files.hpp"
#include "runners/hosts/pidfd.hpp"
#include "runners/settings/process_identity.hpp"

namespace netsettle::runners {
namespace {

constexpr std::chrono::seconds kPatience(10);
constexpr std::chrono::milliseconds kLook(50);

std::filesystem::path folder_from(const char* variable, const std::filesystem::path& otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text == '/' ? std::filesystem::path(text) : otherwise;
}

std::filesystem::path run_folder() {
  if (::geteuid() == 0) return "/run/netsettle";
  const auto home = folder_from("HOME", "/");
  return folder_from("XDG_RUNTIME_DIR", home / ".local/state") / "netsettle";
}

std::filesystem::path state_folder() {
  if (::geteuid() == 0) return "/var/lib/netsettle";
  return folder_from("XDG_STATE_HOME", folder_from("HOME", "/") / ".local/state") / "netsettle";
}

std::optional<LockHolder> read_info(const GuardPaths& paths) {
  const auto text = read_whole_file(paths.lock_info.string());
  if (!text) return std::nullopt;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    return LockHolder{json.at("pid").get<std::int64_t>(), json.at("pid_start").get<std::int64_t>(), json.at("study").get<std::string>(),
                      json.at("database").get<std::string>(), json.at("since_us").get<std::int64_t>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

bool is_alive(const LockHolder& holder) { return is_running({holder.pid, holder.pid_start}); }

std::string since(const LockHolder& holder) {
  const std::time_t seconds = holder.since_us / 1'000'000;
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
}

Error held_by(const GuardPaths& paths, const std::optional<LockHolder>& holder) {
  const std::string lock = paths.lock_file.string();
  if (!holder) return {ErrorCode::busy, lock, "another netsettle holds this machine", 0};
  if (!is_alive(*holder))
    return {ErrorCode::busy, lock,
            fmt::format("the guard of a netsettle that died (pid {}, study '{}') is still restoring", holder->pid, holder->study), 0};
  return {ErrorCode::busy, lock,
          fmt::format("another netsettle holds this machine: pid {}, study '{}' ({}), since {}", holder->pid, holder->study,
                      holder->database, since(*holder)),
          0};
}

Expected<Descriptor> open_lock_file(const GuardPaths& paths) {
  std::error_code error;
  std::filesystem::create_directories(paths.lock_file.parent_path(), error);
  if (error)
    return std::unexpected(errno_error(error.value(), paths.lock_file.parent_path().string(), "the folder of the lock cannot be made"));
  Descriptor file(::open(paths.lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file) return std::unexpected(errno_error(errno, paths.lock_file.string(), "the lock cannot be opened"));
  return file;
}

}  // namespace

GuardPaths default_guard_paths() {
  const auto run = folder_from("NETSETTLE_RUN_DIR", run_folder());
  const auto state = folder_from("NETSETTLE_STATE_DIR", state_folder());
  return {.lock_file = run / "lock", .undo_directory = state / "undo", .lock_info = run / "holder.json"};
}

std::optional<LockHolder> lock_holder(const GuardPaths& paths) {
  auto holder = read_info(paths);
  if (!holder || is_alive(*holder)) return holder;
  // Its maker is dead. Its guard holds the lock until all is restored.
  const Descriptor file(::open(paths.lock_file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0) return std::nullopt;
  return holder;
}

Expected<MachineLock> MachineLock::take(const GuardPaths& paths) {
  NETSETTLE_ASSIGN(Descriptor file, open_lock_file(paths));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return MachineLock(std::move(file), paths);
    if (errno != EWOULDBLOCK && errno != EINTR) return std::unexpected(errno_error(errno, paths.lock_file.string(), "cannot be locked"));
    const auto holder = read_info(paths);
    // Without a name somebody is just starting or ending, or looks whether the lock is free.
    const bool may_end_soon = !holder || !is_alive(*holder);
    if (!may_end_soon || std::chrono::steady_clock::now() >= deadline) return std::unexpected(held_by(paths, holder));
    std::this_thread::sleep_for(kLook);
  }
}

Expected<void> MachineLock::introduce(const std::string& study, const std::string& database) const {
  const ProcessIdentity self = own_identity();
  const nlohmann::json json = {
      {"pid", self.pid}, {"pid_start", self.start}, {"study", study}, {"database", database}, {"since_us", SystemClock().utc().count()}};
  return replace_durably(paths_.lock_info.string(), json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

MachineLock::~MachineLock() {
  if (!file_) return;
  ::unlink(paths_.lock_info.c_str());
}

Expected<void> signal_holder(const LockHolder& holder, int number) {
  const std::string subject = fmt::format("process {}", holder.pid);
  const Descriptor process = open_pidfd(static_cast<pid_t>(holder.pid));
  // The descriptor holds the process; if its start time fits now, the signal cannot hit another one.
  if (!process || identify(holder.pid) != ProcessIdentity{holder.pid, holder.pid_start})
    return fail(ErrorCode::not_found, subject, "does not run any more");
  if (send_signal(process, number) != 0) return std::unexpected(errno_error(errno, subject, "cannot be signalled"));
  return {};
}

}  // namespace netsettle::runners
