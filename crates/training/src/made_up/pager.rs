//! Pagers: the ways from a page to the next, and their markup.

use super::address::Paths;
use super::draw::Draw;
use super::prose::escaped;
use super::theme::Theme;
use super::words::Language;
use std::fmt::Write as _;

/// How a page leads on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Words,
    Arrow,
    Icon,
    TitleLink,
    Numbers,
    NumbersAndWords,
    ScriptNumbers,
    Select,
    Form,
    HeadOnly,
    Header,
    TitleList,
}

impl Way {
    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Words => "words",
            Way::Arrow => "arrow",
            Way::Icon => "icon",
            Way::TitleLink => "title link",
            Way::Numbers => "numbers",
            Way::NumbersAndWords => "numbers and words",
            Way::ScriptNumbers => "numbers of the script",
            Way::Select => "select",
            Way::Form => "form",
            Way::HeadOnly => "head",
            Way::Header => "header",
            Way::TitleList => "list of titles",
        }
    }
}

/// A page that a pager names.
#[derive(Debug, Clone)]
pub(super) struct PagerStep {
    pub(super) url: String,
    pub(super) title: String,
}

/// What the next link of a page is.
#[derive(Debug, Clone)]
pub(super) enum OnwardLink {
    Nothing,
    /// The words without a link.
    Greyed,
    To(PagerStep),
    /// A link whose words are the name of where it leads.
    Named(PagerStep),
}

/// What a pager says on one page.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    pub(super) all: &'a [PagerStep],
    pub(super) at: usize,
    pub(super) onward: OnwardLink,
    pub(super) has_back: bool,
    pub(super) paths: Option<&'a Paths>,
}

/// The look of a site's pagers.
#[derive(Debug, Clone)]
pub(super) struct Pager {
    pub(super) way: Way,
    pub(super) next: String,
    pub(super) previous: String,
    /// “Page {n} of {m}” beside the links, where the site counts.
    pub(super) counter: Option<String>,
    pub(super) draw: Draw,
}

/// Where parts of a pager go.
#[derive(Debug, Default, Clone)]
pub(super) struct Placed {
    pub(super) top: String,
    pub(super) bottom: String,
    pub(super) below: String,
    pub(super) head: String,
    pub(super) header: Option<(String, String)>,
}

impl Placed {
    /// Returns the links alone, wherever they would go.
    pub(super) fn links(&self) -> &str {
        [&self.top, &self.bottom].into_iter().find(|links| !links.is_empty()).unwrap_or(&self.below)
    }
}

const ICONS: [[&str; 2]; 9] = [
    [
        "<img src=\"/img/fwd.gif\" alt=\"{next}\" border=\"0\">",
        "<img src=\"/img/bwd.gif\" alt=\"{previous}\" border=\"0\">",
    ],
    ["<img src=\"/i/arrow-right.png\" alt=\"\">", "<img src=\"/i/arrow-left.png\" alt=\"\">"],
    ["<i class=\"icon-chevron-right\"></i>", "<i class=\"icon-chevron-left\"></i>"],
    [
        "<svg viewBox=\"0 0 24 24\"><path d=\"M9 6l6 6-6 6\"/></svg>",
        "<svg viewBox=\"0 0 24 24\"><path d=\"M15 6l-6 6 6 6\"/></svg>",
    ],
    [
        "<span class=\"fa fa-angle-right\" aria-hidden=\"true\"></span>",
        "<span class=\"fa fa-angle-left\" aria-hidden=\"true\"></span>",
    ],
    [
        "<svg aria-label=\"{next}\"><use href=\"#right\"></use></svg>",
        "<svg aria-label=\"{previous}\"><use href=\"#left\"></use></svg>",
    ],
    ["<span class=\"visually-hidden\">{next}</span>", "<span class=\"visually-hidden\">{previous}</span>"],
    ["<i class=\"material-icons\">arrow_forward</i>", "<i class=\"material-icons\">arrow_back</i>"],
    ["<img src=\"/pix/next.gif\">", "<img src=\"/pix/prev.gif\">"],
];
const ARROWS: [[&str; 2]; 7] =
    [["→", "←"], ["»", "«"], ["›", "‹"], ["&gt;", "&lt;"], ["&gt;&gt;", "&lt;&lt;"], ["▶", "◀"], ["⟩", "⟨"]];
