//! Changes over two settings, as a table of coloured cells.

use super::{FigureError, draw, failed};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const CELL: (i32, i32) = (56, 36);
/// Room to the left of the cells and above them, for names of rows and the title.
const BEFORE: (i32, i32) = (76, 44);
/// Room to the right of the cells and below them, for the scale and names of columns.
const BEHIND: (i32, i32) = (110, 62);
const MOST: usize = 50;

/// Both ends of the scale, apart for every kind of colour vision; black text can be read on either.
const WORSE: RGBColor = RGBColor(245, 150, 60);
const BETTER: RGBColor = RGBColor(82, 150, 205);
const NONE: RGBColor = RGBColor(222, 222, 222);
const STEPS: i32 = 10;

/// How something changes with two settings.
#[derive(Debug, Clone)]
pub struct HeatMap {
    /// The title: the thing that changes.
    pub title: String,
    /// The meaning of the columns.
    pub x: String,
    /// The meaning of the rows.
    pub y: String,
    /// The columns, from left to right.
    pub columns: Vec<String>,
    /// The rows, from the bottom to the top.
    pub rows: Vec<String>,
    /// By row, then by column: the change as a share (0.016 is written as +1.6), or none.
    pub values: Vec<Vec<Option<f64>>>,
}

/// Draws changes as coloured cells: blue where something rises, orange where it falls, the deeper the more; grey with a
/// dash where there is no value. The greatest change has the full colour. Changes are written in per cent.
///
/// # Errors
///
/// [`FigureError`] if the values are not one for each row and column, where there are more than 50 rows or columns,
/// and where it cannot be drawn.
pub fn heat_map(map: &HeatMap) -> Result<String, FigureError> {
    let (columns, rows) = (size(&map.columns)?, size(&map.rows)?);
    let widths = map.values.iter().map(Vec::len);
    if map.values.len() != map.rows.len() || widths.clone().any(|width| width != map.columns.len()) {
        let found: Vec<usize> = widths.take(MOST).collect();
        return Err(FigureError(format!(
            "expected {rows} rows of {columns} values, found rows of {found:?}"
        )));
    }
    let known = |value: &Option<f64>| value.filter(|value| value.is_finite());
    let reach = map.values.iter().flatten().filter_map(known).map(f64::abs).fold(0.0, f64::max);
    let (right, bottom) = (BEFORE.0 + CELL.0 * columns, BEFORE.1 + CELL.1 * rows);
    let size = ((right + BEHIND.0).unsigned_abs(), (bottom + BEHIND.1).unsigned_abs());
    draw(size, |area| {
        let write = |text: &str, at: (i32, i32), style: TextStyle<'_>| {
            area.draw(&Text::new(text.to_owned(), at, style)).map_err(failed)
        };
        write(&map.title, (i32::midpoint(BEFORE.0, right), 20), style(18, HPos::Center))?;
        write(&map.x, (i32::midpoint(BEFORE.0, right), bottom + 44), style(14, HPos::Center))?;
        let upright = style(14, HPos::Center).transform(FontTransform::Rotate270);
        write(&map.y, (20, i32::midpoint(BEFORE.1, bottom)), upright)?;
        let lefts = || (BEFORE.0..right).step_by(CELL.0.unsigned_abs() as usize);
        for (name, left) in map.columns.iter().zip(lefts()) {
            write(name, (left + CELL.0 / 2, bottom + 16), style(14, HPos::Center))?;
        }
        let tops = (BEFORE.1..bottom).step_by(CELL.1.unsigned_abs() as usize).rev();
        for ((name, values), top) in map.rows.iter().zip(&map.values).zip(tops) {
            write(name, (BEFORE.0 - 10, top + CELL.1 / 2), style(14, HPos::Right))?;
            for (value, left) in values.iter().zip(lefts()) {
                let value = known(value);
                let shade = value.map_or(NONE.to_rgba(), |value| shade(share(value, reach)));
                let corners = [(left, top), (left + CELL.0, top + CELL.1)];
                area.draw(&Rectangle::new(corners, shade.filled())).map_err(failed)?;
                area.draw(&Rectangle::new(corners, WHITE)).map_err(failed)?;
                let text = value.map_or_else(|| "–".to_owned(), per_cent);
                write(&text, (left + CELL.0 / 2, top + CELL.1 / 2), style(14, HPos::Center))?;
            }
        }
        let (left, height) = (right + 24, bottom - BEFORE.1);
        let edge = |step: i32| BEFORE.1 + height * (STEPS - step) / (2 * STEPS);
        for step in -STEPS..STEPS {
            let middle = (f64::from(step) + 0.5) / f64::from(STEPS);
            let corners = [(left, edge(step + 1)), (left + 16, edge(step))];
            area.draw(&Rectangle::new(corners, shade(middle).filled())).map_err(failed)?;
        }
        for (step, value) in [(-STEPS, -reach), (0, 0.0), (STEPS, reach)] {
            write(&format!("{} %", per_cent(value)), (left + 22, edge(step)), style(14, HPos::Left))?;
        }
        Ok(())
    })
}

fn size(names: &[String]) -> Result<i32, FigureError> {
    let count = names.len();
    let small = i32::try_from(count).ok().filter(|_| count <= MOST);
    small.ok_or_else(|| FigureError(format!("expected at most {MOST} rows and columns, found {count}")))
}

