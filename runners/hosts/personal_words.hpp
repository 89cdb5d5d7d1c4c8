#pragma once
// The names by which a machine and its people can be recognised, for leaving them out of what is handed out.

#include "datasets/model/pseudonyms.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

/// Host name, names in /etc/hosts, users with their home folders, serial numbers of the machine (DMI, machine-id). What cannot be read is
/// left out; nothing is changed.
PersonalWords personal_words(Host& host);

}  // namespace netsettle::runners
