//! The form's colours can be told apart, in light and in dark (WCAG 2.2, AA).

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../src/form_page.css");

/// Text, and what it stands on: 1.4.3.
const TEXTS: [(&str, &str); 6] = [
    ("ink", "paper"),
    ("quiet", "paper"),
    ("bad", "paper"),
    ("bad", "soft"),
    ("accent", "paper"),
    ("on-button", "button"),
];
/// What shows where a field is, and which has the focus: 1.4.11.
const EDGES: [(&str, &str); 3] = [("line", "paper"), ("bad", "paper"), ("accent", "paper")];

type Colours<'a> = BTreeMap<&'a str, &'a str>;

/// The colours of a block of variables.
fn colours(block: &str) -> Colours<'_> {
    block
        .split(';')
        .filter_map(|declaration| declaration.trim().strip_prefix("--")?.split_once(": "))
        .collect()
}

/// Those of light, and those of dark where they differ.
fn schemes() -> [Colours<'static>; 2] {
    let blocks = STYLE.split(":root {").skip(1);
    let blocks: Vec<_> = blocks
        .map(|block| colours(block.split('}').next().unwrap_or_default()))
        .collect();
    let [light, dark] = blocks.try_into().expect("one block for each");
    let mut both = light.clone();
    both.extend(dark);
    [light, both]
}

/// Relative luminance of `#rgb` or `#rrggbb`.
fn luminance(colour: &str) -> f64 {
    let digits = colour.strip_prefix('#').expect("a colour in hex");
    let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
    let digits = if digits.len() == 3 { &doubled } else { digits };
    let channel = |at: usize| {
        let part = u8::from_str_radix(&digits[at..at + 2], 16).expect("two hex digits");
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn every_text_and_every_edge_stands_out_from_what_is_behind_it() {
    assert!((contrast("#000", "#ffffff") - 21.0).abs() < 1e-9);
    for (scheme, colours) in ["light", "dark"].iter().zip(schemes()) {
        for (pairs, least) in [(&TEXTS[..], 4.5), (&EDGES[..], 3.0)] {
            for (front, back) in pairs {
                let ratio = contrast(colours[front], colours[back]);
                assert!(ratio >= least, "{front} on {back} in {scheme}: {ratio:.2}");
            }
        }
    }
}

#[test]
fn text_has_no_colours_but_these() {
    let rules = STYLE.rsplit("; }\n* {").next().unwrap_or_default();
    for declaration in rules.split([';', '{', '}']) {
        let Some((name, value)) = declaration.trim().split_once(": ") else {
            continue;
        };
        if name == "color" && value != "inherit" {
            let variable = value
                .strip_prefix("var(--")
                .and_then(|v| v.strip_suffix(')'));
            let variable = variable.unwrap_or_else(|| panic!("{value} is not a variable"));
            assert!(
                TEXTS.iter().any(|(front, _)| *front == variable),
                "{variable}"
            );
        }
    }
}
