// SPDX-License-Identifier: Apache-2.0
#include "bench/node_dump.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace tessera::bench {
namespace {

using Json = nlohmann::json;

constexpr int kTraysPerRack = 18, kRacksPerZone = 8;
constexpr std::string_view kHeartbeat = "2026-10-03T02:09:11Z",
                           kTransition = "2026-09-20T11:00:00Z";

/// Digits that make the names and ids of nodes differ: a fixed mix of the node's number, without
/// clock or seed.
std::uint64_t mixed(std::uint64_t i) {
  i = (i + 1) * 0x9E3779B97F4A7C15u;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9u;
  return i ^ (i >> 27);
}

template <class... Values>
std::string text(const char* format, Values... values) {
  std::array<char, 256> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), format, values...);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

std::string uuid(std::uint64_t i) {
  const std::uint64_t high = mixed(i), low = mixed(i + (1u << 30));
  return text("%08x-%04x-4%03x-a%03x-%012llx", static_cast<unsigned>(high >> 32),
              static_cast<unsigned>(high >> 16 & 0xFFFF), static_cast<unsigned>(high & 0xFFF),
              static_cast<unsigned>(low >> 52),
              static_cast<unsigned long long>(low & 0xFFFFFFFFFFFF));
}

Json annotations(int i, const std::string& name) {
  return {{"cluster.x-k8s.io/machine", text("gb200-pool-%05d", i)},
          {"csi.volume.kubernetes.io/nodeid", R"({"csi.local":")" + name + R"("})"},
          {"nfd.node.kubernetes.io/feature-labels",
           "cpu-model.id,kernel-version.full,pci-10de.present"},
          {"node.alpha.kubernetes.io/ttl", "0"},
          {"volumes.kubernetes.io/controller-managed-attach-detach", "true"}};
}

Json labels(int i, const std::string& name) {
  const int rack = i / kTraysPerRack;
  return {{"beta.kubernetes.io/arch", "arm64"},
          {"beta.kubernetes.io/instance-type", "gb200-nvl72.4x"},
          {"kubernetes.io/arch", "arm64"},
          {"kubernetes.io/hostname", name},
          {"kubernetes.io/os", "linux"},
          {"network.topology.nvidia.com/accelerator", text("nvl-%d", rack)},
          {"network.topology.nvidia.com/core", "core-a"},
          {"network.topology.nvidia.com/leaf", text("%05d", rack)},
          {"network.topology.nvidia.com/spine", text("sp-%d", rack / kRacksPerZone)},
          {"node.kubernetes.io/instance-type", "gb200-nvl72.4x"},
          {"nvidia.com/gpu.clique", uuid(1'000'000u + static_cast<unsigned>(rack)) + ".32766"},
          {"nvidia.com/gpu.count", "4"},
          {"nvidia.com/gpu.family", "blackwell"},
          {"nvidia.com/gpu.memory", "189471"},
          {"nvidia.com/gpu.present", "true"},
          {"nvidia.com/gpu.product", "NVIDIA-GB200"},
          {"nvidia.com/gpu.replicas", "1"},
          {"nvidia.com/mig.capable", "true"},
          {"nvidia.com/mig.config", "all-disabled"},
          {"topology.kubernetes.io/region", "eu-x1"},
          {"topology.kubernetes.io/zone", text("eu-x1-%03d", rack / kRacksPerZone)}};
}

Json amounts(const char* cpu, const char* memory) {
  return {{"cpu", cpu},           {"ephemeral-storage", "14012390912341"},
          {"hugepages-1Gi", "0"}, {"hugepages-2Mi", "5134Mi"},
          {"memory", memory},     {"nvidia.com/gpu", "4"},
          {"pods", "250"},        {"rdma/hca_shared", "1k"}};
}

Json condition(const char* type, const char* reason, const char* message, bool state) {
  return {{"lastHeartbeatTime", kHeartbeat},
          {"lastTransitionTime", kTransition},
          {"message", message},
          {"reason", reason},
          {"status", state ? "True" : "False"},
          {"type", type}};
}

Json image(const char* name, std::uint64_t digest, int bytes) {
  const std::string repository = std::string("registry.example.com/") + name;
  return {
      {"names",
       {repository + text("@sha256:%016llx%016llx", static_cast<unsigned long long>(mixed(digest)),
                          static_cast<unsigned long long>(mixed(~digest)))}},
      {"sizeBytes", bytes}};
}

