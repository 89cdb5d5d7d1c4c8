#pragma once
// One machine (or one network namespace of it) where files are read and written and processes run: the only way from netsettle to
// an operating system. Real: LocalHost, NamespaceHost, SshHost. For tests: tests/support/fake_host.hpp.
// Every child gets SIGKILL when netsettle dies (parent-death signal, set before exec), has its own process group, its standard streams
// on pipes and no other descriptor.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/process.hpp"

namespace netsettle::runners {

class Host {
 public:
  virtual ~Host() = default;

  /// The whole file, at most 16 MiB. Errors as errno_error.
  virtual Expected<std::string> read_file(const std::string& path) = 0;
  /// Replaces the content of an existing file by one write(2) of the whole text (O_WRONLY|O_TRUNC, never created).
  virtual Expected<void> write_file(const std::string& path, std::string_view text) = 0;
  /// Names in a folder, sorted.
  virtual Expected<std::vector<std::string>> list_directory(const std::string& path) = 0;
  /// Where a path leads: absolute, without links. not_found, also where a link leads nowhere; unsupported for a host that cannot tell.
  virtual Expected<std::string> real_path(const std::string& path);
  /// Whether write_file may open the file (effective ids, read-only mounts); changes nothing. Errors as errno_error.
  virtual Expected<void> check_writable(const std::string& path) = 0;
  /// not_found where the program does not exist. The process must not outlive the host: it is killed with it.
  virtual Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) = 0;
  /// Sends one UDP datagram from a fresh socket and waits for one answer. `address` is a numeric IPv4 or IPv6 address. timed_out.
  virtual Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) = 0;
  virtual Clock& clock() = 0;
  /// Name of the network namespace below /run/netns, "" for the one netsettle was started in.
  virtual std::string network_namespace() const = 0;
};

/// Runs a program to its end. timed_out after `timeout` (it is killed then); a non-zero exit is not an error here.
Expected<Finished> run_program(Host& host, const ProcessSpec& spec, Microseconds timeout);
/// The same, but a non-zero exit is an Error that quotes the first line of standard error.
Expected<std::string> run_checked(Host& host, const std::vector<std::string>& argv, Microseconds timeout = std::chrono::seconds(10));

}  // namespace netsettle::runners
