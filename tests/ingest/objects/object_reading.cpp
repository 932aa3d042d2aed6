// SPDX-License-Identifier: Apache-2.0
#include "tests/ingest/objects/object_reading.h"

#include "ingest/fields/metadata.h"
#include "ingest/kinds/batch_job.h"
#include "ingest/kinds/jobset.h"
#include "ingest/kinds/workload_object.h"
#include "ingest/objects/pods.h"
#include "ingest/reader/reader.h"

namespace tessera::test {
namespace {

using Reader = void (*)(ingest::ReadContext&, const ingest::ObjectHeader&, reader::Value);

Reader reader_of(std::string_view kind) {
  if (kind == "Pod") return ingest::read_pod;
  if (kind == "Job") return ingest::read_batch_job;
  if (kind == "JobSet") return ingest::read_jobset;
  if (kind == "Workload") return ingest::read_workload;
  return nullptr;
}

class ContextSink : public reader::Sink {
 public:
  explicit ContextSink(ingest::ReadContext& context) : context_(context) {}

  void object(const reader::Object& object) override {
    ingest::ObjectHeader header;
    header.api_version = std::string(object.root["apiVersion"].text());
    header.kind = std::string(object.root["kind"].text());
    header.where.file = std::string(object.file);
    const Reader read = reader_of(header.kind);
    if (read == nullptr) return;
    if (ingest::read_metadata(context_, header, object.root, true, ingest::HeaderParts::kAll)) {
      read(context_, header, object.root);
    }
  }
  void error(Error error) override { context_.errors.push_back(std::move(error)); }

 private:
  ingest::ReadContext& context_;
};

}  // namespace

ingest::ReadContext read_objects(std::string_view text, topology::NameBudget* names) {
  ingest::ReadContext context;
  if (names != nullptr) context.names = names;
  ContextSink sink(context);
  reader::read_text(text, "in.yaml", {}, sink);
  return context;
}

std::string findings(const std::vector<Error>& errors) {
  std::string out;
  for (const Error& error : errors) out += error.where.field + ": " + error.message + "\n";
  return out;
}

std::string request_text(const solver::PodSet& pod_set) {
  const solver::TopologyRequest& request = pod_set.topology;
  std::string out;
  if (request.required) out += " required=" + request.required->str();
  if (request.preferred) out += " preferred=" + request.preferred->str();
  if (request.unconstrained) out += *request.unconstrained ? " unconstrained" : " constrained";
  for (const solver::SliceLayer& layer : request.layers) {
    out += " slice=" + layer.level.str() + ":" + std::to_string(layer.size);
  }
  if (!pod_set.unit.empty()) out += " group=" + pod_set.unit;
  return out.empty() ? "-" : out.substr(1);
}

std::string amounts_text(const topology::Amounts& amounts) {
  std::string out;
  for (const topology::Amount& a : amounts) {
    out += (out.empty() ? "" : " ") + a.resource.str() + "=" + std::to_string(a.value);
  }
  return out;
}

}  // namespace tessera::test
