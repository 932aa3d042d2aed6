// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/quantity.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>

namespace tessera::topology {
namespace {

using Big = boost::multiprecision::cpp_int;

constexpr int kNano = -9;                   // quantities are rounded up to whole nano units
constexpr std::size_t kLongestText = 1024;  // hostile input: arithmetic on digits is quadratic
constexpr std::size_t kShownBytes = 60;     // of a text in a message
constexpr std::int64_t kMostDigits = kLongestText + 20;  // of a mantissa, times 1024^6 (Ei)
constexpr std::int64_t kMostExponent = 100'000;

/// What follows the digits: a power of ten, or of two.
struct Suffix {
  bool binary = false;
  bool exponent = false;  // written as e3
  int power = 0;          // of ten, or of 1024
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Suffix> parse_suffix(std::string_view text) {
  static constexpr std::string_view kDecimal =
      "num_kMGTPE";  // '_' is the place of no suffix at all
  static constexpr std::string_view kBinary = "KMGTPE";
  if (text.empty()) return Suffix{};
  if (text.size() == 1) {
    const std::size_t at = text[0] == '_' ? std::string_view::npos : kDecimal.find(text[0]);
    if (at == std::string_view::npos) return std::nullopt;
    return Suffix{false, false, 3 * (static_cast<int>(at) - 3)};
  }
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t at = kBinary.find(text[0]);
    if (at == std::string_view::npos) return std::nullopt;
    return Suffix{true, false, static_cast<int>(at) + 1};
  }
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text[0] == '+') text.remove_prefix(1);
  int power = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (power > kMostExponent || power < -kMostExponent) return std::nullopt;
  return Suffix{false, true, power};
}

Big power_of_ten(std::int64_t exponent) {
  return boost::multiprecision::pow(Big(10), static_cast<unsigned>(exponent));
}

/// Divides by 10^digits, rounding away from zero.
Big divide_up(const Big& value, std::int64_t digits) {
  // No text has so many digits, so the quotient is below 1: there is no need to compute the power.
  if (digits > kMostDigits && value != 0) return value < 0 ? -1 : 1;
  const Big divisor = power_of_ten(digits);
  Big quotient = value / divisor;
  if (quotient * divisor != value) quotient += value < 0 ? -1 : 1;
  return quotient;
}

std::optional<std::int64_t> fit(const Big& value) {
  if (value > INT64_MAX || value < INT64_MIN) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// mantissa * 10^exponent in units of 10^unit, rounded up.
std::optional<std::int64_t> scaled(const Big& mantissa, std::int64_t exponent, std::int64_t unit) {
  const std::int64_t shift = exponent - unit;
  if (mantissa == 0) return 0;
  if (shift > 40) return std::nullopt;
  return fit(shift >= 0 ? Big(mantissa * power_of_ten(shift)) : divide_up(mantissa, -shift));
}

std::string decimal_text(Big mantissa, std::int64_t exponent, bool as_exponent) {
  while (mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent;
  }
  const std::int64_t down = ((exponent % 3) + 3) % 3;
  mantissa *= power_of_ten(down);
  exponent -= down;
  static constexpr std::string_view kSuffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  // There is no suffix beyond E: 1000E is 1e21.
  if (as_exponent || exponent > 18) {
    return mantissa.str() + (exponent == 0 ? "" : "e" + std::to_string(exponent));
  }
  return mantissa.str() + std::string(kSuffixes[exponent / 3 + 3]);
}

/// Whole units as a binary quantity: factors of 1024 become the suffix.
std::string binary_text(Big units) {
  static constexpr std::string_view kSuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t power = 0;
  while (power + 1 < std::size(kSuffixes) && units % 1024 == 0) {
    units /= 1024;
    ++power;
  }
  return units.str() + std::string(kSuffixes[power]);
}

/// A quantity as written: its digits without the point, the power of ten to multiply them by, and
/// the suffix.
struct Written {
  std::string digits;  // "-" first if negative
  std::int64_t exponent = 0;
  Suffix suffix;
};

std::optional<Written> read(std::string_view text) {
  if (text.empty() || text.size() > kLongestText) return std::nullopt;
  Written out;
  std::size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  if (text[0] == '-') out.digits = "-";
  const std::size_t sign = out.digits.size();
  const auto take_digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) out.digits += text[at++];
    return static_cast<std::int64_t>(at - begin);
  };
  take_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    out.exponent = -take_digits();
  }
  const auto suffix = parse_suffix(text.substr(at));
  if (!suffix) return std::nullopt;
  // Kubernetes reads a suffix alone ("e3", "Mi") as zero. A text with neither digits nor suffix, as
  // "", "-" or ".", is an error.
  if (out.digits.size() == sign) {
    if (at == text.size()) return std::nullopt;
    out.digits += '0';
  }
  out.suffix = *suffix;
  if (!suffix->binary) out.exponent += suffix->power;
  // Zeros at the end of the digits move to the canonical exponent. The canonical text of what we
  // read must be readable too.
  if (out.exponent + static_cast<std::int64_t>(out.digits.size() - sign) > kMostExponent + 1) {
    return std::nullopt;
  }
  return out;
}

