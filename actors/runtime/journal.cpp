// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/journal.h"

#include <openssl/evp.h>

#include "actors/records/text/record_text.h"

namespace tessera::actors {

Hash roll(const Hash& before, std::string_view body) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  Hash hash{};
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  EVP_DigestUpdate(context.get(), before.data(), before.size());
  EVP_DigestUpdate(context.get(), body.data(), body.size());
  EVP_DigestFinal_ex(context.get(), hash.data(), nullptr);
  return hash;
}

Result<Hash> MemoryJournal::append(const std::shared_ptr<const core::CycleRecord>& record) {
  if (fails_ && fails_(record->cycle)) {
    return fail(ErrorCode::kInternal, "the journal cannot be written");
  }
  body_.clear();
  core::append_decisions_text(*record, body_);
  hash_ = roll(hash_, body_);
  if (kept_ > 0) {
    records_.push_back(record);
    if (records_.size() > kept_) records_.pop_front();
  }
  return hash_;
}

}  // namespace tessera::actors
