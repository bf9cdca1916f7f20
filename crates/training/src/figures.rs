//! Figures of reports, as SVG.

mod heat_map;

pub use heat_map::{HeatMap, heat_map, per_cent};

use plotters::coord::ranged1d::SegmentedCoord;
use plotters::coord::types::{RangedCoordf64, RangedCoordi32};
use plotters::coord::{CoordTranslate, Shift};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use tsugi_learning::{Confusion, Interval, pr_curve};
use tsugi_scoring::Column;

const SIZE: (u32, u32) = (720, 480);
/// Shades that stay apart in grey.
const SHADES: [RGBColor; 4] =
    [RGBColor(0, 0, 0), RGBColor(190, 60, 20), RGBColor(40, 110, 190), RGBColor(150, 150, 150)];

/// A figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a figure could not be drawn: {0}")]
pub struct FigureError(String);

fn failed<E: std::error::Error>(error: E) -> FigureError {
    FigureError(error.to_string())
}

fn draw(
    size: (u32, u32),
    plot: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), FigureError>,
) -> Result<String, FigureError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        plot(&area)?;
        area.present().map_err(failed)?;
    }
    Ok(svg)
}

type Chart<'a, 'b, C> = ChartContext<'a, SVGBackend<'b>, C>;
fn builder<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
    title: &str,
    left: u32,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.caption(title, ("sans-serif", 18)).margin(12).x_label_area_size(40).y_label_area_size(left);
    builder
}

type UnitSquare<'a, 'b> = Chart<'a, 'b, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type NamedRows<'a, 'b> = Chart<'a, 'b, Cartesian2d<RangedCoordf64, SegmentedCoord<RangedCoordi32>>>;

fn unit_square<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
    title: &str,
    x: &str,
    y: &str,
) -> Result<UnitSquare<'a, 'b>, FigureError> {
    let mut chart = builder(area, title, 50).build_cartesian_2d(0.0..1.0, 0.0..1.0).map_err(failed)?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc(x).y_desc(y).draw().map_err(failed)?;
    Ok(chart)
}

/// Draws the axes of a chart with a row for each name, the first at the top.
fn named_rows<'a, 'b>(
    mut builder: ChartBuilder<'a, 'b, SVGBackend<'b>>,
    names: &[&str],
    (most, x): (f64, &str),
) -> Result<NamedRows<'a, 'b>, FigureError> {
    let rows = i32::try_from(names.len()).unwrap_or(i32::MAX);
    let mut chart = builder.build_cartesian_2d(0.0..most, (0..rows).into_segmented()).map_err(failed)?;
    let label = |value: &SegmentValue<i32>| match value {
        SegmentValue::CenterOf(row) => {
            let row = usize::try_from(rows - 1 - row).unwrap_or(usize::MAX);
            names.get(row).map_or_else(String::new, |name| (*name).to_owned())
        }
        _ => String::new(),
    };
    let mut mesh = chart.configure_mesh();
    mesh.disable_y_mesh().light_line_style(TRANSPARENT).y_labels(names.len()).y_label_formatter(&label);
    mesh.x_desc(x).draw().map_err(failed)?;
    Ok(chart)
}

fn legend<'a, 'b: 'a, C: CoordTranslate>(
    chart: &mut Chart<'a, 'b, C>,
    position: SeriesLabelPosition,
) -> Result<(), FigureError> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK)
        .legend_area_size(34)
        .draw()
        .map_err(failed)
}

/// Draws a line through points, marked by discs on even places and triangles on odd ones, so that lines differ in grey.
fn marked_line<'a, 'b: 'a, C: CoordTranslate<From = (f64, f64)>>(
    chart: &mut Chart<'a, 'b, C>,
    place: usize,
    name: &str,
    points: &[(f64, f64)],
) -> Result<(), FigureError> {
    let shade = SHADES[place % SHADES.len()];
    let drawn = chart.draw_series(LineSeries::new(points.iter().copied(), shade)).map_err(failed)?;
    drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], shade));
    if place.is_multiple_of(2) {
        let marks = points.iter().map(|point| Circle::new(*point, 4, shade.filled()));
        chart.draw_series(marks).map_err(failed)?;
    } else {
        let marks = points.iter().map(|point| TriangleMarker::new(*point, 6, shade.filled()));
        chart.draw_series(marks).map_err(failed)?;
    }
    Ok(())
}

