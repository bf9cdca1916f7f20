//! Measures tsugi. The benches are run with `cargo bench -p tsugi-bench`, the examples by `scripts/bench` and
//! `scripts/conformance`, the program by `scripts/instructions`.
//!
//! The program and what it needs are apart from the examples, which need the network and the learners: those take minutes to build.

pub mod made;
pub mod models;
pub mod wholes;
