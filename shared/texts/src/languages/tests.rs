use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern};
use fluent_syntax::ast::{PatternElement, Resource};
use frontdesk_domain::text::telegram_len;

use super::*;

/// Longer than any name, number or date that is put in.
const LONGEST_VALUE: &str = "Нннннннннннннннннннннннннннннннннннннннннннннннннннннннннннннннн";

fn parsed(language: Language) -> Resource<&'static str> {
    fluent_syntax::parser::parse(source(language))
        .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", language.code()))
}

/// Each message's variables.
fn variables(language: Language) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut found = BTreeMap::new();
    for entry in parsed(language).body {
        let Entry::Message(message) = entry else {
            continue;
        };
        let mut names = BTreeSet::new();
        of_pattern(&message.value.expect("a text"), &mut names);
        let former = found.insert(message.id.name, names);
        assert_eq!(former, None, "{} stands there twice", message.id.name);
    }
    found
}

fn of_pattern(pattern: &Pattern<&'static str>, names: &mut BTreeSet<&'static str>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, names);
        }
    }
}

fn of_expression(expression: &Expression<&'static str>, names: &mut BTreeSet<&'static str>) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, names),
        Expression::Select { selector, variants } => {
            of_inline(selector, names);
            for variant in variants {
                of_pattern(&variant.value, names);
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&'static str>, names: &mut BTreeSet<&'static str>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name);
        }
        InlineExpression::FunctionReference { arguments, .. } => {
            let CallArguments { positional, .. } = arguments;
            for inline in positional {
                of_inline(inline, names);
            }
        }
        InlineExpression::Placeable { expression } => of_expression(expression, names),
        _ => {}
    }
}

#[test]
fn every_message_exists_in_each_language_and_takes_the_same_in() {
    let english = variables(Language::En);
    for language in Language::ALL {
        let theirs = variables(language);
        for (id, names) in &english {
            assert_eq!(theirs.get(id), Some(names), "{id} in {}", language.code());
        }
        for id in theirs.keys() {
            assert!(english.contains_key(id), "{id} only in {}", language.code());
        }
    }
}

#[test]
fn every_message_keeps_to_telegrams_limits_in_its_longest_form() {
    for (id, names) in variables(Language::En) {
        let most = match id {
            "wrong-chat" => 200,
            "dialog-help" | "dialog-confirmation" | "dialog-noted" => 4096,
            id if id.starts_with("press-")
                || id.starts_with("dialog-")
                || id.starts_with("only-staff") =>
            {
                200
            }
            _ => 4096,
        };
        for language in Language::ALL {
            // Every plural form, by counts that between them choose each.
            for count in [0, 1, 2, 5, 21, 100] {
                let values = |name: &&'static str| {
                    let value = match *name {
                        "count" | "least" | "most" => FluentValue::from(count),
                        _ => FluentValue::from(LONGEST_VALUE),
                    };
                    (*name, value)
                };
                let values: FluentArgs<'_> = names.iter().map(values).collect();
                let bundle = bundle(language);
                let pattern = bundle.get_message(id).and_then(|message| message.value());
                let mut errors = Vec::new();
                let pattern = pattern.expect("a text");
                let text = bundle.format_pattern(pattern, Some(&values), &mut errors);
                assert!(errors.is_empty(), "{id}: {errors:?}");
                let length = telegram_len(&text);
                assert!(
                    (1..=most).contains(&length),
                    "{id} in {}: {length}",
                    language.code()
                );
            }
        }
    }
}

#[test]
fn a_message_that_takes_nothing_in_and_stands_on_one_line_is_not_copied() {
    for (id, names) in variables(Language::En) {
        for language in Language::ALL {
            if names.is_empty() && !matches!(written(language, id, None), Cow::Owned(_)) {
                assert_ne!(text(language, id), id, "{}", language.code());
            }
        }
    }
}

#[test]
fn counts_are_said_as_each_language_says_them() {
    let said = |language, count: u32| {
        let values = [("count", count.into()), ("more", "".into())];
        text_with(language, "card-earlier-leads", values)
    };
    for (count, russian) in [
        (1, "1 прежняя заявка этого контакта"),
        (3, "3 прежние заявки этого контакта"),
        (5, "5 прежних заявок этого контакта"),
        (11, "11 прежних заявок этого контакта"),
        (21, "21 прежняя заявка этого контакта"),
        (24, "24 прежние заявки этого контакта"),
        (112, "112 прежних заявок этого контакта"),
    ] {
        assert_eq!(said(Language::Ru, count), russian);
    }
    assert_eq!(said(Language::En, 1), "1 earlier lead of this contact");
    assert_eq!(said(Language::En, 21), "21 earlier leads of this contact");
    assert_eq!(said(Language::Ja, 1), "この連絡先の過去の依頼：1件");
}

#[test]
fn moments_are_written_as_each_languages_readers_write_them() {
    let zone = TimeZone::get("Asia/Tokyo").expect("a zone");
    let at = "2026-03-01T15:05:00Z".parse().expect("a moment");
    let written = |language| date_and_time(language, at, &zone);
    assert_eq!(written(Language::En), "2 Mar 2026, 00:05");
    assert_eq!(written(Language::Ru), "02.03.2026, 00:05");
    assert_eq!(written(Language::Ja), "2026年3月2日 00:05");
}
