// SPDX-License-Identifier: Apache-2.0
#include "app/console/messages.h"

#include <algorithm>
#include <cstdio>

#include "topology/text/printable.h"

namespace tessera::app {
namespace {

constexpr std::size_t kLabelWidth = 10;
constexpr const char *kRed = "\033[31m", *kYellow = "\033[33m", *kPlain = "";

}  // namespace

void Messages::print(const std::string& label, const char* color, const std::string& text) const {
  std::string shown = label;
  shown.resize(std::max(kLabelWidth, label.size() + 1), ' ');
  if (color_ && *color != '\0') shown = color + shown + "\033[0m";
  const std::string out = shown + printable(text) + "\n";
  std::fwrite(out.data(), 1, out.size(), stderr);
}

void Messages::error(const std::string& text) {
  if (!told_.insert("e" + text).second) return;
  ++errors_;
  print("error", kRed, text);
}

void Messages::warning(const std::string& text) {
  if (!told_.insert("w" + text).second) return;
  ++warnings_;
  if (volume_ != Volume::kQuiet) print("warning", kYellow, text);
}

void Messages::note(const std::string& text) {
  if (volume_ == Volume::kQuiet || !told_.insert("n" + text).second) return;
  print("note", kPlain, text);
}

void Messages::line(const std::string& label, const std::string& text) {
  if (volume_ != Volume::kQuiet) print(label, kPlain, text);
}

void Messages::detail(const std::string& text) {
  if (volume_ == Volume::kVerbose) print("detail", kPlain, text);
}

}  // namespace tessera::app
