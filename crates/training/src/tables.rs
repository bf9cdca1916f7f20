//! Reports: figures and tables are put into a Markdown template, and written as JSON for programs.
//!
//! The prose of a report is in its template, a `.md` file beside the code that fills it. Code computes figures alone.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tsugi_learning::Interval;

/// A report as files: name below the report's folder → content.
#[derive(Debug, Default)]
pub struct Report {
    /// The files; `report.md` and `report.json` are among them.
    pub files: Vec<(String, String)>,
}

/// A text, figure or table, as Markdown and as JSON.
#[derive(Debug, Clone, Default)]
pub struct ReportValue {
    markdown: String,
    json: Value,
}

impl ReportValue {
    /// Joins a value's two forms.
    pub fn new(markdown: String, json: impl Serialize) -> ReportValue {
        // A value that JSON has no form for is null there.
        ReportValue { markdown, json: serde_json::to_value(json).unwrap_or_default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.markdown.is_empty()
    }
}

impl From<&str> for ReportValue {
    fn from(text: &str) -> ReportValue {
        ReportValue::from(text.to_owned())
    }
}

impl From<String> for ReportValue {
    fn from(text: String) -> ReportValue {
        ReportValue { json: Value::from(text.as_str()), markdown: text }
    }
}

impl From<u64> for ReportValue {
    fn from(count: u64) -> ReportValue {
        ReportValue::new(count.to_string(), count)
    }
}

impl From<usize> for ReportValue {
    fn from(count: usize) -> ReportValue {
        ReportValue::new(count.to_string(), count)
    }
}

fn or_dash<T: Copy + Serialize>(value: Option<T>, show: impl FnOnce(T) -> String) -> ReportValue {
    ReportValue::new(value.map_or_else(|| "–".to_owned(), show), value)
}

/// Returns a figure with three decimals; a dash for none.
pub fn figure(value: impl Into<Option<f64>>) -> ReportValue {
    or_dash(value.into(), |value| format!("{value:.3}"))
}

/// Returns a mean with its interval in brackets; a dash for none.
pub fn interval(value: impl Into<Option<Interval>>) -> ReportValue {
    or_dash(value.into(), |Interval { mean, low, high }| format!("{mean:.3} ({low:.3}–{high:.3})"))
}

/// Returns a mean without its interval; a dash for none.
pub fn mean(value: impl Into<Option<Interval>>) -> ReportValue {
    or_dash(value.into(), |value| format!("{:.3}", value.mean))
}

/// Returns a difference with its sign and interval; a dash for none.
pub fn difference(value: impl Into<Option<Interval>>, digits: usize) -> ReportValue {
    or_dash(value.into(), |Interval { mean, low, high }| {
        format!("{mean:+.digits$} ({low:+.digits$} to {high:+.digits$})")
    })
}

/// Returns thresholds with three decimals, separated by commas.
pub fn thresholds(values: &[f32]) -> ReportValue {
    let shown: Vec<String> = values.iter().map(|value| format!("{value:.3}")).collect();
    ReportValue::new(shown.join(", "), values)
}

/// A column of a table: its header, and its cell for a row.
pub type ReportColumn<'a, R> = (&'a str, &'a dyn Fn(&R) -> ReportValue);

/// Makes a table, one line a row.
pub fn table<R>(rows: impl IntoIterator<Item = R>, columns: &[ReportColumn<'_, R>]) -> ReportValue {
    let headers: Vec<&str> = columns.iter().map(|(header, _)| *header).collect();
    grid(&headers, rows.into_iter().map(|row| columns.iter().map(|(_, of)| of(&row)).collect()))
}

/// Makes a table of cells, one for each header in every row.
pub fn grid(headers: &[&str], rows: impl IntoIterator<Item = Vec<ReportValue>>) -> ReportValue {
    let mut markdown = format!("| {} |\n|{}", headers.join(" | "), " --- |".repeat(headers.len()));
    let mut json = Vec::new();
    for row in rows {
        markdown.push_str("\n|");
        for cell in &row {
            let _ = write!(markdown, " {} |", cell.markdown);
        }
        json.push(row.into_iter().map(|cell| cell.json).collect::<Vec<Value>>());
    }
    ReportValue::new(markdown, serde_json::json!({"columns": headers, "rows": json}))
}

/// Puts values below headings; in JSON they are an object.
pub fn sections<T: AsRef<str>>(parts: impl IntoIterator<Item = (T, ReportValue)>) -> ReportValue {
    let (mut markdown, mut json) = (String::new(), serde_json::Map::new());
    for (title, part) in parts {
        let title = title.as_ref();
        let _ = writeln!(markdown, "## {title}\n\n{}\n", part.markdown);
        json.insert(title.to_owned(), part.json);
    }
    ReportValue { markdown, json: Value::Object(json) }
}

/// The values of a report by the names that its template gives them, and its other files.
#[derive(Debug, Default)]
pub struct ReportDraft {
    values: BTreeMap<&'static str, ReportValue>,
    files: Vec<(String, String)>,
}

impl ReportDraft {
    /// Puts a value in the place of `{name}`.
    pub fn put(&mut self, name: &'static str, value: impl Into<ReportValue>) {
        self.values.insert(name, value.into());
    }

    /// Adds a file.
    pub fn file(&mut self, name: impl Into<String>, content: String) {
        self.files.push((name.into(), content));
    }

    /// Adds the figure `figures/NAME.svg`, which the template refers to.
    pub fn svg(&mut self, name: &str, svg: String) {
        self.file(format!("figures/{name}.svg"), svg);
    }

    /// Fills a template: `report.md` is the first file, then `report.json` and the others.
    pub fn finish(self, template: &str) -> Report {
        let markdown = self.fill(template);
        let values: BTreeMap<&str, Value> =
            self.values.into_iter().map(|(name, value)| (name, value.json)).collect();
        let json = format!("{:#}\n", serde_json::json!(values));
        let mut files = vec![("report.md".to_owned(), markdown), ("report.json".to_owned(), json)];
        files.extend(self.files);
        Report { files }
    }

    /// Fills a template. An empty value leaves no second blank line.
    pub fn fill(&self, template: &str) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match self.values.get(name) {
                Some(value) => filled.push_str(&value.markdown),
                None => filled.extend(["{", name, "}"]),
            }
            rest = after;
        }
        filled.push_str(rest);
        while filled.contains("\n\n\n") {
            filled = filled.replace("\n\n\n", "\n\n");
        }
        filled.truncate(filled.trim_end().len());
        filled.push('\n');
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_and_told_as_json() {
        let mut draft = ReportDraft::default();
        draft.put("count", 2_usize);
        draft.put("none", "");
        let half = Interval { mean: 0.5, low: 0.25, high: 0.75 };
        let rows = [("a", Some(half)), ("b", None)];
        draft.put("table", table(rows, &[("name", &|row| row.0.into()), ("F", &|row| interval(row.1))]));
        let report = draft.finish("# {count} rows\n\n{none}\n\n{table}\n\n{unknown}\n");
        let markdown =
            "# 2 rows\n\n| name | F |\n| --- | --- |\n| a | 0.500 (0.250–0.750) |\n| b | – |\n\n{unknown}\n";
        assert_eq!(report.files[0].1, markdown);
        let json: Value = serde_json::from_str(&report.files[1].1).unwrap();
        assert_eq!(json["table"]["columns"], serde_json::json!(["name", "F"]));
        assert_eq!(json["table"]["rows"][0][1]["low"], 0.25);
        assert_eq!((&json["table"]["rows"][1][1], &json["count"]), (&Value::Null, &Value::from(2)));
    }
}