const SCRIPTS: [[&str; 12]; 4] = [
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"],
    ["①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨", "⑩", "⑪", "⑫"],
    ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"],
    ["１", "２", "３", "４", "５", "６", "７", "８", "９", "１０", "１１", "１２"],
];

impl Pager {
    /// Returns the pager of one page, each part in its place.
    pub(super) fn placed(&self, theme: &Theme, language: &Language, steps: &Steps<'_>) -> Placed {
        let mut placed = Placed::default();
        if self.says_in_head() {
            placed.head = self.head_links(steps);
        }
        if self.way == Way::Header {
            placed.header = header(steps);
        }
        let html = self.html(theme, language, steps);
        if html.is_empty() {
            return placed;
        }
        let mut place = self.draw.apart("place");
        let both = place.of_100(15);
        let above = place.of_100(12);
        if both || above {
            placed.top.clone_from(&html);
        }
        if !above {
            let bottom = if place.of_100(60) { &mut placed.bottom } else { &mut placed.below };
            *bottom = html;
        }
        placed
    }

    /// Links in the head are beside others on some sites, and alone on few.
    fn says_in_head(&self) -> bool {
        self.way == Way::HeadOnly || (self.way != Way::Header && self.draw.apart("head links").of_100(18))
    }

    fn head_links(&self, steps: &Steps<'_>) -> String {
        let mut head = String::new();
        if let Some(back) = steps.back().filter(|_| self.draw.apart("head back").of_100(60)) {
            let _ = write!(head, "<link rel=\"prev\" href=\"{}\">", escaped(&back.url));
        }
        if let OnwardLink::To(step) = &steps.onward {
            let _ = write!(head, "<link rel=\"next\" href=\"{}\">", escaped(&step.url));
        }
        head
    }

    fn html(&self, theme: &Theme, language: &Language, steps: &Steps<'_>) -> String {
        let counter = self.counter_of(language, steps);
        let links = match self.way {
            Way::HeadOnly | Way::Header => String::new(),
            Way::Words | Way::Arrow | Way::Icon | Way::TitleLink => self.pair(theme, steps),
            Way::Numbers | Way::ScriptNumbers => self.numbers(theme, language, steps),
            Way::NumbersAndWords => self.numbers(theme, language, steps) + " " + &self.forward(theme, steps),
            Way::Select => self.select(steps),
            Way::Form => self.form(steps),
            Way::TitleList => self.titles(theme, steps),
        };
        if links.trim().is_empty() && counter.is_empty() {
            return String::new();
        }
        let mut draw = self.draw.apart("wrapper");
        let between = if counter.is_empty() { "" } else { " " };
        let inner = if draw.of_100(50) {
            format!("{counter}{between}{links}")
        } else {
            format!("{links}{between}{counter}")
        };
        match draw.below(6) {
            0 => format!("<p{}>{inner}</p>", theme.named("pager")),
            1 => format!("<nav{}>{inner}</nav>", theme.named("pager")),
            2 => format!("<p align=\"center\">{inner}</p>"),
            3 => format!("<div{}><div>{inner}</div></div>", theme.named("pager")),
            4 => format!("<table{}><tr><td>{inner}</td></tr></table>", theme.named("pager")),
            _ => format!("<div{}>{inner}</div>", theme.named("pager")),
        }
    }

    fn counter_of(&self, language: &Language, steps: &Steps<'_>) -> String {
        self.counter.as_ref().map_or_else(String::new, |counter| {
            let own = self.draw.apart("digits").of_100(30);
            let number = |n: usize| if own { language.number(n) } else { n.to_string() };
            let text = counter.replace("{n}", &number(steps.at + 1)).replace("{m}", &number(steps.all.len()));
            format!("<span>{text}</span>")
        })
    }

