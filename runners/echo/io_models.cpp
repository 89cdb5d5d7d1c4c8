#include <algorithm>
#include <array>
#include <string>

#include "runners/echo/io_model.hpp"

namespace netsettle::runners {
namespace {

constexpr std::array kModels = {
    IoModel{"blocking", serve_blocking},
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
