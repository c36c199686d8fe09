//! The desk through its public ways in: the form's HTTP, Telegram's updates, the queue, the clock's
//! ticks. Every test has a local cloud of its own with the real function binaries.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod attention;
mod batch;
mod budget;
mod claim;
mod control;
mod customer;
mod dead_letter;
mod desk_command;
mod dialog;
mod dialog_brief;
mod dialog_outcomes;
mod dialog_snapshots;
mod dialog_trouble;
mod events;
mod faults;
mod form_input;
mod form_page;
mod groups;
mod harness;
mod kills;
mod outage;
mod pace;
mod personal_data;
mod raw;
mod report;
mod routing;
mod staff;
mod storage;
mod structure;
mod submission;
mod supergroup;
mod table;
mod template;
mod unknown_send;
mod upgrade;
mod watch;
mod webhook;
