#pragma once
// Where an export goes, piece by piece, so that its size is not the memory's.

#include <functional>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::tuner {

/// Takes the next piece. Failure: io, disk_full; the export ends with it.
using TextSink = std::function<Expected<void>(std::string_view)>;

}  // namespace netsettle::tuner
