#include "datasets/model/setting_form.hpp"

#include <algorithm>

namespace netsettle {

const std::vector<std::string>& io_model_words() {
  static const std::vector<std::string> kWords = {"blocking", "nonblocking", "poll", "select", "epoll", "libevent", "recvmmsg", "io_uring"};
  return kWords;
}

const std::vector<std::string>& socket_words() {
  static const std::vector<std::string> kWords = {"shared", "reuseport", "reuseport-cpu"};
  return kWords;
}

SettingForm form_of(std::string_view setting) {
  using enum ParameterType;
  if (setting.starts_with("sysctl.")) return {};
  if (setting == "server.io_model") return {.types = {categorical}, .words = io_model_words()};
  if (setting == "server.sockets") return {.types = {categorical}, .words = socket_words()};
  if (setting == "server.placement") return {.types = {categorical, cpus}, .words = {"pack", "spread"}, .cpu_list = true};
  if (setting == "server.receive_buffer" || setting == "server.send_buffer") return {.types = {bytes}, .smallest = 0};
  if (setting == "server.busy_poll") return {.types = {duration}, .smallest = 0};
  if (setting == "load.rate") return {.types = {integer, real}};
  if (setting == "queues.rps.count") return {.types = {integer}, .smallest = 0};
  return {.types = {integer}};
}

bool is_text(const SettingForm& form) {
  return std::ranges::any_of(form.types, [](ParameterType type) { return type == ParameterType::categorical; });
}

}  // namespace netsettle