fn style<'a>(size: u32, side: HPos) -> TextStyle<'a> {
    TextStyle::from(("sans-serif", size)).pos(Pos::new(side, VPos::Center))
}

fn share(value: f64, reach: f64) -> f64 {
    if reach > 0.0 { value / reach } else { 0.0 }
}

/// The colour of a share from −1 to 1: white for 0, since the ground shows through.
fn shade(share: f64) -> RGBAColor {
    let end = if share < 0.0 { WORSE } else { BETTER };
    end.mix(share.abs())
}

/// A change in per cent with its sign, to one decimal.
pub fn per_cent(share: f64) -> String {
    let text = format!("{:+.1}", share * 100.0);
    match &text[1..] {
        "0.0" => "0.0".to_owned(),
        digits if text.starts_with('-') => format!("\u{2212}{digits}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: &[&[Option<f64>]]) -> HeatMap {
        let names = |prefix: &str, count| (1..=count).map(|number| format!("{prefix}{number}")).collect();
        HeatMap {
            title: "Change <of> ROUGE-2".to_owned(),
            x: "lower threshold".to_owned(),
            y: "upper threshold".to_owned(),
            columns: names("c", values.first().map_or(0, |row| row.len())),
            rows: names("r", values.len()),
            values: values.iter().map(|row| row.to_vec()).collect(),
        }
    }

    fn number(tag: &str, name: &str) -> i32 {
        let (_, behind) = tag.split_once(&format!(" {name}=\"")).unwrap();
        behind.split('"').next().unwrap().parse().unwrap()
    }

    fn texts(svg: &str) -> Vec<(String, i32, i32)> {
        let tags = svg.split("<text").skip(1);
        tags.map(|tag| {
            let text = tag.split_once('>').unwrap().1.split("</text>").next().unwrap();
            (text.trim().to_owned(), number(tag, "x"), number(tag, "y"))
        })
        .collect()
    }

    fn fill(svg: &str, (x, y): (i32, i32)) -> String {
        let holds = |tag: &&str| {
            let (left, top) = (number(tag, "x"), number(tag, "y"));
            let (width, height) = (number(tag, "width"), number(tag, "height"));
            left < x && x < left + width && top < y && y < top + height && !tag.contains("fill=\"none\"")
        };
        let tag = svg.split("<rect").skip(1).filter(holds).last().unwrap();
        let value = |name: &str| tag.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap();
        format!("{} {}", value("fill"), value("opacity"))
    }

    #[test]
    fn cells_stand_at_their_row_and_column() {
        let svg = heat_map(&map(&[
            &[Some(-0.02), Some(-0.0001)],
            &[None, Some(0.04)],
            &[Some(f64::NAN), Some(0.0)],
        ]));
        let svg = svg.unwrap();
        let texts = texts(&svg);
        let place = |name: &str| {
            let (_, x, y) = texts.iter().find(|(text, ..)| text == name).unwrap();
            (*x, *y)
        };
        let at = |row: &str, column: &str| (place(column).0, place(row).1);
        let text = |row, column| {
            let wanted = at(row, column);
            texts.iter().find(|(_, x, y)| (*x, *y) == wanted).unwrap().0.as_str()
        };
        assert!(place("r1").1 > place("r3").1, "the first row is the lowest");
        assert_eq!([text("r1", "c1"), text("r1", "c2")], ["\u{2212}2.0", "0.0"]);
        assert_eq!([text("r2", "c1"), text("r2", "c2")], ["–", "+4.0"]);
        assert_eq!([text("r3", "c1"), text("r3", "c2")], ["–", "0.0"]);
        assert_eq!(fill(&svg, at("r1", "c1")), "#F5963C 0.5", "half as much as the greatest, downward");
        assert_eq!(fill(&svg, at("r2", "c2")), "#5296CD 1");
        assert_eq!(fill(&svg, at("r3", "c2")), "#FFFFFF 1", "the ground");
        assert_eq!([fill(&svg, at("r2", "c1")), fill(&svg, at("r3", "c1"))], ["#DEDEDE 1", "#DEDEDE 1"]);
        for text in
            ["Change &lt;of&gt; ROUGE-2", "lower threshold", "upper threshold", "+4.0 %", "\u{2212}4.0 %"]
        {
            assert!(texts.iter().any(|(found, ..)| found == text), "{text} in {texts:?}");
        }
    }

    #[test]
    fn nothing_that_changes_is_drawn_too() {
        for values in [&[][..], &[&[Some(0.0)][..]], &[&[None][..]]] {
            let svg = heat_map(&map(values)).unwrap();
            assert_eq!(svg.matches("0.0 %").count(), 3, "the scale has no ends: {svg}");
        }
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let mut short = map(&[&[Some(0.1), Some(0.2)], &[None, None]]);
        short.values[1].pop();
        let message = heat_map(&short).unwrap_err().to_string();
        assert_eq!(message, "a figure could not be drawn: expected 2 rows of 2 values, found rows of [2, 1]");
        let wide = heat_map(&map(&[&[None; 51]])).unwrap_err().to_string();
        assert_eq!(wide, "a figure could not be drawn: expected at most 50 rows and columns, found 51");
    }
}
