// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <tlm>

namespace tc::fabric {

/// An extension that stays with its payload, which is used again and again: every field is rewritten on each use.
template <class Extension>
struct sticky_extension : tlm::tlm_extension<Extension> {
  tlm::tlm_extension_base* clone() const override { return new Extension(static_cast<const Extension&>(*this)); }
  void copy_from(const tlm::tlm_extension_base& other) override { static_cast<Extension&>(*this) = static_cast<const Extension&>(other); }

  /// The payload's extension; attached on first use and owned by the payload from then on.
  static Extension& of(tlm::tlm_generic_payload& payload) {
    auto* extension = payload.get_extension<Extension>();
    if (extension == nullptr) payload.set_extension(extension = new Extension);
    return *extension;
  }
};

/// Says how an access uses the caches in front of a memory. Ignorable.
struct cache_hint final : sticky_extension<cache_hint> {
  bool bypass_l1 = false;  ///< the access goes to the cache that all SMs share
  /// The instruction's request before it was for bytes in front of these in the same line: both may lie in one sector.
  bool goes_on = false;
};

/// A debug request with TLM_IGNORE_COMMAND that carries this says: these bytes begin a new life, with this content. Global memory gets one
/// for each image of a kernel, shared memory one for the bytes of each CTA; tensor memory, whose columns CTAs allocate as they run, by
/// transport. Ignorable: to a memory that takes no notice the initiator writes the content by debug writes. One that does may fetch it when
/// somebody looks.
struct new_region final : sticky_extension<new_region> {
  /// Copies `count` bytes from `offset` on.
  using content = std::function<void(std::uint64_t offset, std::uint8_t* destination, std::size_t count)>;

  std::uint64_t base = 0, bytes = 0;
  content initial{};   ///< empty: nobody has written the bytes
  bool noted = false;  ///< set by a memory that takes notice
};

/// Tells an initiator which of its own jobs a payload belongs to, when the answer comes. Only the initiator that attached it looks at it;
/// a peer that has never heard of it still works. Unlike warp_tag, which everybody may read and change, the type of the job keeps it
/// private.
template <class Job>
struct owner_tag final : sticky_extension<owner_tag<Job>> {
  Job* job = nullptr;
};

/// What makes the bytes that a read takes unreliable, although somebody has written them.
enum class proxy_hazard : std::uint8_t {
  none,
  unfenced,  ///< a warp wrote them, and no fence.proxy.async came between that and a read of the asynchronous proxy
  arriving,  ///< they lie in the destination of a bulk copy for which nobody has waited
};

/// Says through which proxy an access to shared memory comes: loads and stores of warps through the generic one, which is also meant
/// without this extension; operands of asynchronous tensor cores and bulk copies through the asynchronous one (PTX ISA, "Proxies"). A
/// memory that keeps count tells with a read whether its bytes can be relied on; visibility_change tells the memory what orders accesses.
/// Ignorable.
struct proxy_access final : sticky_extension<proxy_access> {
  bool asynchronous = false;
  proxy_hazard found = proxy_hazard::none;  ///< cleared by the initiator, set by the memory with a read
  std::uint32_t first = 0;                  ///< byte of the data at which the hazard begins; meaningful only if there is one

  /// The payload's extension, as of an access with no hazard found yet; attached on first use and owned by the payload from then on.
  static proxy_access& start(tlm::tlm_generic_payload& payload, bool is_asynchronous) {
    proxy_access& extension = of(payload);
    extension.asynchronous = is_asynchronous;
    extension.found = proxy_hazard::none;
    return extension;
  }
};

/// Which of the bytes of a read or a write have no defined value. With a read the initiator clears `any`, and a memory that keeps count
/// says which bytes nobody has written, or were undefined when they were. With a write the initiator says it of its data, and a memory that
/// keeps count remembers it until something else is written there. Ignorable.
struct undefined_bytes final : sticky_extension<undefined_bytes> {
  bool any = false;
  std::vector<unsigned char> flags;  ///< by byte of the data: not 0 if it is undefined; meaningful only if `any`

  /// The first of these bytes; only if `any`.
  std::uint32_t first() const {
    const auto is_set = [](unsigned char flag) { return flag != 0; };
    return static_cast<std::uint32_t>(std::find_if(flags.begin(), flags.end(), is_set) - flags.begin());
  }
};

/// With TLM_IGNORE_COMMAND: from now on, accesses to these bytes of a shared memory are ordered in another way (proxy_access). It takes
/// effect in the order of the calls, in no time. Ignorable; a payload that carries it is used for nothing else.
struct visibility_change final : sticky_extension<visibility_change> {
  enum class kind : std::uint8_t {
    fenced,    ///< what warps have written there is visible to the asynchronous proxy: fence.proxy.async
    arriving,  ///< a bulk copy writes there, and nobody may look
    settled,   ///< somebody has waited for the bulk copies that wrote there: everybody may look
  };

  kind what = kind::fenced;
  std::uint64_t base = 0, bytes = 0;
};

/// Says who asked, for traces and fair arbitration; a debug request that carries it is a warp's access, whose time another one takes.
/// Ignorable: a peer that has never heard of it still works.
struct warp_tag final : sticky_extension<warp_tag> {
  unsigned warp = 0;         ///< warp within the sub-core
  std::uint64_t record = 0;  ///< id of the record of the instruction that asks; 0: none is kept

  /// Says it of a payload that is about to be sent.
  static void mark(tlm::tlm_generic_payload& payload, unsigned warp, std::uint64_t record) {
    warp_tag& tag = of(payload);
    tag.warp = warp;
    tag.record = record;
  }
};

/// Says which transactions of an initiator go through the banks of a shared memory together: those with the same access and index. A peer
/// that does not know the extension takes every transaction by itself.
///
/// With TLM_IGNORE_COMMAND it announces an access: "`count` wavefronts will arrive after the delay of this call". A memory that several
/// units share then knows all competitors for a cycle before the first of them asks, so that its choice does not depend on who is called
/// first. The transactions themselves are sent at least one cycle after the announcement, and arrive when it said.
///
/// The operands of an asynchronous tensor core and bulk copies come as a stream instead, whose wavefronts keep no distance. Ignorable.
struct wavefront final : sticky_extension<wavefront> {
  std::uint64_t access = 0;    ///< number of the access among those of its initiator, ascending from 1
  std::uint32_t index = 0;     ///< of the wavefront in its access
  std::uint32_t count = 1;     ///< wavefronts of the access
  std::uint32_t interval = 0;  ///< of a stream: 1; of a warp: 0
  /// Bytes of the wavefront besides those of the transaction, if nobody wants values and the other transactions are not sent: memories
  /// count them.
  std::uint32_t further_bytes = 0;
  bool conflict = false;  ///< the wavefront is needed only because several words lie in one bank
  bool noted = false;     ///< set by a memory that heeds announcements

  /// Bytes that a memory counts for a transaction.
  static std::uint64_t bytes_of(const tlm::tlm_generic_payload& payload) {
    const auto* const extension = payload.get_extension<wavefront>();
    return std::uint64_t{payload.get_data_length()} + (extension != nullptr ? extension->further_bytes : 0);
  }
};

}  // namespace tc::fabric