    fn pair(&self, theme: &Theme, steps: &Steps<'_>) -> String {
        let back = steps.back().map_or_else(String::new, |step| {
            let text = self.back_text(step);
            format!(
                "<a href=\"{}\"{}{}>{text}</a>",
                escaped(&step.url),
                theme.named("prev"),
                self.extra("rel=\"prev\"", &self.previous)
            )
        });
        let forward = self.forward(theme, steps);
        let separator = *self.draw.apart("separator").pick(&[" ", " | ", " &nbsp; ", "</div><div>", " · "]);
        let (separator, wraps) =
            if separator == "</div><div>" { ("</span> <span>", true) } else { (separator, false) };
        let inner = match (back.is_empty(), forward.is_empty()) {
            (false, false) if self.draw.apart("order").of_100(88) => format!("{back}{separator}{forward}"),
            (false, false) => format!("{forward}{separator}{back}"),
            _ => back + &forward,
        };
        if wraps && !inner.is_empty() { format!("<span>{inner}</span>") } else { inner }
    }

    fn forward(&self, theme: &Theme, steps: &Steps<'_>) -> String {
        match &steps.onward {
            OnwardLink::Nothing => String::new(),
            OnwardLink::Greyed => format!("<span class=\"disabled\">{}</span>", self.forward_text(None)),
            OnwardLink::Named(step) => {
                format!("<a href=\"{}\">{}</a>", escaped(&step.url), escaped(&step.title))
            }
            OnwardLink::To(step) => {
                let text = self.forward_text(Some(step));
                format!(
                    "<a href=\"{}\"{}{}>{text}</a>",
                    escaped(&step.url),
                    theme.named("next"),
                    self.extra("rel=\"next\"", &self.next)
                )
            }
        }
    }

    /// Returns attributes that some sites give their links.
    fn extra(&self, rel: &str, words: &str) -> String {
        let mut draw = self.draw.apart("extra");
        let rel = if draw.of_100(25) { format!(" {rel}") } else { String::new() };
        let is_wordless = matches!(self.way, Way::Arrow | Way::Icon);
        match draw.below(if is_wordless { 4 } else { 8 }) {
            0 => format!("{rel} title=\"{}\"", escaped(words)),
            1 => format!("{rel} aria-label=\"{}\"", escaped(words)),
            _ => rel,
        }
    }

    fn forward_text(&self, step: Option<&PagerStep>) -> String {
        let mut draw = self.draw.apart("words");
        match (self.way, step) {
            (Way::Arrow, _) => draw.pick(&ARROWS)[0].to_owned(),
            (Way::Icon, _) => draw.pick(&ICONS)[0].replace("{next}", &escaped(&self.next)),
            (Way::TitleLink, Some(step)) => {
                let title = escaped(&step.title);
                match draw.below(4) {
                    0 => format!("{title} →"),
                    1 => format!("{}: {title}", escaped(&self.next)),
                    2 => format!("<small>{}</small> <b>{title}</b>", escaped(&self.next)),
                    _ => format!("{title} »"),
                }
            }
            _ => match draw.below(7) {
                0 => format!("{} →", escaped(&self.next)),
                1 => format!("{}&nbsp;&raquo;", escaped(&self.next)),
                2 => format!("<b>{}</b>", escaped(&self.next)),
                3 => format!("[{}]", escaped(&self.next)),
                _ => escaped(&self.next),
            },
        }
    }

    fn back_text(&self, step: &PagerStep) -> String {
        let mut draw = self.draw.apart("words");
        match self.way {
            Way::Arrow => draw.pick(&ARROWS)[1].to_owned(),
            Way::Icon => draw.pick(&ICONS)[1].replace("{previous}", &escaped(&self.previous)),
            Way::TitleLink => format!("← {}", escaped(&step.title)),
            _ => escaped(&self.previous),
        }
    }

