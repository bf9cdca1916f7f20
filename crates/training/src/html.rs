//! Makes a self-contained HTML page of a report.

use pulldown_cmark::{Options, Parser, html};

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
    table{border-collapse:collapse;margin:1em 0;font-size:14px}td,th{border:1px solid #bbb;padding:.25em .6em;\
    overflow-wrap:anywhere}th{background:#eee}figure{margin:1.5em 0}figcaption{font-size:14px;color:#555}\
    svg{max-width:100%;height:auto}";

/// Makes a page of a report in Markdown; `figures` are (path, SVG), put in where the report names the path.
pub fn html_report(title: &str, markdown: &str, figures: &[(String, String)]) -> String {
    let mut body = String::new();
    html::push_html(&mut body, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    for (path, svg) in figures {
        // `<p><img src="figures/x.svg" alt="…" /></p>`, as the converter writes it.
        let start = format!("<p><img src=\"{path}\" alt=\"");
        while let Some(at) = body.find(&start) {
            let rest = &body[at + start.len()..];
            let Some((caption, after)) = rest.split_once("\" /></p>") else { break };
            let drawing = svg.find("<svg").map_or(svg.as_str(), |from| &svg[from..]);
            let figure = format!("<figure>{drawing}<figcaption>{caption}</figcaption></figure>");
            body = format!("{}{figure}{after}", &body[..at]);
        }
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_part_of_the_page() {
        let markdown = "# T\n\n![A & B](figures/x.svg)\n\n| a |\n| --- |\n| 1 |\n";
        let svg = "<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>";
        let page = html_report("T", markdown, &[("figures/x.svg".to_owned(), svg.to_owned())]);
        assert!(
            page.contains("<figure><svg width=\"1\"></svg><figcaption>A &amp; B</figcaption></figure>"),
            "{page}"
        );
        assert!(page.contains("<td>1</td>") && !page.contains("src="));
    }
}
