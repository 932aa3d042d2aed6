// SPDX-License-Identifier: Apache-2.0
// What examples/ promises holds: the demo, the generated nodes, the profiles spelled out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "config/load_settings.h"
#include "config/schema.h"
#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using testing::HasSubstr;

TEST(Demo, ShowsOneOfEachResultInSixtyLines) {
  const Answer run = execute({"/bin/sh", source_file("examples/gb200/demo.sh"), TESSERA_BINARY});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_LE(lines_of(run.out).size(), 60u);
  EXPECT_THAT(run.out, HasSubstr("4 placed, 1 waits, 1 never fits"));
  EXPECT_THAT(run.out, HasSubstr("$ tessera rackmap"));
  EXPECT_THAT(run.out, HasSubstr("job/sweep waits"));
  EXPECT_THAT(run.out, HasSubstr("job/giant can never fit"));
}

TEST(Demo, NodesAreThoseOfTheScript) {
  const Answer run = execute({"/bin/sh", source_file("examples/gb200/make-nodes.sh")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(run.out == read_file(source_file("examples/gb200/cluster/nodes.yaml")))
      << "run examples/gb200/make-nodes.sh > examples/gb200/cluster/nodes.yaml";
}

TEST(Demo, ObjectsAreValid) {
  const Answer run = tessera({"validate", "--strict", "-C", source_file("examples/gb200/cluster"),
                              "-f", source_file("examples/gb200/jobs")});
  EXPECT_EQ(run.exit, 0) << run.err;
}

struct ProfileCase {
  const char *file, *name, *built_in;

  friend std::ostream& operator<<(std::ostream& out, const ProfileCase& c) { return out << c.file; }
};

class ExampleProfile : public testing::TestWithParam<ProfileCase> {};

TEST_P(ExampleProfile, EqualsTheBuiltInFieldByField) {
  const std::string path = source_file(GetParam().file);
  const config::LoadedSettings loaded = config::parse_settings(read_file(path), path);
  for (const Error& error : loaded.errors) ADD_FAILURE() << error.text();
  const config::Profile* example = loaded.settings.find_profile(GetParam().name);
  const config::Settings built_in_settings = config::built_in_settings();
  const config::Profile* built_in = built_in_settings.find_profile(GetParam().built_in);
  ASSERT_NE(example, nullptr);
  ASSERT_NE(built_in, nullptr);
  for (const config::ProfileField& field : config::profile_fields()) {
    EXPECT_EQ(field.get(*example), field.get(*built_in)) << field.path;
    const std::string last = field.path.substr(field.path.rfind('.') + 1);
    EXPECT_THAT(read_file(path), HasSubstr(last + ": ")) << "not spelled out";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, ExampleProfile,
    testing::Values(ProfileCase{"examples/profiles/default.yaml", "my-default", "default"},
                    ProfileCase{"examples/profiles/kueue-0.19.yaml", "my-kueue", "kueue-0.19"}));

}  // namespace
}  // namespace tessera::app_test