    fn numbers(&self, theme: &Theme, language: &Language, steps: &Steps<'_>) -> String {
        let mut draw = self.draw.apart("numbers");
        let script = draw.pick(&SCRIPTS);
        let name = |at: usize| match self.way {
            Way::ScriptNumbers if language.digits()[1] != '1' => language.number(at + 1),
            Way::ScriptNumbers => script[at % script.len()].to_owned(),
            _ => (at + 1).to_string(),
        };
        let (is_windowed, form) = (draw.of_100(35), draw.below(4));
        let mut items = Vec::new();
        let mut left_out = false;
        for (at, step) in steps.all.iter().enumerate() {
            if is_windowed && at > 0 && at + 1 < steps.all.len() && at.abs_diff(steps.at) > 1 {
                if !std::mem::replace(&mut left_out, true) {
                    items.push("…".to_owned());
                }
                continue;
            }
            left_out = false;
            items.push(match (at == steps.at, form) {
                (true, 0) => format!("<b>{}</b>", name(at)),
                (true, 1) => format!("<span{}>{}</span>", theme.named("current"), name(at)),
                (true, 2) => format!("<a{}>{}</a>", theme.named("current"), name(at)),
                (true, _) => format!("[{}]", name(at)),
                (false, _) => format!("<a href=\"{}\">{}</a>", escaped(&step.url), name(at)),
            });
        }
        if draw.of_100(50) {
            format!("<ul><li>{}</li></ul>", items.join("</li><li>"))
        } else {
            items.join(*draw.pick(&[" ", " | ", "&nbsp;"]))
        }
    }

    fn select(&self, steps: &Steps<'_>) -> String {
        let titled = self.draw.apart("options").of_100(50);
        let option = |(at, step): (usize, &PagerStep)| {
            let name =
                if titled { format!("{}. {}", at + 1, escaped(&step.title)) } else { (at + 1).to_string() };
            let selected = if at == steps.at { " selected" } else { "" };
            format!("<option value=\"{}\"{selected}>{name}</option>", escaped(&step.url))
        };
        let options: String = steps.all.iter().enumerate().map(option).collect();
        format!("<select onchange=\"location.href=this.value\">{options}</select>")
    }

    fn form(&self, steps: &Steps<'_>) -> String {
        let (OnwardLink::To(_), Some((action, key))) =
            (&steps.onward, steps.paths.and_then(|paths| paths.form.as_ref()))
        else {
            return String::new();
        };
        let (value, next) = (steps.at + 2, escaped(&self.next));
        let hidden = format!("<input type=\"hidden\" name=\"{key}\" value=\"{value}\">");
        let inner = match self.draw.apart("form").below(4) {
            0 => format!("{hidden}<button type=\"submit\">{next}</button>"),
            1 => format!("{hidden}<input type=\"submit\" value=\"{next}\">"),
            2 => format!("{hidden}<input type=\"image\" src=\"/img/go.gif\" alt=\"{next}\">"),
            _ => format!("<button name=\"{key}\" value=\"{value}\">{next}</button>"),
        };
        format!("<form action=\"{action}\" method=\"get\">{inner}</form>")
    }

    fn titles(&self, theme: &Theme, steps: &Steps<'_>) -> String {
        let item = |(at, step): (usize, &PagerStep)| {
            let title = escaped(&step.title);
            if at == steps.at {
                format!("<li><b{}>{title}</b></li>", theme.named("current"))
            } else {
                format!("<li><a href=\"{}\">{title}</a></li>", escaped(&step.url))
            }
        };
        let items: String = steps.all.iter().enumerate().map(item).collect();
        let list = *self.draw.apart("titles").pick(&["ol", "ul"]);
        format!("<{list}>{items}</{list}>")
    }
}

impl Steps<'_> {
    fn back(&self) -> Option<&PagerStep> {
        self.all.get(self.at.checked_sub(1)?).filter(|_| self.has_back)
    }
}

fn header(steps: &Steps<'_>) -> Option<(String, String)> {
    let mut links = Vec::new();
    if let OnwardLink::To(step) = &steps.onward {
        links.push(format!("<{}>; rel=\"next\"", step.url));
    }
    if let Some(back) = steps.back() {
        links.push(format!("<{}>; rel=\"prev\"", back.url));
    }
    (!links.is_empty()).then(|| ("Link".to_owned(), links.join(", ")))
}
