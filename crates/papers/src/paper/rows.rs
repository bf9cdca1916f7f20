//! Rows of the thesis' features as CSV, for other programs to learn from.

use super::examples::{ContentExample, PaperExamples};
use super::recipe::{element_rows, median_distance};
use std::io::{self, Write};
use tsugi_main_content::paper::PaperContent;
use tsugi_next_link::paper::PaperLinks;
use tsugi_scoring::Schema;
use tsugi_training::dataset::DataSet;

/// Columns before those of the features: data set, website, page, the link's address or the element's path, 1 if it is positive.
const NAMES: [&str; 5] = ["data_set", "site", "page", "candidate", "label"];

/// Writes one row for each candidate of next links of the pages whose next page is known; returns the number of rows.
///
/// # Errors
///
/// What the writer says.
pub fn write_link_rows(sets: &[DataSet], examples: &PaperExamples, out: &mut impl Write) -> io::Result<u64> {
    let mut rows = RowWriter::new::<PaperLinks>(out)?;
    for page in &examples.pages {
        let Some(links) = &page.links else { continue };
        let label = &sets[page.set].labels()[page.label];
        let page = [sets[page.set].name.as_str(), &label.site, &label.url];
        for ((values, url), is_next) in links.rows.iter().zip(&links.urls).zip(&links.is_next) {
            rows.write(page, url.as_str(), *is_next, values)?;
        }
    }
    Ok(rows.count)
}

/// Writes one row for each element of the pages whose content is known; returns the number of rows. The distance is that to the
/// labelled link; a page without one has the median of the others.
///
/// # Errors
///
/// What the writer says.
pub fn write_element_rows(
    sets: &[DataSet],
    examples: &PaperExamples,
    out: &mut impl Write,
) -> io::Result<u64> {
    let mut rows = RowWriter::new::<PaperContent>(out)?;
    let known = || examples.pages.iter().filter_map(|page| Some((page, page.content.as_ref()?)));
    let median = median_distance(known().map(|(_, content)| content));
    for (page, content) in known() {
        let label = &sets[page.set].labels()[page.label];
        let of_page = element_rows(content, content.next, median).map_err(io::Error::other)?;
        let page = [sets[page.set].name.as_str(), &label.site, &label.url];
        let ContentExample { page: tree, .. } = content;
        for ((values, id), is_content) in of_page.x.iter().zip(tree.elements()).zip(&of_page.y) {
            rows.write(page, &tree.location_path(id), *is_content, values)?;
        }
    }
    Ok(rows.count)
}

struct RowWriter<'o, W> {
    out: &'o mut W,
    count: u64,
}

impl<'o, W: Write> RowWriter<'o, W> {
    fn new<S: Schema>(out: &'o mut W) -> io::Result<RowWriter<'o, W>> {
        let columns = S::columns().iter().map(|column| column.name);
        writeln!(out, "{}", NAMES.into_iter().chain(columns).collect::<Vec<_>>().join(","))?;
        Ok(RowWriter { out, count: 0 })
    }

    fn write(&mut self, page: [&str; 3], candidate: &str, label: bool, values: &[f32]) -> io::Result<()> {
        for text in page.into_iter().chain([candidate]) {
            write!(self.out, "{},", quoted(text))?;
        }
        write!(self.out, "{}", u8::from(label))?;
        for value in values {
            write!(self.out, ",{value}")?;
        }
        self.count += 1;
        writeln!(self.out)
    }
}

/// A field as RFC 4180 has it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_are_quoted() {
        assert_eq!(quoted("https://a.test/?a=1,2"), "\"https://a.test/?a=1,2\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(quoted("/html[1]/p[2]"), "/html[1]/p[2]");
    }

    #[test]
    fn a_row_has_a_cell_for_each_name() {
        let mut out = Vec::new();
        let mut rows = RowWriter::new::<PaperLinks>(&mut out).unwrap();
        rows.write(["set", "a,b", "p"], "u", true, &[0.5; 9]).unwrap();
        assert_eq!(rows.count, 1);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("data_set,site,page,candidate,label,next_label,"), "{text}");
        assert!(text.ends_with("\nset,\"a,b\",p,u,1,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5\n"), "{text}");
    }
}
