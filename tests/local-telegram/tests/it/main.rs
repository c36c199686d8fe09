//! The stand-in, through its public way in.

mod delivery;
mod desk;
mod edits;
mod people;
mod rates;
mod requests;
mod trouble;
