// SPDX-License-Identifier: Apache-2.0
#include "job_planner.hpp"

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tc/engine/tensor/copy_pipe.hpp>
#include <tc/engine/tensor/matrix_job.hpp>
#include <tc/tmem/extensions.hpp>

namespace tc::engine {

namespace {

std::unique_ptr<tensor_job> plan_mma(const isa::tensor_mma_operation& operation, unsigned cta, tensor_hazards::access& access) {
  auto job = std::make_unique<matrix_job>();
  job->cta = cta;
  job->plan.emplace(operation);
  const tensor_mma_plan& plan = *job->plan;
  for (const tensor_operand which : {tensor_operand::a, tensor_operand::metadata, tensor_operand::scale_a, tensor_operand::scale_b})
    for (const isa::tensor_cells& cells : plan.cells(which, job->cta)) job->operands.push_back(cells);
  job->results = plan.cells(tensor_operand::d, job->cta);
  access.what = tensor_hazards::kind::mma;
  access.reads = job->operands;
  access.writes = job->results;
  if (plan.reads_d()) access.reads.insert(access.reads.end(), job->results.begin(), job->results.end());
  if (plan.shifts_a())
    for (const isa::tensor_cells& cells : plan.cells(tensor_operand::a, job->cta)) access.writes.push_back(cells);
  access.accumulators = isa::decode_tensor_address(operation.d);
  access.m = plan.m();
  access.n = plan.n();
  access.k = plan.k();
  return job;
}

std::unique_ptr<tensor_job> plan_copy(const isa::tensor_copy_operation& operation, operand_layouts& layouts,
                                      tensor_hazards::access& access) {
  auto job = std::make_unique<copy_job>();
  copy_pipe::plan(*job, operation, layouts);
  const bool refills = operation.shape == isa::tensor_copy_shape::rows4_bits256;
  access.what = refills ? tensor_hazards::kind::copy_4x256b : tensor_hazards::kind::copy;
  access.writes = job->results;
  return job;
}

std::unique_ptr<tensor_job> plan_shift(const isa::tensor_shift_operation& operation, tensor_hazards::access& access) {
  auto job = std::make_unique<shift_job>();
  const isa::tensor_address address = isa::decode_tensor_address(operation.address);
  if (address.lane % isa::chunk_lanes != 0)
    throw std::invalid_argument(fmt::format("the lane of a shift must be a multiple of 32, not {}", address.lane));
  job->columns = {address.column, tmem::lane_shift::columns};
  if (const std::string mistake = isa::column_range_mistake(job->columns, "a shift"); !mistake.empty())
    throw std::invalid_argument(mistake);
  job->results = {isa::all_lanes(job->columns)};
  access.what = tensor_hazards::kind::shift;
  access.reads = access.writes = job->results;
  return job;
}

}  // namespace

planned_job plan_job(const isa::tcgen05_operation& operation, unsigned cta, operand_layouts& layouts) {
  planned_job planned;
  if (const auto* const mma = std::get_if<isa::tensor_mma_operation>(&operation)) {
    planned.job = plan_mma(*mma, cta, planned.access);
  } else if (const auto* const copy = std::get_if<isa::tensor_copy_operation>(&operation)) {
    planned.job = plan_copy(*copy, layouts, planned.access);
  } else {
    planned.job = plan_shift(std::get<isa::tensor_shift_operation>(operation), planned.access);
  }
  return planned;
}

bool is_of_pair(const isa::tcgen05_operation& operation) {
  if (const auto* const mma = std::get_if<isa::tensor_mma_operation>(&operation)) return mma->form.group == isa::cta_group::two;
  if (const auto* const copy = std::get_if<isa::tensor_copy_operation>(&operation)) return copy->group == isa::cta_group::two;
  const auto* const shift = std::get_if<isa::tensor_shift_operation>(&operation);
  return shift != nullptr && shift->group == isa::cta_group::two;
}

}  // namespace tc::engine
