#include "runners/echo/report.hpp"

#include <nlohmann/json.hpp>

namespace netsettle::runners {
namespace {

using Json = nlohmann::ordered_json;

Json to_value(const EchoWorkerReport& worker) {
  return {{"process", worker.process},
          {"thread", worker.thread},
          {"pid", worker.pid},
          {"tid", worker.tid},
          {"cpus", worker.cpus},
          {"socket", worker.socket},
          {"received", worker.received},
          {"answered", worker.answered},
          {"malformed", worker.malformed},
          {"errors", worker.errors},
          {"not_queries", worker.not_queries}};
}

Json to_value(const EchoSocketReport& socket) {
  return {{"requested_receive_buffer", socket.requested_receive_buffer},
          {"receive_buffer", socket.receive_buffer},
          {"requested_send_buffer", socket.requested_send_buffer},
          {"send_buffer", socket.send_buffer}};
}

template <typename Item>
Json to_list(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(to_value(item));
  return list;
}

}  // namespace

std::string to_json(const EchoReport& report) {
  const Json json = {{"workers", to_list(report.workers)},      {"sockets", to_list(report.sockets)}, {"cpu_seconds", report.cpu_seconds},
                     {"receive_buffer", report.receive_buffer}, {"send_buffer", report.send_buffer},  {"unpinned", report.unpinned}};
  return json.dump();
}

}  // namespace netsettle::runners
