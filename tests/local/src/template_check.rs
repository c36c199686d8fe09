//! Whether the template gives the functions what their code assumes.

mod alarms;
mod calls;
mod data;
mod functions;
mod permissions;
mod variables;

use std::path::Path;

use crate::document::{At, Mistakes, Node};
use crate::functions::Function;

pub use calls::{CALLS, On, Permitted, When};
pub use variables::{LAMBDA_VARIABLES, LOCAL_VARIABLES, VARIABLES, Variable};

/// All mistakes in the template's text, each with its line and the resource's path. `bot` is the
/// bot's name in the settings, where these can be read.
pub fn check_template(file: &Path, text: &str, bot: Option<&str>) -> Vec<String> {
    let mut mistakes = Mistakes::of(file.display());
    match Node::parse(text) {
        Err(why) => mistakes.unreadable(&why),
        Ok(top) => {
            let template = Template { top: At::top(&top) };
            data::check(&template, &mut mistakes);
            functions::check(&template, bot, &mut mistakes);
            permissions::check(&template, &mut mistakes);
            alarms::check(&template, &mut mistakes);
        }
    }
    mistakes.into_found()
}

/// The template, and how its parts are found. Their names are the template's own affair.
struct Template<'a> {
    top: At<'a>,
}

/// A resource with its name.
type Resource<'a> = (&'a str, At<'a>);

impl<'a> Template<'a> {
    fn resources(&self) -> At<'a> {
        self.top.get("Resources")
    }

    fn of_type(&self, kind: &str) -> Vec<Resource<'a>> {
        let resources = self.resources().entries();
        let is_of_type = |at: &At<'_>| at.get("Type").text() == Some(kind);
        resources
            .into_iter()
            .filter(|(_, at)| is_of_type(at))
            .collect()
    }

    /// The name of the outbox's queue of dead letters.
    fn dead_letters(&self) -> Option<&'a str> {
        let (_, outbox) = self.outbox()?;
        let target = outbox.way(&["Properties", "RedrivePolicy", "deadLetterTargetArn"]);
        let name = target.value()?;
        let queues = self.of_type("AWS::SQS::Queue").into_iter();
        let mut named = queues.filter(|(queue, _)| Some(*queue) == referred(&name));
        named.next().map(|(name, _)| name)
    }

    /// The resource that is called `name`, if it is of that type.
    fn named(&self, name: &str, kind: &str) -> Option<At<'a>> {
        let found = self.of_type(kind).into_iter().find(|(at, _)| *at == name);
        found.map(|(_, at)| at)
    }

    /// The function that is built from that function's binary.
    fn function(&self, function: Function) -> Option<Resource<'a>> {
        let binary = format!("frontdesk-{}", function.name());
        let functions = self.of_type("AWS::Serverless::Function");
        functions.into_iter().find(|(_, at)| {
            let built = at.way(&["Metadata", "BuildProperties", "Binary"]);
            built.text() == Some(&binary)
        })
    }

    fn table(&self) -> Option<Resource<'a>> {
        self.of_type("AWS::DynamoDB::Table").into_iter().next()
    }

    /// The queue that hands on what fails.
    fn outbox(&self) -> Option<Resource<'a>> {
        let queues = self.of_type("AWS::SQS::Queue").into_iter();
        let redrives = |(_, at): &Resource<'_>| at.way(&["Properties", "RedrivePolicy"]).exists();
        let mut handing_on = queues.clone().filter(redrives);
        handing_on.next().or_else(|| queues.clone().next())
    }

    /// A function's property, its own or that of all.
    fn property(&self, function: &At<'a>, name: &str) -> At<'a> {
        let own = function.way(&["Properties", name]);
        let of_all = self.top.way(&["Globals", "Function", name]);
        if own.exists() || !of_all.exists() {
            own
        } else {
            of_all
        }
    }
}

/// The name within `${Name}` or `${Name.Arn}`.
fn referred(value: &str) -> Option<&str> {
    let inner = value.strip_prefix("${")?.strip_suffix('}')?;
    Some(inner.strip_suffix(".Arn").unwrap_or(inner))
}
