// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>

namespace tc::fabric::payload_pool_test {
namespace {

TEST(payload_pool, counts_the_payloads_in_use) {
  payload_pool pool;
  tlm::tlm_generic_payload& first = pool.get();
  tlm::tlm_generic_payload& second = pool.get();
  EXPECT_NE(&first, &second);
  EXPECT_EQ(first.get_ref_count(), 1);
  EXPECT_EQ(pool.live(), 2u);
  first.release();
  EXPECT_EQ(pool.live(), 1u);
  second.release();
  EXPECT_EQ(pool.live(), 0u);
}

TEST(payload_pool, reuses_what_was_released) {
  payload_pool pool;
  for (int i = 0; i < 100; ++i) {
    tlm::tlm_generic_payload& a = pool.get();
    tlm::tlm_generic_payload& b = pool.get();
    a.release();
    b.release();
  }
  EXPECT_EQ(pool.capacity(), 2u);
}

TEST(payload_pool, waits_for_the_last_reference) {
  payload_pool pool;
  tlm::tlm_generic_payload& payload = pool.get();
  payload.acquire();
  payload.release();
  EXPECT_EQ(pool.live(), 1u);
  payload.release();
  EXPECT_EQ(pool.live(), 0u);
}

TEST(payload_pool, hands_out_payloads_without_a_response) {
  payload_pool pool;
  tlm::tlm_generic_payload& payload = pool.get();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  payload.release();
  EXPECT_EQ(pool.get().get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
}

TEST(payload_pool, attributes_of_the_last_use_do_not_survive) {
  payload_pool pool;
  tlm::tlm_generic_payload& payload = pool.get();
  std::array<unsigned char, 8> data{};
  payload.set_byte_enable_ptr(data.data());
  payload.set_byte_enable_length(8);
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  set_attributes(payload, tlm::TLM_WRITE_COMMAND, 0x40, data.data(), 8);
  EXPECT_TRUE(payload.is_write());
  EXPECT_EQ(payload.get_address(), 0x40u);
  EXPECT_EQ(payload.get_data_ptr(), data.data());
  EXPECT_EQ(payload.get_data_length(), 8u);
  EXPECT_EQ(payload.get_streaming_width(), 8u);
  EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(payload.get_byte_enable_length(), 0u);
  EXPECT_FALSE(payload.is_dmi_allowed());
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  payload.release();
}

TEST(warp_tag, stays_with_its_payload) {
  payload_pool pool;
  tlm::tlm_generic_payload& payload = pool.get();
  EXPECT_EQ(payload.get_extension<warp_tag>(), nullptr);
  warp_tag& tag = warp_tag::of(payload);
  tag.warp = 7;
  payload.release();
  EXPECT_EQ(&warp_tag::of(pool.get()), &tag) << "allocated once per payload";
}

TEST(warp_tag, is_copied_with_a_payload) {
  tlm::tlm_generic_payload original;
  warp_tag::of(original).warp = 3;
  tlm::tlm_generic_payload copy;
  copy.deep_copy_from(original);
  EXPECT_EQ(warp_tag::of(copy).warp, 3u);
  warp_tag::of(original).warp = 4;
  copy.deep_copy_from(original);
  EXPECT_EQ(warp_tag::of(copy).warp, 4u);
}

TEST(owner_tag, is_private_to_the_kind_of_job) {
  payload_pool pool;
  tlm::tlm_generic_payload& payload = pool.get();
  int load = 1;
  float store = 2;
  owner_tag<int>::of(payload).job = &load;
  EXPECT_EQ(payload.get_extension<owner_tag<float>>(), nullptr);
  owner_tag<float>::of(payload).job = &store;
  EXPECT_EQ(owner_tag<int>::of(payload).job, &load);
  payload.release();
}

}  // namespace
}  // namespace tc::fabric::payload_pool_test
