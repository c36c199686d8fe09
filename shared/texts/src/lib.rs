#![doc = include_str!("../README.md")]

mod card;
mod dialog;
mod form_page;
mod html;
mod languages;
mod marked;
mod notice;
mod origin;
mod staff;
mod story;
mod words;

pub use card::{Card, CardView, render_card};
pub use dialog::{
    Keyboard, Screen, acknowledgement, answer_text, brief_caption, confirmation, is_back, is_skip,
    render_panel, render_reply, render_toast,
};
pub use form_page::{FormView, Notice, form_page, message_page, thanks_page};
pub use html::escape;
pub use notice::{marked_as_repeat, render_report, render_warning};
pub use staff::{
    NumberProblem, Page, Stats, called_out, number_problem, render_list, render_stats, retried,
    returned, said,
};
pub use story::{StoryView, render_story};
pub use words::{
    AnonymousPress, PressResult, command_text, field_fault, notice, only_staff, press_gone,
    press_result, use_the_form, wrong_chat,
};
