// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_text.h"

#include <vector>

#include "tests/support/random_world.h"

namespace tessera::test {
namespace {

std::string random_gang(Dice& dice, const std::string& name) {
  const char* const queues[] = {"left", "right", "solo"};
  const char* const levels[] = {"", "", "@block", "@rack", "@block?", "@rack?", "@host?"};
  std::string text = "+" + name + "/" + queues[dice.below(3)] + ":";
  const std::int64_t pod_sets = dice.percent(25) ? 2 : 1;
  for (std::int64_t i = 0; i < pod_sets; ++i) {
    text += (i > 0 ? "," : "") + std::to_string(dice.between(1, 6)) + "x" +
            std::to_string(dice.between(1, 4)) + levels[dice.below(7)];
  }
  return dice.percent(30) ? text + "!" + std::to_string(dice.below(3)) : text;
}

/// A random word about a gang, whatever its phase; most calls give none.
std::string random_change(Dice& dice, const std::string& name, std::int64_t now) {
  const char* const kinds[] = {"*", "*", "%", "/", "/", "_", "^", "^"};
  if (!dice.percent(40)) return {};
  const std::string kind = kinds[dice.below(8)];
  const std::string until = "@" + std::to_string(now + dice.between(1, 25));
  return " " + kind + name + (kind == "%" && dice.percent(50) ? until : "");
}

}  // namespace

EngineText random_engine_text(std::uint64_t seed) {
  Dice dice(seed);
  EngineText text;
  for (int i = 0; i < 12; ++i) {
    text.hosts += " b" + std::to_string(i / 6) + "/r" + std::to_string(i / 3) + "/h" +
                  std::to_string(i) + ":" + std::to_string(dice.between(2, 8));
  }
  text.queues = "left:" + std::to_string(dice.between(6, 24)) +
                "/pool right:" + std::to_string(dice.between(6, 24)) + "+" +
                std::to_string(dice.between(0, 8)) +
                "/pool solo:" + std::to_string(dice.between(4, 12)) + " ^pool/all:4";
  std::vector<std::string> running;
  for (std::int64_t instant = 0; instant < 6; ++instant) {
    text.instants += "@" + std::to_string(instant * 10);
    for (std::int64_t i = dice.between(0, 5); i > 0; --i) {
      running.push_back("g" + std::to_string(instant) + std::to_string(i));
      text.instants += " " + random_gang(dice, running.back());
    }
    while (running.size() > 4 && dice.percent(70)) {
      const auto at = dice.below(static_cast<std::int64_t>(running.size()));
      const std::string& name = running[static_cast<std::size_t>(at)];
      const std::string until = "@" + std::to_string(instant * 10 + dice.between(1, 25));
      text.instants += dice.percent(80) ? " -" + name : " ~" + name + until;
      running.erase(running.begin() + at);
    }
    for (const std::string& name : running)
      text.instants += random_change(dice, name, instant * 10);
    if (instant > 1 && dice.percent(15)) text.instants += " #h" + std::to_string(dice.below(12));
    text.instants += ";";
  }
  return text;
}

}  // namespace tessera::test
