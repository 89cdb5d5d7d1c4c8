#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>

#include "runners/hosts/child_process.hpp"
#include "runners/hosts/datagram.hpp"
#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/worker_thread.hpp"

namespace netsettle::runners {
namespace {

/// /proc/net is a link to /proc/self/net, the namespace of the process's first thread; ours is a thread's.
std::string in_this_thread(const std::string& path) {
  constexpr std::string_view kProcNet = "/proc/net/";
  if (!path.starts_with(kProcNet)) return path;
  return "/proc/thread-self/net/" + path.substr(kProcNet.size());
}

/// Moves the calling thread into the namespace, with a /sys of its own that shows the namespace's devices.
Expected<void> enter(const std::string& name) {
  const std::string path = "/run/netns/" + name;
  const Descriptor space(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!space) return std::unexpected(errno_error(errno, path, "the network namespace cannot be opened"));
  if (::setns(space.get(), CLONE_NEWNET) != 0) return std::unexpected(errno_error(errno, path, "the network namespace cannot be entered"));
  if (::unshare(CLONE_NEWNS) != 0) return std::unexpected(errno_error(errno, name, "no mount namespace of its own"));
  if (::mount("", "/", "none", MS_REC | MS_PRIVATE, nullptr) != 0)
    return std::unexpected(errno_error(errno, name, "the mount namespace cannot be made private"));
  // Over the old one, which stays hidden below: it shows the devices of the namespace netsettle was started in.
  if (::mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return std::unexpected(errno_error(errno, "/sys", "the namespace's sysfs cannot be mounted"));
  return {};
}

class NamespaceHost final : public Host {
 public:
  explicit NamespaceHost(std::string name) : name_(std::move(name)) {}

  Expected<void> open() {
    return worker_.run([&] { return enter(name_); });
  }
  Expected<std::string> read_file(const std::string& path) override {
    return worker_.run([&] { return read_whole_file(in_this_thread(path)); });
  }
  Expected<void> write_file(const std::string& path, std::string_view text) override {
    return worker_.run([&] { return overwrite_file(in_this_thread(path), text); });
  }
  Expected<std::vector<std::string>> list_directory(const std::string& path) override {
    return worker_.run([&] { return names_in(in_this_thread(path)); });
  }
  Expected<std::string> real_path(const std::string& path) override {
    return worker_.run([&] { return resolved_path(in_this_thread(path)); });
  }
  Expected<void> check_writable(const std::string& path) override {
    return worker_.run([&] { return may_write(in_this_thread(path)); });
  }
  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override {
    return worker_.run([&] { return start_child(spec); });
  }
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override {
    NETSETTLE_ASSIGN(const Descriptor socket, worker_.run([&] { return connect_datagram_socket(address, port); }));
    return exchange_on(socket, bytes, timeout);
  }
  Clock& clock() override { return clock_; }
  std::string network_namespace() const override { return name_; }

 private:
  std::string name_;
  SystemClock clock_;
  WorkerThread worker_;
};

bool is_namespace_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.size() <= 255 && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

}  // namespace

Expected<std::unique_ptr<Host>> make_namespace_host(const std::string& name) {
  if (!is_namespace_name(name)) return fail(ErrorCode::invalid_input, name, "not the name of a network namespace");
  auto host = std::make_unique<NamespaceHost>(name);
  NETSETTLE_TRY(host->open());
  return host;
}

}  // namespace netsettle::runners
