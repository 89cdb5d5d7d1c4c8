#pragma once
// One ssh connection to a machine, shared by all commands: a control master (ssh -M) that is our child, with its socket in a private
// folder. The plain ssh client does it all, with the user's own configuration, keys and agent; it never asks anything (BatchMode).

#include <memory>
#include <string>
#include <vector>

#include "runners/hosts/process.hpp"
#include "runners/hosts/spawn.hpp"
#include "runners/hosts/worker_thread.hpp"

namespace netsettle::runners {

struct SshDestination {
  std::string name;                    // "root@client1", or a Host of ~/.ssh/config
  std::vector<std::string> arguments;  // further words for ssh: {"-F", file}
};

class SshConnection {
 public:
  /// Connects (10 s). not_found: ssh is not installed, or the name is not known; permission_denied: no key was accepted; refused, mismatch:
  /// its host key; unsupported: a program is missing there; timed_out, io: it cannot be reached. Each says what to do.
  static Expected<std::unique_ptr<SshConnection>> open(SshDestination destination);
  /// Ends the connection, and with it everything that still runs there.
  ~SshConnection();
  SshConnection(const SshConnection&) = delete;
  SshConnection& operator=(const SshConnection&) = delete;

  /// Starts a script of ssh_commands.hpp there; `input` becomes its standard input.
  Expected<std::unique_ptr<Process>> start(std::string_view script, const std::vector<std::string>& words, std::string input,
                                           std::size_t output_limit);
  bool alive() const;
  /// What the connection's end looked like.
  Error lost() const;
  /// A name for a file of its own in the folder there where running commands are noted.
  std::string new_note();
  const std::string& destination() const { return destination_.name; }

 private:
  explicit SshConnection(SshDestination destination) : destination_(std::move(destination)) {}
  Expected<void> make_folder();
  Expected<void> start_master();
  Expected<std::string> first_line(const Descriptor& output) const;
  Expected<void> understand(const std::string& line);
  std::vector<std::string> words(const std::vector<std::string>& options, const std::string& command) const;

  SshDestination destination_;
  std::string folder_;         // here: control socket and log
  std::string remote_folder_;  // there: notes
  int notes_ = 0;
  Descriptor input_;   // of the master; its end is the end of the connection's first session
  Descriptor output_;  // stays open, so that nothing that is written there meets a closed pipe
  Spawned master_;
  WorkerThread worker_;  // forks: children die with the thread that forked them
};

}  // namespace netsettle::runners
