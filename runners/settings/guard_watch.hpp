#pragma once
// What the program netsettle-guard does.

#include <string>
#include <vector>

namespace netsettle::runners {

/// Waits until netsettle says "done" (0, nothing is done), or until its connection closes or it dies: then ends the children it was told
/// of, restores from the journal and writes last-restore.json beside it (0: complete, 4: not all could be given back). 2: bad arguments.
int guard_main(const std::vector<std::string>& words);

}  // namespace netsettle::runners
