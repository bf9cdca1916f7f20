//! Pages for tests.

use tsugi_page::Page;

pub(crate) fn page(html: &str) -> Page {
    Page::from_text(html, &"https://a.test/".parse().unwrap())
}

pub(crate) fn pages(htmls: &[impl AsRef<str>]) -> Vec<Page> {
    htmls.iter().map(|html| page(html.as_ref())).collect()
}
