// The models and the page that examples in the documentation look at: an expression.
{
    let html = std::fs::read("examples/pages/english-article/2.html").unwrap();
    let url = "https://magazine.example/features/tide-mill/2.html".parse().unwrap();
    (tsugi::Tsugi::new(), tsugi::Page::parse(&html, &url, None))
}
