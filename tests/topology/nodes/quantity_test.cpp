// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/quantity.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "topology/nodes/amounts.h"

namespace tessera::topology {
namespace {

using nlohmann::json;

std::vector<json> vectors() {
  std::vector<json> out;
  gzFile file = gzopen(TESSERA_TEST_DATA "/quantities.jsonl.gz", "rb");
  EXPECT_NE(file, nullptr);
  char line[4096];
  while (file != nullptr && gzgets(file, line, sizeof line) != nullptr)
    out.push_back(json::parse(line));
  if (file != nullptr) gzclose(file);
  return out;
}

/// What differs from the reference's line, or nothing.
std::string difference(const json& vector) {
  const auto quantity = Quantity::parse(vector["in"].get<std::string>());
  if (vector.contains("error")) return quantity ? "parsed" : "";
  if (!quantity) return "refused";
  std::string out;
  if (quantity->canonical() != vector["canonical"]) out += " canonical " + quantity->canonical();
  if (quantity->sign() != vector["sign"]) out += " sign";
  if (vector.contains("value") && quantity->value() != vector["value"].get<std::int64_t>())
    out += " value";
  if (vector.contains("milliValue") &&
      quantity->milli_value() != vector["milliValue"].get<std::int64_t>())
    out += " milliValue";
  return out;
}

/// A negative binary quantity that the reference holds in big decimals: its Value() comes out of a
/// division that drops digits (-845Pi gives -576460751). We differ there. No input is affected,
/// since negative quantities are refused on reading.
bool listed_deviation(const json& vector) {
  const std::string text = vector["in"];
  return text[0] == '-' && text.ends_with("Pi");
}

TEST(Quantity, EqualsTheReference) {
  int exact = 0, listed = 0, other = 0;
  for (const json& vector : vectors()) {
    const std::string differs = difference(vector);
    if (differs.empty()) {
      ++exact;
    } else if (differs == " value" && listed_deviation(vector)) {
      ++listed;
    } else {
      ++other;
      ADD_FAILURE() << vector << differs;
    }
  }
  std::printf("quantities: %d exact, %d listed deviations, %d other\n", exact, listed, other);
  EXPECT_EQ(exact + listed + other, 900);
}

struct AmountCase {
  const char* resource;
  const char* quantity;
  std::int64_t amount;
  const char* text;
};

TEST(EngineAmount, CountsCpuInThousandthsAndTheRestInUnits) {  // cases.md C161
  const AmountCase cases[] = {
      {"cpu", "143900m", 143'900, "143900m"},
      {"cpu", "1500m", 1500, "1500m"},
      {"cpu", "1000", 1'000'000, "1k"},
      {"cpu", "0.1m", 1, "1m"},
      {"memory", "128974848Ki", 132'070'244'352, "123Gi"},
      {"memory", "1.5Gi", 1'610'612'736, "1536Mi"},
      {"memory", "1e3", 1000, "1k"},
      {"memory", "0.5", 1, "1"},
      {"nvidia.com/gpu", "4", 4, "4"},
      {"rdma/hca_shared", "1k", 1000, "1k"},
      {"pods", "1e30", INT64_MAX, "9223372036854775807"},
      {"hugepages-2Mi", "5134Mi", 5134LL << 20, "5134Mi"},
      {"cpu", "0", 0, "0"},
  };
  for (const AmountCase& c : cases) {
    const auto quantity = Quantity::parse(c.quantity);
    ASSERT_TRUE(quantity) << c.quantity;
    const std::int64_t amount = engine_amount(Symbol(c.resource), *quantity);
    EXPECT_EQ(amount, c.amount) << c.resource << " " << c.quantity;
    EXPECT_EQ(amount_text(c.resource, amount), c.text);
  }
}

TEST(Quantity, RefusesWithTheText) {
  for (const char* text :
       {"4x", "4 Gi", "1ki", "", ".", "-", "+", "1e", "1e999999999999", "10e100000"}) {
    const auto quantity = Quantity::parse(text);
    ASSERT_FALSE(quantity) << text;
    EXPECT_EQ(quantity.error().message, "\"" + std::string(text) + "\" is not a quantity");
  }
}

TEST(Quantity, ShowsTheBeginningOfALongTextInWholeCharacters) {
  const auto digits = Quantity::parse(std::string(100'000, '9'));
  ASSERT_FALSE(digits);
  EXPECT_EQ(digits.error().message, "\"" + std::string(60, '9') + "...\" is not a quantity");
  const auto accents = Quantity::parse(std::string(59, 'x') + "\u00e9\u00e9");
  ASSERT_FALSE(accents);
  EXPECT_EQ(accents.error().message, "\"" + std::string(59, 'x') + "...\" is not a quantity");
}

struct ExtremeCase {
  const char* text;
  const char* canonical;
  std::optional<std::int64_t> value;
};

TEST(Quantity, IsExactFarFromOne) {
  const ExtremeCase cases[] = {
      {"1000E", "1e21", std::nullopt},  // no suffix beyond E
      {"-1000E", "-1e21", std::nullopt},
      {"1e100000", "10e99999", std::nullopt},
      {"1e-100000", "1e-9", 1},  // anything above zero is at least a nano unit
      {"-1e-100000", "-1e-9", -1},
      {"0e100000", "0", 0},
      {"0.00000000000000000001Ki", "1n", 1},
      {"9223372036854775807", "9223372036854775807", INT64_MAX},
      {"9223372036854775808", "9223372036854775808", std::nullopt},
  };
  for (const ExtremeCase& c : cases) {
    const auto quantity = Quantity::parse(c.text);
    ASSERT_TRUE(quantity) << c.text;
    EXPECT_EQ(quantity->canonical(), c.canonical) << c.text;
    EXPECT_EQ(quantity->value(), c.value) << c.text;
  }
}

TEST(Saturation, NeverWraps) {
  EXPECT_EQ(saturating_add(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(saturating_add(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(saturating_sub(INT64_MIN, 1), INT64_MIN);
  EXPECT_EQ(saturating_mul(INT64_MAX / 2, 3), INT64_MAX);
  EXPECT_EQ(saturating_mul(INT64_MAX / 2, -3), INT64_MIN);
  EXPECT_EQ(saturating_mul(-4, 5), -20);
}

}  // namespace
}  // namespace tessera::topology
