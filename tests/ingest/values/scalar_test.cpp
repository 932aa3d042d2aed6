// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct ScalarCase {
  const char* name;
  const char* yaml;      // what stands behind "a: "
  const char* expected;  // as JSON
};

std::ostream& operator<<(std::ostream& out, const ScalarCase& c) { return out << c.yaml; }

class YamlScalar : public ::testing::TestWithParam<ScalarCase> {};

TEST_P(YamlScalar, IsWhatKubectlReads) {
  const Collected got = read(std::string("a: ") + GetParam().yaml);
  EXPECT_THAT(got.errors, IsEmpty());
  EXPECT_THAT(got.objects, ElementsAre(std::string("{\"a\":") + GetParam().expected + "}"));
}

const ScalarCase kWords[] = {
    {"yes", "yes", "true"},
    {"No", "No", "false"},
    {"ON", "ON", "true"},
    {"off", "off", "false"},
    {"y", "y", "true"},
    {"N", "N", "false"},
    {"True", "True", "true"},
    {"FALSE", "FALSE", "false"},
    {"mixed case is a text", "yEs", R"("yEs")"},
    {"null", "null", "null"},
    {"Null", "Null", "null"},
    {"tilde", "~", "null"},
    {"nothing", "", "null"},
    {"longer word", "nothing", R"("nothing")"},
    {"quoted yes", "'yes'", R"("yes")"},
    {"double quoted null", "\"null\"", R"("null")"},
    {"block number", "|-\n  12", R"("12")"},
    {"folded text", ">-\n  a\n  b", R"("a b")"},
    {"date", "2026-03-10", R"("2026-03-10")"},
    {"time", "2026-03-10T00:20:40Z", R"("2026-03-10T00:20:40Z")"},
};
INSTANTIATE_TEST_SUITE_P(Words, YamlScalar, ::testing::ValuesIn(kWords),
                         case_name<::testing::TestParamInfo<ScalarCase>>);

