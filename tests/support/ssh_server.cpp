#include "tests/support/ssh_server.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include "runners/hosts/local_host.hpp"

namespace netsettle::tests {

using namespace runners;
using namespace std::chrono_literals;

namespace {

constexpr const char* kPort = "2222";
constexpr const char* kRunFolder = "/run/sshd";  // sshd insists on it

/// The n-th block of four addresses in 198.18.0.0/15, which is for laboratories.
std::string laboratory_address(int block, int last) {
  const int offset = block % (1 << 15) * 4 + last;
  return fmt::format("198.{}.{}.{}", 18 + offset / 65536, offset / 256 % 256, offset % 256);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

SshServer::SshServer(const std::string& configuration) : space_("nst-ssh"), host_(make_local_host()) {
  static int count = 0;
  number_ = ++count;
  const int block = ::getpid() * 8 + number_;  // servers may be there that a killed test has left
  address_ = laboratory_address(block, 2);
  own_address_ = laboratory_address(block, 1);
  made_run_folder_ = std::filesystem::create_directory(kRunFolder);
  make_keys();
  join();
  write_configurations(configuration);
  start();
}

SshServer::~SshServer() {
  process_.reset();
  std::error_code ignored;
  if (made_run_folder_) std::filesystem::remove(kRunFolder, ignored);
}

void SshServer::make_keys() {
  for (const char* name : {"host", "client", "foreign"})
    static_cast<void>(run_checked(*host_, {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder_.file(name)}).value());
  std::filesystem::copy_file(folder_.file("client.pub"), folder_.file("authorized_keys"));
}

/// The other end of the pair goes with the namespace.
void SshServer::join() {
  const std::string here = own_interface();
  space_.ip({"link", "add", "ssh0", "type", "veth", "peer", "name", here, "netns", fmt::format("{}", ::getpid())});
  space_.ip({"address", "add", address_ + "/30", "dev", "ssh0"});
  for (const char* device : {"lo", "ssh0"}) space_.ip({"link", "set", device, "up"});
  static_cast<void>(run_checked(*host_, {"ip", "address", "add", own_address_ + "/30", "dev", here}).value());
  static_cast<void>(run_checked(*host_, {"ip", "link", "set", here, "up"}).value());
}

/// SHLVL: a bash that is not the first one does not read the start-up file of this machine's root, which may take long.
void SshServer::write_configurations(const std::string& more) {
  std::ofstream(folder_.file("sshd_config")) << more << "ListenAddress " << address_ << "\nPort " << kPort << "\nHostKey "
                                             << folder_.file("host") << "\nAuthorizedKeysFile " << folder_.file("authorized_keys")
                                             << "\nSetEnv SHLVL=2\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n"
                                                "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n";
  std::ofstream(folder_.file("known_hosts")) << "[" << address_ << "]:" << kPort << " " << text_of(folder_.file("host.pub"));
  write_client_configuration("ssh_config", "");
}

std::string SshServer::write_client_configuration(const std::string& name, const std::string& lines) const {
  std::ofstream(folder_.file(name)) << lines << "Port " << kPort << "\nIdentityFile " << folder_.file("client")
                                    << "\nIdentitiesOnly yes\nIdentityAgent none\nUserKnownHostsFile " << folder_.file("known_hosts")
                                    << "\nGlobalKnownHostsFile none\nStrictHostKeyChecking yes\n";
  return folder_.file(name);
}

void SshServer::start() {
  ProcessSpec spec;
  spec.argv = {"ip", "netns", "exec", space_.name(), "/usr/sbin/sshd", "-D", "-e", "-f", folder_.file("sshd_config")};
  process_ = host_->start(spec).value();
  while (process_->standard_error().find("Server listening") == std::string::npos)
    if (process_->wait(10ms)) throw std::runtime_error("sshd ended: " + process_->standard_error());
}

std::string SshServer::own_interface() const { return fmt::format("nst{}s{}", ::getpid(), number_); }

SshDestination SshServer::destination() const { return {"root@" + address_, {"-F", folder_.file("ssh_config")}}; }

SshDestination SshServer::destination_with(const std::string& lines) const {
  return {"root@" + address_, {"-F", write_client_configuration("other_config", lines)}};
}

}  // namespace netsettle::tests
