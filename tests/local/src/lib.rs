#![doc = include_str!("../README.md")]

mod answer;
mod assembly;
mod bot_api;
mod calls;
mod check;
mod control;
mod control_chats;
mod desk;
mod dispatch;
mod document;
mod dynamodb;
mod endpoint;
#[cfg(test)]
mod endpoint_tests;
mod environment;
mod event_check;
mod fault;
mod faults;
mod front;
mod functions;
mod gateway;
mod instances;
mod journal;
mod link;
mod live;
mod options;
mod outcome;
mod page;
mod poller;
mod pool;
mod process;
mod runtime;
#[cfg(test)]
mod runtime_tests;
mod sample;
mod schedule;
mod service;
mod settings;
mod settle;
mod table;
mod tasks;
mod template_check;
mod updates;
#[cfg(test)]
mod updates_tests;
mod webhook;

pub use check::{check, read_event};
pub use desk::Desk;
pub use fault::{Fault, Kind, Target};
pub use faults::Planned;
pub use functions::{Function, Functions};
pub use instances::Lambda;
pub use journal::{Call, Line};
pub use link::link;
pub use options::{Data, Options, PortTaken, WebhookSecret};
pub use outcome::{Failure, Outcome};
pub use sample::{group_chat, sample_settings, settings_of_groups};
pub use settings::{Business, StaffChat, read as read_settings};
pub use settle::{Left, Settled};
pub use table::{Due, Table};
pub use template_check::{
    CALLS, LAMBDA_VARIABLES, LOCAL_VARIABLES, On, Permitted, VARIABLES, Variable, When,
    check_template,
};
