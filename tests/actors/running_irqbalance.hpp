#pragma once
// A real irqbalance for a test: in the foreground, and every interrupt banned by a policy script, so that it moves none of this machine's.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/settings/process_identity.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tests {

class RunningIrqbalance {
 public:
  enum class RunFolder { shared, hidden };  // hidden: in a mount namespace with an empty /run, so that it has an abstract socket only

  /// Starts it and waits until it answers; throws where it does not.
  explicit RunningIrqbalance(const std::vector<std::string>& arguments = {}, RunFolder run_folder = RunFolder::shared);
  ~RunningIrqbalance();
  RunningIrqbalance(const RunningIrqbalance&) = delete;
  RunningIrqbalance& operator=(const RunningIrqbalance&) = delete;

  const runners::ProcessIdentity& identity() const { return identity_; }
  std::string socket() const;
  /// Its list now: "26 28".
  std::string bans() const;
  /// A command of somebody else's.
  void tell(std::string_view command) const;
  void stop();

 private:
  TemporaryFolder folder_;
  bool made_run_folder_ = false;
  std::unique_ptr<runners::Host> host_;
  std::unique_ptr<runners::Process> process_;
  runners::ProcessIdentity identity_;
};

}  // namespace netsettle::tests