const ScalarCase kNumbers[] = {
    {"zero", "0", "0"},
    {"minus zero", "-0", "0"},
    {"decimal", "4096", "4096"},
    {"plus sign", "+12", "12"},
    {"negative", "-12", "-12"},
    {"octal old", "0777", "511"},
    {"octal new", "0o777", "511"},
    {"octal upper", "0O17", "15"},
    {"octal negative", "-010", "-8"},
    {"no octal digit", "089", "89"},
    {"hex", "0x1F", "31"},
    {"hex negative", "-0x10", "-16"},
    {"binary", "0b101", "5"},
    {"binary bad digit", "0b102", R"("0b102")"},
    {"hex without digits", "0x", R"("0x")"},
    {"hex of 64 bits", "0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
    {"hex beyond 64 bits", "0x1FFFFFFFFFFFFFFFF", R"("0x1FFFFFFFFFFFFFFFF")"},
    {"smallest", "-9223372036854775808", "-9223372036854775808"},
    {"smallest in hex", "-0x8000000000000000", "-9223372036854775808"},
    {"below smallest in hex", "-0x8000000000000001", R"("-0x8000000000000001")"},
    {"long decimal", "123456789012345678901234567890", "123456789012345678901234567890"},
    {"underscores", "1_000_000", "1000000"},
    {"underscore first", "_1", R"("_1")"},
    {"underscore in hex", "0x_F", "15"},
    {"float", "1.5", "1.5"},
    {"float with exponent", "-1.5e+3", "-1.5e+3"},
    {"integer with exponent", "1e3", "1e3"},
    {"point first", ".5", "0.5"},
    {"point last", "1.", "1"},
    {"float with leading zeros", "007.5", "7.5"},
    {"beyond a double", "1e999", R"("1e999")"},
    {"point alone", ".", R"(".")"},
    {"minus alone", "'-'", R"("-")"},
    {"two points", "1.2.3", R"("1.2.3")"},
    {"exponent without digits", "1e", R"("1e")"},
    {"base 60", "1:30", R"("1:30")"},
    {"quantity", "1Ki", R"("1Ki")"},
    {"milli", "500m", R"("500m")"},
    {"two signs", "+-1", R"("+-1")"},
    {"quoted number", "\"12\"", R"("12")"},
};
INSTANTIATE_TEST_SUITE_P(Numbers, YamlScalar, ::testing::ValuesIn(kNumbers),
                         case_name<::testing::TestParamInfo<ScalarCase>>);

const ScalarCase kTags[] = {
    {"str", "!!str 12", R"("12")"},
    {"str of nothing", "!!str", R"("")"},
    {"int of quoted", "!!int \"12\"", "12"},
    {"int in hex", "!!int 0x10", "16"},
    {"float of integer", "!!float 1", "1"},
    {"bool of word", "!!bool \"yes\"", "true"},
    {"null of tilde", "!!null ~", "null"},
    {"timestamp", "!!timestamp 2026-03-10", R"("2026-03-10")"},
    {"non specific", "! 12", R"("12")"},
    {"map", "!!map {b: 1}", R"({"b":1})"},
    {"seq", "!!seq [1]", "[1]"},
    {"long form", "!<tag:yaml.org,2002:str> 1", R"("1")"},
};
INSTANTIATE_TEST_SUITE_P(Tags, YamlScalar, ::testing::ValuesIn(kTags),
                         case_name<::testing::TestParamInfo<ScalarCase>>);

const ScalarCase kRefused[] = {
    {"infinity", ".inf", "f:1:4: .inf is no number in JSON: quote it if a text is meant"},
    {"minus infinity", "-.Inf", "f:1:4: -.Inf is no number in JSON: quote it if a text is meant"},
    {"not a number", ".NaN", "f:1:4: .NaN is no number in JSON: quote it if a text is meant"},
    {"int that is none", "!!int x", "f:1:4: the value does not fit its tag !!int"},
    {"int with fraction", "!!int 1.5", "f:1:4: the value does not fit its tag !!int"},
    {"bool that is none", "!!bool 1", "f:1:4: the value does not fit its tag !!bool"},
    {"null that is none", "!!null x", "f:1:4: the value does not fit its tag !!null"},
    {"binary", "!!binary abc",
     "f:1:4: tag !!binary is not known here: leave it out, or use !!str, !!int, !!float, !!bool, "
     "!!null, !!map or !!seq"},
    {"own tag", "!Ref abc",
     "f:1:4: tag !Ref is not known here: leave it out, or use !!str, !!int, !!float, !!bool, "
     "!!null, !!map or !!seq"},
    {"set", "!!set {a}",
     "f:1:4: tag !!set is not known here: leave it out, or use !!str, !!int, !!float, !!bool, "
     "!!null, !!map or !!seq"},
};

class YamlScalarRefused : public ::testing::TestWithParam<ScalarCase> {};

TEST_P(YamlScalarRefused, WithPositionAndReason) {
  const Collected got = read(std::string("a: ") + GetParam().yaml);
  EXPECT_THAT(got.objects, IsEmpty());
  EXPECT_THAT(got.errors, ElementsAre(GetParam().expected));
}
INSTANTIATE_TEST_SUITE_P(Tags, YamlScalarRefused, ::testing::ValuesIn(kRefused),
                         case_name<::testing::TestParamInfo<ScalarCase>>);

TEST(YamlKeys, AreTheirTextAsWritten) {
  EXPECT_THAT(read("on: 1\ny: 2\n010: 3\n1.0: 4\n'': 5\n\"<<\": 6\n!!str ~: 7").objects,
              ElementsAre(R"({"on":1,"y":2,"010":3,"1.0":4,"":5,"<<":6,"~":7})"));
}

TEST(JsonNumbers, KeepTheirDigits) {
  EXPECT_THAT(read(R"({"a":[0,-0,1.50,1E5,18446744073709551616,-9223372036854775809]})").objects,
              ElementsAre(R"({"a":[0,-0,1.50,1E5,18446744073709551616,-9223372036854775809]})"));
}

}  // namespace
}  // namespace tessera::reader
