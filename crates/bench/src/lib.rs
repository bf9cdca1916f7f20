//! Measures tsugi. The benches are run with `cargo bench -p tsugi-bench`, the examples by `scripts/bench` and
//! `scripts/conformance`, the program by `scripts/instructions`.
//!
//! The program and what it needs are apart from the examples, because those need the network and the learners, which take minutes to
//! build.

pub mod made;
pub mod models;
pub mod wholes;
