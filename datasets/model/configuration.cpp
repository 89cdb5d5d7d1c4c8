#include "datasets/model/configuration.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include <fmt/format.h>

namespace netsettle {

std::string canonical_text(const Configuration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration.values) text += name + "=" + to_text(value) + "\n";
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available in libcrypto");
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string hash(const Configuration& configuration) { return sha256_hex(canonical_text(configuration)); }

std::string describe(const Configuration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration.values) text += (text.empty() ? "" : ", ") + name + "=" + to_text(value);
  return text;
}

}  // namespace netsettle
