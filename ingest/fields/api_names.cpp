// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/api_names.h"

namespace tessera::ingest {
namespace {

constexpr std::size_t kMaxNamePart = 63;
constexpr std::size_t kMaxSubdomain = 253;

constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kLabelRule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }
bool is_alphanumeric(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

bool is_name(std::string_view text) {
  for (const char c : text) {
    if (!is_alphanumeric(c) && c != '-' && c != '_' && c != '.') return false;
  }
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back());
}

bool is_subdomain(std::string_view text) {
  char before = '.';
  for (const char c : text) {
    if (c == '.' ? !is_lower(before) : !is_lower(c) && (c != '-' || before == '.')) return false;
    before = c;
  }
  return is_lower(before);
}

}  // namespace

std::vector<std::string> object_name_faults(std::string_view name) {
  std::vector<std::string> faults;
  if (name.size() > kMaxSubdomain) faults.emplace_back("must be no more than 253 characters");
  if (!is_subdomain(name)) faults.emplace_back(kSubdomainRule);
  return faults;
}

std::vector<std::string> namespace_name_faults(std::string_view name) {
  std::vector<std::string> faults;
  if (name.size() > kMaxNamePart) faults.emplace_back("must be no more than 63 characters");
  if (name.find('.') != std::string_view::npos || !is_subdomain(name)) {
    faults.emplace_back(kLabelRule);
  }
  return faults;
}

std::vector<std::string> label_key_faults(std::string_view key) {
  std::vector<std::string> faults;
  const std::size_t slash = key.find('/');
  std::string_view name = key;
  if (slash != std::string_view::npos) {
    if (key.find('/', slash + 1) != std::string_view::npos) {
      return {"a valid label key " + std::string(kNameRule) +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    const std::string_view prefix = key.substr(0, slash);
    name = key.substr(slash + 1);
    if (prefix.empty()) {
      faults.emplace_back("prefix part must be non-empty");
    } else if (prefix.size() > kMaxSubdomain) {
      faults.emplace_back("prefix part must be no more than 253 bytes");
    } else if (!is_subdomain(prefix)) {
      faults.emplace_back("prefix part " + std::string(kSubdomainRule));
    }
  }
  if (name.empty()) {
    faults.emplace_back("name part must be non-empty");
  } else if (name.size() > kMaxNamePart) {
    faults.emplace_back("name part must be no more than 63 bytes");
  }
  if (!is_name(name)) faults.emplace_back("name part " + std::string(kNameRule));
  return faults;
}

std::vector<std::string> label_value_faults(std::string_view value) {
  std::vector<std::string> faults;
  if (value.size() > kMaxNamePart) faults.emplace_back("must be no more than 63 characters");
  if (!value.empty() && !is_name(value)) faults.emplace_back(kValueRule);
  return faults;
}

bool is_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view prefix = key.substr(0, slash);
    if (prefix.size() > kMaxSubdomain || !is_subdomain(prefix)) return false;
    key.remove_prefix(slash + 1);
  }
  return key.size() <= kMaxNamePart && is_name(key);
}

bool is_label_value(std::string_view value) {
  return value.empty() || (value.size() <= kMaxNamePart && is_name(value));
}

}  // namespace tessera::ingest
