use super::parse;

fn html(raw: &str) -> String {
    parse(raw).expect("it parses").trimmed().html()
}

fn error(raw: &str) -> String {
    parse(raw).expect_err("it does not parse")
}

#[test]
fn what_was_sent_comes_back_in_one_spelling() {
    for (raw, expected) in [
        ("a &amp; b &lt;3", "a &amp; b &lt;3"),
        ("<STRONG>x</strong> <em>y</em>", "<b>x</b> <i>y</i>"),
        ("<b>a<i>b</i></b>", "<b>a<i>b</i></b>"),
        ("<u><i><b>x</b></i></u>", "<u><i><b>x</b></i></u>"),
        ("<b>bold</>", "<b>bold</b>"),
        ("R&D &copy; &#8364;&#x20AC", "R&amp;D &amp;copy; €€"),
        ("<b></b>x", "x"),
        ("  <b>  x </b> ", "<b>x</b>"),
        (
            "<a href='https://e.org/?a=1&amp;b=2'>l</a>",
            "<a href=\"https://e.org/?a=1&amp;b=2\">l</a>",
        ),
        ("<a href=\"nowhere\">l</a>", "l"),
        (
            "<span class=\"tg-spoiler\">s</span>",
            "<tg-spoiler>s</tg-spoiler>",
        ),
        (
            "<pre><code class=\"language-rust\">x</code></pre>",
            "<pre><code class=\"language-rust\">x</code></pre>",
        ),
        ("<code class=\"language-rust\">x</code>", "<code>x</code>"),
        (
            "<blockquote expandable>q</blockquote>",
            "<blockquote expandable>q</blockquote>",
        ),
    ] {
        assert_eq!(html(raw), expected, "{raw}");
    }
}

#[test]
fn mistakes_are_named_with_their_byte_offset() {
    for (raw, expected) in [
        ("<br>", "Unsupported start tag \"br\" at byte offset 0"),
        ("я < b", "Unsupported start tag \"\" at byte offset 3"),
        ("<3", "Unclosed start tag at byte offset 0"),
        (
            "<b>x",
            "Can't find end tag corresponding to start tag \"b\"",
        ),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        (
            "<b>x</i>",
            "Unmatched end tag at byte offset 4, expected \"</b>\", found \"</i>\"",
        ),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        (
            "<span>x</span>",
            "Tag \"span\" must have class \"tg-spoiler\" at byte offset 0",
        ),
        (
            "<a href>x</a>",
            "Expected equal sign in declaration of an attribute of the tag \"a\" at byte offset 3",
        ),
        (
            "<a =x>x</a>",
            "Empty attribute name in the tag \"a\" at byte offset 3",
        ),
        ("<a href=\"x>", "Unclosed start tag at byte offset 0"),
        (
            "<a href=a_b>x</a>",
            "Unexpected end of name token at byte offset 8",
        ),
    ] {
        assert_eq!(error(raw), expected, "{raw}");
    }
    assert!(error("&#xDFDF;").starts_with("Text contains invalid Unicode"));
}
