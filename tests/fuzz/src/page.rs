//! Whether a page is what its author wrote, whatever was typed into it.

const ELEMENTS: [&str; 14] = [
    "!doctype", "button", "form", "h1", "html", "input", "label", "main", "meta", "p", "style",
    "textarea", "title", "select",
];

/// Panics unless every mark in `page` is one of the desk's own pages' and every quote closes: what
/// was typed must never become markup.
pub(crate) fn check(page: &str) {
    let mut rest = page;
    while let Some(at) = rest.find(['<', '&']) {
        rest = &rest[at..];
        rest = if rest.starts_with('&') {
            after_reference(rest)
        } else {
            after_tag(rest)
        };
    }
}

fn after_reference(text: &str) -> &str {
    ["&amp;", "&lt;", "&gt;", "&quot;"]
        .iter()
        .find_map(|reference| text.strip_prefix(reference))
        .unwrap_or_else(|| panic!("a bare ampersand: {text:.40}"))
}

fn after_tag(text: &str) -> &str {
    let mut quoted = false;
    let end = text[1..].find(|c| {
        quoted ^= c == '"';
        assert!(c != '<', "a mark within a mark: {text:.80}");
        c == '>' && !quoted
    });
    let (tag, after) = text.split_at(end.expect("the mark ends") + 2);
    let inside = tag[1..tag.len() - 1].trim_start_matches('/');
    let name = inside.split([' ', '\n']).next().unwrap_or_default();
    assert!(ELEMENTS.contains(&name), "not an element of ours: {tag}");
    if tag == "<style>" {
        let end = after.find("</style>").expect("the style ends");
        return &after[end..];
    }
    after
}