Json status(int i, const std::string& name) {
  const bool ready = i % 100 != 57;
  return {
      {"addresses",
       {{{"address", text("10.%d.%d.%d", i >> 16 & 255, i >> 8 & 255, i & 255)},
         {"type", "InternalIP"}},
        {{"address", name}, {"type", "Hostname"}}}},
      {"allocatable", amounts("143900m", "1001123904Ki")},
      {"capacity", amounts("144", "1006563200Ki")},
      {"conditions",
       {condition("MemoryPressure", "KubeletHasSufficientMemory",
                  "kubelet has sufficient memory available", false),
        condition("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure",
                  false),
        condition("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available",
                  false),
        condition("Ready", ready ? "KubeletReady" : "KubeletNotReady",
                  ready ? "kubelet is posting ready status" : "container runtime is down", ready)}},
      {"daemonEndpoints", {{"kubeletEndpoint", {{"Port", 10250}}}}},
      {"images", {image("nvidia/driver", 1, 1'812'345'678), image("train/worker", 2, 913'554'121)}},
      {"nodeInfo",
       {{"architecture", "arm64"},
        {"bootID", uuid(2'000'000u + static_cast<unsigned>(i))},
        {"containerRuntimeVersion", "containerd://2.1.4"},
        {"kernelVersion", "6.8.0-1028-nvidia-64k"},
        {"kubeletVersion", "v1.34.1"},
        {"operatingSystem", "linux"},
        {"osImage", "Ubuntu 24.04.2 LTS"}}}};
}

Json node(int i) {
  const int rack = i / kTraysPerRack;
  const std::string name = text("gb-r%05d-n%02d", rack, i % kTraysPerRack + 1);
  Json spec = {{"podCIDR", text("10.%d.%d.0/24", i >> 8 & 255, i & 255)},
               {"providerID", "example://eu-x1/" + name},
               {"taints",
                {{{"effect", "NoSchedule"}, {"key", "nvidia.com/gpu"}, {"value", "present"}},
                 {{"effect", "NoSchedule"}, {"key", "kubernetes.io/arch"}, {"value", "arm64"}}}}};
  if (i % 100 == 23) spec["unschedulable"] = true;
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata",
           {{"annotations", annotations(i, name)},
            {"creationTimestamp", "2026-03-10T00:20:40Z"},
            {"labels", labels(i, name)},
            {"name", name},
            {"resourceVersion", text("%d", 90'211'000 + i)},
            {"uid", uuid(static_cast<unsigned>(i))}}},
          {"spec", std::move(spec)},
          {"status", status(i, name)}};
}

/// Quotes as kubectl does: where a plain text would be read as a number or a boolean, or where it
/// has a character that means something to YAML.
std::string yaml_text(const std::string& value) {
  const bool number = value.find_first_not_of("0123456789") == std::string::npos;
  if (number || value == "true" || value == "True" || value == "False") return '"' + value + '"';
  if (value.size() == kHeartbeat.size() && value[10] == 'T') return '"' + value + '"';
  return value[0] == '{' ? '\'' + value + '\'' : value;
}

/// The lines of a block map or sequence, the first of which continues the caller's line.
void append_yaml(std::string& out, const Json& value, std::size_t indent) {
  const auto append_value = [&](const Json& part, bool in_map) {
    if (part.is_structured()) {
      const std::size_t inner = indent + (in_map && part.is_array() ? 0 : 2);
      if (in_map) out += '\n' + std::string(inner, ' ');
      append_yaml(out, part, inner);
    } else {
      out += (in_map ? " " : "") + (part.is_string() ? yaml_text(part) : part.dump()) + "\n";
    }
  };
  bool first = true;
  for (const auto& [key, part] : value.items()) {
    if (!std::exchange(first, false)) out.append(indent, ' ');
    out += value.is_array() ? "- " : key + ":";
    append_value(part, value.is_object());
  }
}

/// `json` with every line but the first moved in by `indent`.
std::string indented(const std::string& json, std::size_t indent) {
  std::string out;
  for (const char c : json) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

}  // namespace

std::string dump_head(DumpFormat format) {
  switch (format) {
    case DumpFormat::kJson:
      return "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
    case DumpFormat::kCompact:
      return R"({"apiVersion":"v1","items":[)";
    case DumpFormat::kYaml:
      break;
  }
  return "apiVersion: v1\nitems:\n";
}

std::string dump_node(int i, int nodes, DumpFormat format) {
  const bool last = i + 1 == nodes;
  if (format == DumpFormat::kYaml) {
    std::string out = "- ";
    append_yaml(out, node(i), 2);
    return out;
  }
  if (format == DumpFormat::kCompact) return node(i).dump() + (last ? "" : ",");
  constexpr std::size_t kItemIndent = 8;
  return '\n' + std::string(kItemIndent, ' ') + indented(node(i).dump(4), kItemIndent) +
         (last ? "" : ",");
}

std::string dump_tail(DumpFormat format) {
  switch (format) {
    case DumpFormat::kJson:
      return "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": "
             "\"\"\n    }\n}\n";
    case DumpFormat::kCompact:
      return R"(],"kind":"List","metadata":{"resourceVersion":""}})"
             "\n";
    case DumpFormat::kYaml:
      break;
  }
  return "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

}  // namespace tessera::bench
