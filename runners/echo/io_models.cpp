#include <algorithm>
#include <array>
#include <string>

#include "runners/echo/io_model.hpp"

namespace netsettle::runners {
namespace {

constexpr std::array kModels = {
    IoModel{"blocking", prepare_blocking}, IoModel{"nonblocking", prepare_nonblocking},
    IoModel{"poll", prepare_poll},         IoModel{"select", prepare_select},
    IoModel{"epoll", prepare_epoll},       IoModel{"libevent", prepare_libevent},
    IoModel{"recvmmsg", prepare_recvmmsg}, IoModel{"io_uring", prepare_io_uring},
};

}  // namespace

std::span<const IoModel> io_models() { return kModels; }

const IoModel* find_io_model(std::string_view name) {
  const auto model = std::ranges::find(kModels, name, &IoModel::name);
  return model == kModels.end() ? nullptr : &*model;
}

std::string io_model_names() {
  std::string names;
  for (const IoModel& model : kModels) names += (names.empty() ? "" : ", ") + std::string(model.name);
  return names;
}

}  // namespace netsettle::runners
