// SPDX-License-Identifier: Apache-2.0
// Where the end of a gang makes room: in the flavors that it took and in all that may share nodes
// with one of them.
#include "actors/queues/definitions.h"

#include <gtest/gtest.h>

#include <ostream>

#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

struct RoomCase {
  const char* name;
  std::vector<std::string> taken;  // flavor of each pod set
  const char* room;

  friend std::ostream& operator<<(std::ostream& out, const RoomCase& c) { return out << c.name; }
};

const RoomCase kRoomCases[] = {
    {"NothingTakenNoRoom", {}, ""},
    {"ContradictingLabelsShareNoNode", {"x"}, "all other x"},
    {"NoLabelsMayShareAny", {"all"}, "all other x y"},
    {"ANeighbourThatIsTakenHasNeighboursToo", {"x", "all"}, "all other x y"},
    {"TheOrderOfPodSetsDoesNotMatter", {"all", "x"}, "all other x y"},
    {"AFlavorWithoutTopologyHasNoRoom", {"flat"}, ""},
    {"AFlavorThatIsGoneHasNoRoom", {"gone", "y"}, "all other y"},
};

class RoomOf : public testing::TestWithParam<RoomCase> {};
TEST_P(RoomOf, NamesTheFlavors) {
  test::ClusterBuilder builder;
  builder.hosts("b/r/a:1").flavor("all").flavor("x").flavor("y").flavor("other").flavor("flat", "");
  for (const char* kind : {"x", "y"}) {
    builder.flavor_record(kind).node_labels.emplace_back(Symbol("kind"), Symbol(kind));
  }
  builder.flavor_record("other").node_labels.emplace_back(Symbol("pool"), Symbol("p"));
  const Inventory inventory = builder.build();
  const Definitions definitions(inventory);
  Admission admission;
  for (const std::string& flavor : GetParam().taken) {
    admission.pod_sets.emplace_back().flavors.set(topology::gpu_resource(), Symbol(flavor));
  }
  std::vector<FlavorId> room;
  definitions.add_room(admission, room);
  std::string text;
  for (const FlavorId flavor : room) {
    text += (text.empty() ? "" : " ") + definitions.flavors[index(flavor)].record.name;
  }
  EXPECT_EQ(text, GetParam().room);
}
INSTANTIATE_TEST_SUITE_P(Definitions, RoomOf, testing::ValuesIn(kRoomCases),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace tessera::core
