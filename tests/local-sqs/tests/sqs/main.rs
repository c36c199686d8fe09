//! The endpoint as its callers see it, on a clock that the tests move.

mod batches;
mod consumers;
mod dead_letters;
mod desk;
mod fairness;
mod limits;
mod times;
mod waiting;
