//! Measures tsugi. The benches are run with `cargo bench -p tsugi-bench`, the examples by `scripts/bench` and
//! `scripts/conformance`.
