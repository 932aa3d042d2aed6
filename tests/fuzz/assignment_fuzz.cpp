// SPDX-License-Identifier: Apache-2.0
// Any bytes as a topologyAssignment. What is accepted obeys the limits of placement.md 9, and its
// size is bounded by the size of the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ingest/annotations/topology_assignment.h"
#include "ingest/reader/reader.h"

namespace {

class AssignmentSink : public tessera::reader::Sink {
 public:
  explicit AssignmentSink(std::size_t bytes) : bytes_(bytes) {}

  void object(const tessera::reader::Object& object) override {
    std::vector<tessera::topology::Symbol> levels;
    const auto domains = tessera::ingest::decode_assignment(object.root, levels);
    if (!domains) return;
    // Aliases may repeat a list of roots, so that only the cap on their nodes bounds the rest.
    constexpr std::size_t kAliasNodes = 100'000;
    if (levels.empty() || levels.size() > 16) std::abort();
    if (domains->size() > bytes_ + kAliasNodes) std::abort();
    for (const tessera::core::DomainList::Domain domain : *domains) {
      if (domain.values.size() != levels.size()) std::abort();
      if (domain.pods < 1 || domain.pods > INT32_MAX) std::abort();
    }
  }
  void error(tessera::Error) override {}

 private:
  std::size_t bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  AssignmentSink sink(size);
  tessera::reader::read_text({reinterpret_cast<const char*>(data), size}, "fuzz", {}, sink);
  return 0;
}