/// cpp_int reads a leading 0 as octal.
Big big_number(const std::string& digits) {
  const std::size_t sign = digits[0] == '-' ? 1 : 0;
  const std::size_t first = std::min(digits.find_first_not_of('0', sign), digits.size() - 1);
  const Big magnitude(digits.substr(first));
  return sign != 0 ? -magnitude : magnitude;
}

Error not_a_quantity(std::string_view text) {
  std::size_t shown = std::min(text.size(), kShownBytes);
  // Do not cut a UTF-8 character in two: messages go out as JSON.
  while (shown > 0 && shown < text.size() && (text[shown] & 0xC0) == 0x80) --shown;
  const std::string cut = shown < text.size() ? "..." : "";
  return {ErrorCode::kInvalidInput,
          "\"" + std::string(text.substr(0, shown)) + cut + "\" is not a quantity"};
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  const auto written = read(text);
  if (!written) return fail(not_a_quantity(text));
  const Suffix& suffix = written->suffix;
  std::int64_t exponent = written->exponent;
  const std::string& digits = written->digits;

  Quantity out;
  out.format_ = suffix.binary     ? Format::kBinarySi
                : suffix.exponent ? Format::kDecimalExponent
                                  : Format::kDecimalSi;
  std::int64_t small = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), small);
  if (!suffix.binary && exponent >= kNano && error == std::errc()) {
    out.mantissa_ = small;
    out.exponent_ = static_cast<std::int32_t>(exponent);
    return out;
  }
  Big mantissa = big_number(digits);
  if (suffix.binary) {
    mantissa <<= 10 * suffix.power;
    const Big cap = Big(INT64_MAX) * power_of_ten(-exponent);
    if (mantissa > cap || mantissa < -cap) {
      mantissa = mantissa < 0 ? -INT64_MAX : INT64_MAX;
      exponent = 0;
    }
    if (mantissa > 0 && mantissa < power_of_ten(-exponent)) out.format_ = Format::kDecimalSi;
  }
  if (exponent < kNano) {
    mantissa = divide_up(mantissa, kNano - exponent);
    exponent = kNano;
  }
  out.exponent_ = static_cast<std::int32_t>(exponent);
  if (const auto fits = fit(mantissa)) {
    out.mantissa_ = *fits;
  } else {
    out.digits_ = mantissa.str();
  }
  return out;
}

std::string Quantity::canonical() const {
  const Big mantissa = digits_.empty() ? Big(mantissa_) : Big(digits_);
  if (mantissa == 0) return "0";
  if (format_ == Format::kBinarySi) {
    const Big units = exponent_ >= 0 ? Big(mantissa * power_of_ten(exponent_))
                                     : Big(mantissa / power_of_ten(-exponent_));
    const bool whole = exponent_ >= 0 || units * power_of_ten(-exponent_) == mantissa;
    if (whole && (units >= 1024 || units <= -1024)) return binary_text(units);
  }
  return decimal_text(mantissa, exponent_, format_ == Format::kDecimalExponent);
}

std::optional<std::int64_t> Quantity::value() const {
  if (digits_.empty() && exponent_ == 0) return mantissa_;
  return scaled(digits_.empty() ? Big(mantissa_) : Big(digits_), exponent_, 0);
}

std::optional<std::int64_t> Quantity::milli_value() const {
  if (digits_.empty() && exponent_ == -3) return mantissa_;
  return scaled(digits_.empty() ? Big(mantissa_) : Big(digits_), exponent_, -3);
}

std::optional<std::int64_t> Quantity::nano_value() const {
  return scaled(digits_.empty() ? Big(mantissa_) : Big(digits_), exponent_, -9);
}

int Quantity::sign() const {
  if (!digits_.empty()) return digits_[0] == '-' ? -1 : 1;
  return mantissa_ > 0 ? 1 : mantissa_ < 0 ? -1 : 0;
}

std::string amount_text(std::string_view resource, std::int64_t amount) {
  if (amount == 0) return "0";
  if (resource == "cpu") return decimal_text(Big(amount), -3, false);
  const bool binary =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  if (binary && (amount >= 1024 || amount <= -1024)) return binary_text(Big(amount));
  return decimal_text(Big(amount), 0, false);
}

}  // namespace tessera::topology
