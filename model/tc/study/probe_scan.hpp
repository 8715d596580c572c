// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/study/probe_generator.hpp>
#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// A classic experiment: a small term of size or position n among others, for a range of n. It survives where the unit's answer is not the
/// one it gives without the term.
struct scan {
  struct point {
    int n;
    dot_inputs with, without;
  };

  std::string about;  ///< name of the parameter that it shows best; empty for none
  std::string text;   ///< "2^30 - 2^30 + 2^n", n and all
  std::vector<point> points;
};

/// The classic experiments that these formats can express in rows of `length` elements, the most telling first: after Hickmann and Bradford
/// (2019), Fasi et al. (PeerJ CS 7:e330, 2021), and Khattak and Mikaitis (arXiv 2512.07004). `guess` says where the datapath's edges may
/// be.
std::vector<scan> classic_scans(const numerics::dot_product_types& types, unsigned length, const datapath_guess& guess);

/// What an experimenter notes down: "2^30 - 2^30 + 2^n: the last term survives for n >= 5", or the one answer if there is one point only.
std::string observation(const scan& experiment, const unit_under_test& unit);

}  // namespace tc::study