/// The results of a method: a point for a rule, a curve for scores with labels.
#[derive(Debug, Clone, Copy)]
pub enum PrMethod<'a> {
    /// A rule, which has one precision and recall.
    Rule(Confusion),
    /// Scores, and whether each is of a positive example.
    Scores(&'a [f32], &'a [bool]),
}

/// Draws precision–recall curves, one for each method.
///
/// # Errors
///
/// [`FigureError`] if there is nothing to draw.
pub fn pr_curves(title: &str, methods: &[(&str, PrMethod<'_>)]) -> Result<String, FigureError> {
    draw(SIZE, |area| {
        let mut chart = unit_square(area, title, "recall", "precision")?;
        for (place, (name, method)) in methods.iter().enumerate() {
            let shade = SHADES[place % SHADES.len()];
            let (scores, labels) = match method {
                PrMethod::Scores(scores, labels) => (scores, labels),
                PrMethod::Rule(confusion) => {
                    let point = (confusion.recall(), confusion.precision());
                    let mark = std::iter::once(TriangleMarker::new(point, 7, shade.filled()));
                    let drawn = chart.draw_series(mark).map_err(failed)?;
                    let legend = move |(x, y)| TriangleMarker::new((x + 12, y), 7, shade.filled());
                    drawn.label(*name).legend(legend);
                    continue;
                }
            };
            let points = pr_curve(scores, labels).map_err(failed)?;
            let line: Vec<(f64, f64)> = points.iter().map(|point| (point.recall, point.precision)).collect();
            let width = if place % 2 == 0 { 2 } else { 1 };
            let style = ShapeStyle { color: shade.to_rgba(), filled: false, stroke_width: width };
            // Every second line is dashed, each with a dash of its own, so that grey paper tells them apart.
            let dash = if place % 4 == 1 { 8 } else { 2 };
            let drawn = if place % 2 == 0 {
                chart.draw_series(LineSeries::new(line, style)).map_err(failed)?
            } else {
                chart.draw_series(DashedLineSeries::new(line, dash, 4, style)).map_err(failed)?
            };
            let legend = move |(x, y)| {
                let dash = if place % 2 == 0 { 24 } else { dash };
                DashedPathElement::new([(x, y), (x + 24, y)], dash, 4, style)
            };
            drawn.label(*name).legend(legend);
        }
        legend(&mut chart, SeriesLabelPosition::LowerLeft)
    })
}

/// Draws importances of columns as bars, the greatest first; a hollow bar is the published value.
///
/// # Errors
///
/// [`FigureError`] if there is nothing to draw.
pub fn importances(
    title: &str,
    columns: &[Column],
    values: &[f64],
    published: &[(&str, f64)],
) -> Result<String, FigureError> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let most = values.iter().copied().chain(published.iter().map(|(_, value)| *value)).fold(0.1, f64::max);
    let rows = i32::try_from(order.len()).unwrap_or(i32::MAX);
    let names: Vec<&str> = order.iter().map(|at| columns[*at].name).collect();
    let height = 90 + 26 * u32::try_from(order.len()).unwrap_or(0);
    draw((SIZE.0, height), |area| {
        let x = "mean decrease of Gini impurity, sum 1 (hollow: published)";
        let mut chart = named_rows(builder(area, title, 170), &names, (most * 1.05, x))?;
        for (place, at) in order.iter().enumerate() {
            let row = rows - 1 - i32::try_from(place).unwrap_or(0);
            let corners = |value| [(0.0, SegmentValue::Exact(row)), (value, SegmentValue::Exact(row + 1))];
            let mut bar = Rectangle::new(corners(values[*at]), RGBColor(90, 90, 90).filled());
            bar.set_margin(6, 6, 0, 0);
            chart.draw_series(std::iter::once(bar)).map_err(failed)?;
            if let Some((_, value)) = published.iter().find(|(name, _)| *name == names[place]) {
                let mut hollow = Rectangle::new(corners(*value), BLACK.stroke_width(1));
                hollow.set_margin(3, 3, 0, 0);
                chart.draw_series(std::iter::once(hollow)).map_err(failed)?;
            }
        }
        Ok(())
    })
}

/// Draws F of every method over all splits: the mean with its interval, and the published value, if any, as a cross.
///
/// # Errors
///
/// [`FigureError`] if there is nothing to draw.
pub fn spread(title: &str, methods: &[(&str, Interval, Option<f64>)]) -> Result<String, FigureError> {
    let rows = i32::try_from(methods.len()).unwrap_or(i32::MAX);
    let height = 110 + 34 * u32::try_from(methods.len()).unwrap_or(0);
    draw((SIZE.0, height), |area| {
        let x = "F (bar: mean and 95 % interval over splits; cross: published)";
        let names: Vec<&str> = methods.iter().map(|(name, ..)| *name).collect();
        let mut chart = named_rows(builder(area, title, 190), &names, (1.0, x))?;
        for (place, (_, interval, published)) in methods.iter().enumerate() {
            let row = SegmentValue::CenterOf(rows - 1 - i32::try_from(place).unwrap_or(0));
            let line = PathElement::new(
                [(interval.low, row.clone()), (interval.high, row.clone())],
                BLACK.stroke_width(3),
            );
            chart.draw_series(std::iter::once(line)).map_err(failed)?;
            let mean = Circle::new((interval.mean, row.clone()), 4, BLACK.filled());
            chart.draw_series(std::iter::once(mean)).map_err(failed)?;
            let cross = |f| Cross::new((f, row), 5, RGBColor(190, 60, 20).stroke_width(2));
            chart.draw_series(published.map(cross)).map_err(failed)?;
        }
        Ok(())
    })
}

/// Draws expected against actual values, one line of points for each name. On the dashed diagonal both are equal.
///
/// # Errors
///
/// [`FigureError`] if there is nothing to draw.
pub fn reliability(title: &str, lines: &[(&str, Vec<(f64, f64)>)]) -> Result<String, FigureError> {
    draw((SIZE.1, SIZE.1), |area| {
        let mut chart = unit_square(area, title, "expected", "found")?;
        let diagonal = [(0.0, 0.0), (1.0, 1.0)];
        chart.draw_series(DashedLineSeries::new(diagonal, 4, 4, BLACK.mix(0.5).into())).map_err(failed)?;
        for (place, (name, points)) in lines.iter().enumerate() {
            marked_line(&mut chart, place, name, points)?;
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    })
}

/// How something grows.
#[derive(Debug, Clone)]
pub struct Growth {
    /// What grows.
    pub name: String,
    /// Size of the input, and the measured amount; all above 0.
    pub points: Vec<(f64, f64)>,
}

/// Draws how things grow, with logarithmic axes: linear growth is parallel to the dashed line.
///
/// # Errors
///
/// [`FigureError`] if it cannot be drawn.
pub fn growth(title: &str, (x, y): (&str, &str), lines: &[Growth]) -> Result<String, FigureError> {
    let all = || lines.iter().flat_map(|line| &line.points);
    let bounds = |of: fn(&(f64, f64)) -> f64| {
        let values = || all().map(of).filter(|value| *value > 0.0);
        let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN_POSITIVE, f64::max));
        if low > high { (0.1, 10.0) } else { (low / 1.5, high * 1.5) }
    };
    let ((left, right), (low, high)) = (bounds(|point| point.0), bounds(|point| point.1));
    draw(SIZE, |area| {
        let mut chart = builder(area, title, 70)
            .build_cartesian_2d((left..right).log_scale(), (low..high).log_scale())
            .map_err(failed)?;
        chart.configure_mesh().light_line_style(TRANSPARENT).x_desc(x).y_desc(y).draw().map_err(failed)?;
        let span = (right / left).min(high / low);
        let linear = [(left, low), (left * span, low * span)];
        chart.draw_series(DashedLineSeries::new(linear, 4, 4, BLACK.mix(0.5).into())).map_err(failed)?;
        for (place, line) in lines.iter().enumerate() {
            let points: Vec<_> = line.points.iter().copied().filter(|(x, y)| *x > 0.0 && *y > 0.0).collect();
            marked_line(&mut chart, place, &line.name, &points)?;
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_drawn_whatever_the_points() {
        let line = |points: &[(f64, f64)]| Growth { name: "a".to_owned(), points: points.to_vec() };
        let marks = |lines: &[Growth]| growth("t", ("x", "y"), lines).unwrap().matches("<circle").count();
        assert_eq!(marks(&[line(&[(10.0, 1.0), (100.0, 9.0), (1000.0, 80.0)])]), 3);
        assert_eq!(marks(&[line(&[(10.0, 0.0), (100.0, 9.0)])]), 1, "zero has no place");
        assert_eq!(marks(&[line(&[(10.0, 5.0)])]), 1);
        assert_eq!(marks(&[line(&[])]) + marks(&[]), 0);
    }
}
