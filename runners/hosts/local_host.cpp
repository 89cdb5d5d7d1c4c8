#include "runners/hosts/local_host.hpp"

#include "runners/hosts/child_process.hpp"
#include "runners/hosts/datagram.hpp"
#include "runners/hosts/files.hpp"
#include "runners/hosts/worker_thread.hpp"

namespace netsettle::runners {
namespace {

class LocalHost final : public Host {
 public:
  Expected<std::string> read_file(const std::string& path) override { return read_whole_file(path); }
  Expected<void> write_file(const std::string& path, std::string_view text) override { return overwrite_file(path, text); }
  Expected<std::vector<std::string>> list_directory(const std::string& path) override { return names_in(path); }
  Expected<std::string> real_path(const std::string& path) override { return resolved_path(path); }
  Expected<void> check_writable(const std::string& path) override { return may_write(path); }
  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override {
    return worker_.run([&] { return start_child(spec); });
  }
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override {
    NETSETTLE_ASSIGN(const Descriptor socket, connect_datagram_socket(address, port));
    return exchange_on(socket, bytes, timeout);
  }
  Clock& clock() override { return clock_; }
  std::string network_namespace() const override { return ""; }

 private:
  SystemClock clock_;
  WorkerThread worker_;  // forks: a child dies with the thread that forked it, and a caller's thread may be short-lived
};

}  // namespace

std::unique_ptr<Host> make_local_host() { return std::make_unique<LocalHost>(); }

}  // namespace netsettle::runners
