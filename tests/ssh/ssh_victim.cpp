// ssh_victim DESTINATION CONFIGURATION: starts a program with children there, prints its pid, and waits to be killed.

#include <unistd.h>

#include <cstdio>

#include "runners/hosts/ssh_host.hpp"

int main(int count, char** words) {
  using namespace netsettle::runners;
  if (count != 3) return 2;
  const auto host = make_ssh_host({words[1], {"-F", words[2]}});
  if (!host) return 1;
  ProcessSpec spec;
  spec.argv = {"sh", "-c", "sleep 1000 & echo $!; wait"};
  const auto process = (*host)->start(spec);
  if (!process) return 1;
  while (!(*process)->standard_output().ends_with('\n')) ::usleep(1000);
  std::printf("%d %s", (*process)->pid(), (*process)->standard_output().c_str());
  std::fflush(stdout);
  for (;;) ::pause();
}
