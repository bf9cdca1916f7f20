// The document that examples in the documentation include: an expression.
{
    use tsugi_document::{Part, Reassembly, Shown, StopReason, Stopped, stitch};
    use tsugi_page::{Content, Evidence, Page, Url};

    let part = |number: u32, html: &str, by: &'static str| {
        let url: Url = format!("https://a.test/{number}").parse().unwrap();
        let page = Page::from_text(html, &url);
        let nodes = page.first("main").into_iter().collect();
        let content = Content { nodes, ..Content::nothing(Evidence::Model) };
        Part::of(page, content, by)
    };
    let parts = vec![
        part(1, "<title>Snow</title><main><h1>Snow</h1><p>It falls <b>slowly</b>.</main>", "start"),
        part(2, "<main><p>It melts.<img src=/melt.png alt=Melt></main>", "model"),
    ];
    let stopped = Stopped::new(StopReason::NoNext, parts[1].page.url().clone(), "no next-page link");
    stitch(Reassembly { parts, stopped, tried: Vec::new(), warnings: Vec::new(), shown: Shown::default() })
}
