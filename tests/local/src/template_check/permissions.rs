//! What each function may do: what its code asks for, on what it asks it of, and nothing else.

use std::collections::BTreeMap;

use super::{CALLS, On, Template, referred};
use crate::document::{At, Mistakes};
use crate::functions::Function;

pub(super) fn check(template: &Template<'_>, mistakes: &mut Mistakes) {
    refuse_wildcards(&template.resources(), mistakes);
    for function in Function::ALL {
        if let Some((_, at)) = template.function(function) {
            check_function(template, function, &at, mistakes);
        }
    }
}

/// No verb and no resource of any policy may stand for many.
fn refuse_wildcards(at: &At<'_>, mistakes: &mut Mistakes) {
    for (name, inner) in at.entries() {
        if matches!(name, "Action" | "NotAction" | "Resource" | "NotResource") {
            for value in inner.one_or_many() {
                if value.value().is_some_and(|value| value.contains('*')) {
                    mistakes.add(&value, "a wildcard allows more than the code needs");
                }
            }
            if name.starts_with("Not") {
                mistakes.add(&inner, "allows everything but what it names");
            }
        } else if inner.is_list() {
            for item in inner.one_or_many() {
                refuse_wildcards(&item, mistakes);
            }
        } else {
            refuse_wildcards(&inner, mistakes);
        }
    }
}

fn check_function<'a>(
    template: &Template<'a>,
    function: Function,
    at: &At<'a>,
    mistakes: &mut Mistakes,
) {
    let role = template.property(at, "Role");
    let name = role.value();
    let found = name
        .as_deref()
        .and_then(referred)
        .and_then(|name| template.named(name, "AWS::IAM::Role"));
    let Some(found) = found else {
        return mistakes.add(
            &role,
            "must be a role of the template; one that SAM makes has wildcards",
        );
    };
    let policies = template.property(at, "Policies");
    if policies.exists() {
        mistakes.add(&policies, "belongs into the function's role");
    }
    let properties = found.get("Properties");
    let managed = properties.get("ManagedPolicyArns");
    if managed.exists() {
        mistakes.add(&managed, "AWS's policies have wildcards");
    }
    let own = properties.get("Policies");
    let granted = granted(&own, mistakes);
    let wanted = wanted(template, function, at);
    for (right, at) in &granted {
        if !wanted.contains_key(right) {
            let (action, on) = right;
            let what = format!("{} never needs {action} on {on}", function.name());
            mistakes.add(at, what);
        }
    }
    for ((action, on), operation) in wanted {
        if !granted.contains_key(&(action.clone(), on.clone())) {
            let what = format!(
                "{} calls {operation}, so {action} on {on} must be allowed",
                function.name()
            );
            mistakes.add(&own, what);
        }
    }
}

/// A verb, and what it is on.
type Right = (String, String);

/// What a role's policies allow, and where.
fn granted<'a>(policies: &At<'a>, mistakes: &mut Mistakes) -> BTreeMap<Right, At<'a>> {
    let mut rights = BTreeMap::new();
    for policy in policies.one_or_many() {
        let statements = policy.way(&["PolicyDocument", "Statement"]).one_or_many();
        for statement in statements {
            mistakes.expect(&statement.get("Effect"), "Allow");
            for resource in statement.get("Resource").one_or_many() {
                let Some(on) = resource.value() else {
                    mistakes.add(&resource, "must be a name, !GetAtt or !Sub");
                    continue;
                };
                for action in statement.get("Action").one_or_many() {
                    let verb = action.text().unwrap_or_default().to_owned();
                    rights.insert((verb, on.clone()), action);
                }
            }
        }
    }
    rights
}

/// What a function must be allowed, and a call for which.
fn wanted<'a>(
    template: &Template<'a>,
    function: Function,
    at: &At<'a>,
) -> BTreeMap<Right, &'static str> {
    let arn = |name: Option<&str>, rest: &str| format!("${{{}.Arn}}{rest}", name.unwrap_or("?"));
    let table = template.table().map(|(name, _)| name);
    let outbox = template.outbox().map(|(name, _)| name);
    let group = at.way(&["Properties", "LoggingConfig", "LogGroup"]).value();
    let group = group.as_deref().and_then(referred);
    let mut wanted = BTreeMap::new();
    for call in CALLS.iter().filter(|call| call.function == function) {
        let on = match call.on {
            On::Table => arn(table, ""),
            On::Index(index) => arn(table, &format!("/index/{index}")),
            On::Outbox => arn(outbox, ""),
            On::DeadLetters => arn(template.dead_letters(), ""),
            On::Logs => arn(group, ""),
            On::BotToken => "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter${BotTokenParameter}".to_owned(),
        };
        for action in call.actions {
            wanted.insert(((*action).to_owned(), on.clone()), call.operation);
        }
    }
    wanted
}
