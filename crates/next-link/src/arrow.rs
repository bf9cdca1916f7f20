//! The direction of drawn arrows: `<svg><path d="M9 18l6-6-6-6">` points to the right.

use super::names::NameFlags;

/// Maximum number of bytes of a drawing, and of its points; an arrow has few.
const MAX_BYTES: usize = 400;
const MAX_POINTS: usize = 24;

/// Returns `RIGHT` or `LEFT` if the points of an SVG path (`d`) or polygon (`points`) form a horizontal arrow.
///
/// An arrow's tip is at half its height. The ends of its head are at the top and the bottom, one above the other.
pub(crate) fn direction(drawing: &str) -> NameFlags {
    let points = if drawing.len() <= MAX_BYTES { points(drawing) } else { None };
    let Some(points) = points.filter(|points| (3..=MAX_POINTS).contains(&points.len())) else {
        return NameFlags::empty();
    };
    let (_, width) = extent(points.iter().map(|point| point.0));
    let (top, height) = extent(points.iter().map(|point| point.1));
    let bands = [(0.0, 0.2), (0.4, 0.6), (0.8, 1.0)].map(|(from, to)| {
        mean(points.iter().filter(|(_, y)| (from..=to).contains(&((y - top) / height))).map(|(x, _)| *x))
    });
    let [Some(above), Some(middle), Some(below)] = bands else {
        return NameFlags::empty();
    };
    let tip = (middle - f32::midpoint(above, below)) / width;
    match () {
        () if (above - below).abs() > 0.25 * width => NameFlags::empty(),
        () if tip > 0.12 => NameFlags::RIGHT,
        () if tip < -0.12 => NameFlags::LEFT,
        () => NameFlags::empty(),
    }
}

/// Returns the least number and the range.
fn extent(numbers: impl Iterator<Item = f32>) -> (f32, f32) {
    let (least, most) = numbers.fold((f32::MAX, f32::MIN), |(a, b), c| (a.min(c), b.max(c)));
    (least, most - least)
}

fn mean(numbers: impl Iterator<Item = f32>) -> Option<f32> {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

fn points(drawing: &str) -> Option<Vec<(f32, f32)>> {
    let mut reader = DrawingReader { rest: drawing.as_bytes() };
    let (mut at, mut start) = ((0.0, 0.0), (0.0, 0.0));
    let mut points = Vec::new();
    // The points of a polygon come without commands, like absolute lines.
    let mut command = b'L';
    loop {
        command = match reader.command() {
            Some(command) => command,
            None if reader.is_at_end() => return Some(points),
            // A second pair after a move is a line.
            None if command == b'M' => b'L',
            None if command == b'm' => b'l',
            // Only a command goes on after a closed line.
            None if matches!(command, b'Z' | b'z') => return None,
            None => command,
        };
        let from = if command.is_ascii_lowercase() { at } else { (0.0, 0.0) };
        at = match command.to_ascii_uppercase() {
            b'Z' => {
                at = start;
                continue;
            }
            b'H' => (from.0 + reader.number()?, at.1),
            b'V' => (at.0, from.1 + reader.number()?),
            b'A' => {
                for _ in 0..3 {
                    reader.number()?;
                }
                reader.flag()?;
                reader.flag()?;
                reader.point(from)?
            }
            letter => {
                // Only where a curve ends is on the drawing for sure.
                for _ in 0..controls(letter)? {
                    reader.point(from)?;
                }
                reader.point(from)?
            }
        };
        if command.eq_ignore_ascii_case(&b'M') {
            start = at;
        }
        points.push(at);
        if points.len() > MAX_POINTS {
            return None;
        }
    }
}

fn controls(command: u8) -> Option<usize> {
    match command {
        b'M' | b'L' | b'T' => Some(0),
        b'S' | b'Q' => Some(1),
        b'C' => Some(2),
        _ => None,
    }
}

struct DrawingReader<'a> {
    rest: &'a [u8],
}

impl DrawingReader<'_> {
    fn skip_space(&mut self) {
        let space = self.rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b',').count();
        self.rest = &self.rest[space..];
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest.is_empty()
    }

    fn command(&mut self) -> Option<u8> {
        self.skip_space();
        let (first, rest) = self.rest.split_first().filter(|(first, _)| first.is_ascii_alphabetic())?;
        self.rest = rest;
        Some(*first)
    }

    /// Reads a number; `1-.5.5` is three of them.
    fn number(&mut self) -> Option<f32> {
        self.skip_space();
        let (mut end, mut dots) = (0, 0);
        for (at, byte) in self.rest.iter().enumerate() {
            dots += usize::from(*byte == b'.');
            let is_part = byte.is_ascii_digit()
                || (*byte == b'.' && dots == 1)
                || (matches!(byte, b'-' | b'+') && at == 0);
            if !is_part {
                break;
            }
            end = at + 1;
        }
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    /// Reads a flag of an arc, which needs no space after it.
    fn flag(&mut self) -> Option<()> {
        self.skip_space();
        let (_, rest) = self.rest.split_first().filter(|(first, _)| matches!(first, b'0' | b'1'))?;
        self.rest = rest;
        Some(())
    }

    fn point(&mut self, from: (f32, f32)) -> Option<(f32, f32)> {
        Some((from.0 + self.number()?, from.1 + self.number()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_to_one_side() {
        for right in [
            "M9 18l6-6-6-6",
            "m9 5 7 7-7 7",
            "M5 12h14M12 5l7 7-7 7",
            "M10 6L8.59 7.41 13.17 12l-4.58 4.59L10 18l6-6z",
            "M8 5v14l11-7z",
            "0,0 10,5 0,10",
            "M7 4a1 1 0 01.7.3l5 5a1 1 0 010 1.4l-5 5a1 1 0 11-1.4-1.4L10.6 10 6.3 5.7A1 1 0 017 4z",
        ] {
            assert_eq!(direction(right), NameFlags::RIGHT, "{right}");
        }
        for left in ["M15 18l-6-6 6-6", "M19 12H5M12 19l-7-7 7-7", "10,0 0,5 10,10"] {
            assert_eq!(direction(left), NameFlags::LEFT, "{left}");
        }
    }

    #[test]
    fn other_drawings_point_nowhere() {
        const OTHERS: &str =
            "|M|M1|M6 9l6 6 6-6|M6 6l12 12M18 6L6 18|M3 6h18M3 12h18M3 18h18|M0 0L0 0L0 0|x|M1 1e9|z1";
        for other in OTHERS.split('|') {
            assert_eq!(direction(other), NameFlags::empty(), "{other}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_drawing_can_be_read(drawing in "[MmLlHhVvZzAaCcQq0-9 .,-]{0,60}") {
            direction(&drawing);
        }
    }
}
