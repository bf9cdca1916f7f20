//! The second wall: a third-party sanitiser, widely used and attacked, checks the HTML that our writer wrote.

use super::elements::{ALLOWED, MATH, MATH_ATTRIBUTES, TABLE_PARTS};
use crate::anchor::is_ours;
use std::borrow::Cow;
use std::sync::LazyLock;

const ATTRIBUTES: [&str; 20] = [
    "alt", "alttext", "cite", "colspan", "datetime", "dir", "height", "href", "id", "lang", "open",
    "reversed", "rowspan", "scope", "src", "start", "title", "type", "value", "width",
];

static WALL: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let tags = ALLOWED.iter().chain(TABLE_PARTS.iter().map(|(tag, _)| tag)).chain(MATH).copied();
    let mut wall = ammonia::Builder::empty();
    wall.tags(tags.collect())
        .generic_attributes(ATTRIBUTES.iter().chain(MATH_ATTRIBUTES).copied().collect())
        .url_schemes(["http", "https", "mailto", "file"].into())
        .link_rel(None)
        // The only relative addresses are anchors in the document.
        .url_relative(ammonia::UrlRelative::PassThrough)
        .attribute_filter(|_, name, value| {
            let passes = match name {
                "id" => is_ours(value),
                "href" => value.strip_prefix('#').map_or(!value.starts_with("file"), is_ours),
                "cite" => !value.starts_with("file"),
                // The images of a document made of files are files.
                "src" => value.starts_with("http") || value.starts_with("file:///"),
                _ => true,
            };
            passes.then_some(Cow::Borrowed(value))
        });
    wall
});

/// Removes everything that is not on the list. Our writer's markup passes unchanged.
pub(super) fn sanitised(html: &str) -> String {
    WALL.clean(html).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_our_writer_writes_passes() {
        for html in [
            "<p lang=\"de\">a <a href=\"https://a.test/?a&amp;b#c\" title=\"&quot;\">b</a><br>c</p>",
            "<table><caption>t</caption><tbody><tr><td colspan=\"2\">x</td></tr></tbody></table>",
            "<h2 id=\"p2-x\">h</h2><a href=\"#page-2\">2</a><span id=\"p1-n\"></span>",
            "<math display=\"block\" alttext=\"x^2 &lt; 1\"><mrow><msup><mi>x</mi><mn>2</mn></msup><mo stretchy=\"false\">&lt;</mo><mn>1</mn></mrow></math>",
            "<ol start=\"3\" reversed=\"\"><li value=\"4\">x&nbsp;y &lt;b&gt;</li></ol><img src=\"http://a.test/i.png\" alt=\"\">",
        ] {
            assert_eq!(sanitised(html), html);
        }
    }

    #[test]
    fn what_it_does_not_write_does_not() {
        for (html, left) in [
            ("<script>x()</script><style>b{}</style>a", "a"),
            ("<p onclick=\"x()\" style=\"a\" class=\"b\">a</p>", "<p>a</p>"),
            ("<a href=\"javascript:x()\">a</a>", "<a>a</a>"),
            ("<a href=\"#top\" id=\"top\">a</a>", "<a>a</a>"),
            ("<svg><p>a</p></svg><img src=x onerror=x()>", "<p>a</p><img>"),
            (
                "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=x()&gt;\">",
                // Our writer removes HTML in formulas.
                "<math><mtext><table></table></mtext></math>",
            ),
            ("<math><annotation-xml encoding=text/html><p>a</p></annotation-xml></math>", "<math></math>"),
            ("<iframe src=\"https://a.test/\"></iframe><form><input><button>a</button></form>", "a"),
        ] {
            assert_eq!(sanitised(html), left, "{html}");
        }
    }

    const ODD: &str = "(<(/)?(p|div|a href='https://a.test/'|table|td|tr|b|li|ul|pre|svg|math|mtext|mi|style|title|noscript|h2|span id=p1-x)>\
         |text|\n| |&lt;|<!--|-->|]]>)";

    proptest::proptest! {
        #[test]
        fn nothing_is_taken_out_of_what_our_writer_writes(parts in proptest::collection::vec(ODD, 0..24)) {
            let ours = super::super::html::Settled::of_markup(parts.concat(), &"https://a.test/".parse().unwrap()).html;
            let tree = |html: &str| {
                let page = super::super::html::read_back(html, &"https://a.test/".parse().unwrap());
                let html = page.outer_html(page.first("body").unwrap());
                // The other serialiser drops the first newline of a `pre`.
                let parts = html.split("<pre>").map(|part| part.trim_start_matches('\n'));
                parts.collect::<Vec<_>>().join("<pre>")
            };
            proptest::prop_assert_eq!(tree(&sanitised(&ours)), tree(&ours), "{}", ours);
        }
    }
}
