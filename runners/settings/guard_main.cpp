// netsettle-guard UNDO_DIRECTORY PID START: watches a netsettle and gives the machine back when it dies. Started by netsettle, not by
// people: descriptor 0 is the connection (guard_process.hpp), descriptor 3 the lock, which stays held until all is restored.

#include "runners/settings/guard_watch.hpp"

int main(int count, char** words) { return netsettle::runners::guard_main({words, words + count}); }
