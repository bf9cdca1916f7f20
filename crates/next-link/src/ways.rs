//! Ways on that are no links: options of selects, and buttons of forms that only ask for a page.
//!
//! A browser that submits a form with the method GET asks for an address: the form's action, with the fields and the
//! pressed button as its query. So it can be followed like a link, if nobody has to fill in anything.

use super::relation::is_page_word;
use super::words;
use tsugi_page::text::trim;
use tsugi_page::{Attr, NodeId, Page, Tag, Url};

const MAX_FIELDS: usize = 48; // Maximum number of fields of a form that is followed.
const MAX_FORM_NODES: usize = 4_096; // Maximum number of nodes examined of a form.
const MAX_OPTIONS: usize = 200; // Maximum number of options of a select that are followed.
const MAX_SCRIPT: usize = 512; // Maximum number of bytes of a script searched for an address.
const MAX_PART: usize = 64; // Maximum number of bytes of a value that a script makes an address of.
const MAX_VALUE: usize = 2_048; // Maximum number of bytes of a field's value.

/// The kind of element that leads to a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LinkWay {
    /// `<a href>`, or an element with a script that opens an address.
    #[default]
    Anchor,
    /// An option of a select.
    Option,
    /// The button of a form.
    Button,
    /// `<link rel=next>` in the head.
    Head,
    /// The `Link` header.
    Header,
}

impl LinkWay {
    /// Returns the kind in words: "option of a select".
    pub fn words(self) -> &'static str {
        match self {
            LinkWay::Anchor => "link",
            LinkWay::Option => "option of a select",
            LinkWay::Button => "button of a form",
            LinkWay::Head => "link in the head",
            LinkWay::Header => "Link header",
        }
    }
}

/// Returns `true` if a value is an address rather than a word or a number: `/guide/2`, `?page=2`, `part2.html`.
pub(super) fn looks_like_address(value: &str) -> bool {
    let starts = ["/", "?", "./", "../", "http://", "https://"];
    let name = value.split(['?', '#']).next().unwrap_or_default();
    let ends = [".html", ".htm", ".php", ".asp", ".aspx", ".jsp", ".shtml", ".xhtml", ".cgi"];
    let is_one = !value.contains(char::is_whitespace);
    is_one
        && (starts.iter().any(|start| value.starts_with(start)) || ends.iter().any(|end| name.ends_with(end)))
}

/// A form, and what it would send.
#[derive(Debug)]
pub(super) struct PageForm {
    node: NodeId,
    end: usize,
    /// Names and values of fields that nobody has to fill in. Selects are among them, with their nodes.
    fields: Vec<FormField>,
    is_get: bool,
    /// What is filled in for the next page if nothing but the number of a page is asked for: "Go to page [ ] of 9".
    pub(super) next_number: Option<u32>,
    /// `true` if the reader has anything else to fill in or to choose, or if the form is too large to tell.
    asks: bool,
    has_submit: bool,
}

#[derive(Debug)]
struct FormField {
    node: NodeId,
    name: String,
    value: String,
}

impl PageForm {
    pub(super) fn of(page: &Page, node: NodeId) -> PageForm {
        let method = page.attribute(node, "method").unwrap_or("get");
        let mut form = PageForm {
            node,
            end: page.subtree_end(node),
            fields: Vec::new(),
            is_get: trim(method).eq_ignore_ascii_case("get"),
            next_number: None,
            asks: page.subtree_end(node) - node.index() > MAX_FORM_NODES,
            has_submit: false,
        };
        let mut number = None;
        for inner in page.subtree(node).take(MAX_FORM_NODES) {
            match page.known_tag(inner) {
                Tag::Input if asks_for_page(page, inner) && number.is_none() => number = Some(inner),
                Tag::Input => form.read_input(page, inner),
                Tag::Textarea => form.asks = true,
                Tag::Button => form.has_submit |= submits(page, inner),
                Tag::Select => form.read_select(page, inner),
                _ => {}
            }
        }
        if let Some(field) = number.filter(|_| !form.asks) {
            form.next_number = form.number_after(page, field);
            form.asks = form.next_number.is_none();
            form.push(page, field, &form.next_number.unwrap_or_default().to_string());
        }
        form.asks |= form.fields.len() > MAX_FIELDS;
        form
    }

    fn read_input(&mut self, page: &Page, node: NodeId) {
        if page.value(node, Attr::Disabled).is_some() {
            return;
        }
        match input_type(page, node) {
            InputType::Hidden => self.push(page, node, page.value(node, Attr::Value).unwrap_or_default()),
            InputType::Submit => self.has_submit = true,
            InputType::Button => {}
            InputType::Line | InputType::Asks => self.asks = true,
        }
    }

    fn read_select(&mut self, page: &Page, node: NodeId) {
        let (mut first, mut selected) = (None, None);
        for option in options(page, node) {
            first = first.or(Some(option));
            if page.attribute(option, "selected").is_some() {
                selected = Some(option);
            }
        }
        let value = selected.or(first).map(|option| value_of_option(page, option)).unwrap_or_default();
        self.push(page, node, &value);
    }

    fn push(&mut self, page: &Page, node: NodeId, value: &str) {
        let name = page.value(node, Attr::Name).unwrap_or_default();
        if name.is_empty() || self.fields.len() > MAX_FIELDS {
            return;
        }
        self.asks |= value.len() > MAX_VALUE || name.len() > MAX_VALUE;
        self.fields.push(FormField { node, name: name.to_owned(), value: value.to_owned() });
    }

    /// Returns `true` if it can be sent without a reader.
    fn is_usable(&self) -> bool {
        self.is_get && !self.asks
    }

    /// Returns `true` if a button alone sends it, whatever its method.
    pub(super) fn needs_no_reader(&self) -> bool {
        !self.asks
    }

    /// Returns the number of the next page, if there is one: the form says how many there are.
    fn number_after(&self, page: &Page, field: NodeId) -> Option<u32> {
        let name = page.value(field, Attr::Name)?;
        let in_address = page.url().query_pairs().find(|(key, _)| key == name);
        let own = in_address.map_or(Some(1), |(_, number)| number.parse().ok())?;
        let most = page.attribute(field, "max").and_then(|most| trim(most).parse().ok());
        let most: u32 = most.or_else(|| only_number(&page.text(self.node)))?;
        (own < most).then_some(own + 1)
    }

    /// Returns the address of a button.
    pub(super) fn address_of_button(&self, page: &Page, button: NodeId) -> Option<Url> {
        let method = page.attribute(button, "formmethod").map(trim);
        let is_get = method.map_or(self.is_get, |method| method.eq_ignore_ascii_case("get"));
        if !is_get || self.asks || page.value(button, Attr::Disabled).is_some() {
            return None;
        }
        let action = page.attribute(button, "formaction").or_else(|| page.value(self.node, Attr::Action));
        let name = page.value(button, Attr::Name).filter(|name| !name.is_empty());
        let is_image = page.value(button, Attr::Type).is_some_and(|kind| kind.eq_ignore_ascii_case("image"));
        // An image sends the place of the click, which no server needs to turn a page.
        let own = name
            .filter(|_| !is_image)
            .map(|name| (name, page.value(button, Attr::Value).unwrap_or_default()));
        self.address(page, action, None, own)
    }

    /// Returns the address of an option of one of its selects.
    fn address_of_option(&self, page: &Page, select: NodeId, value: &str) -> Option<Url> {
        let name = page.value(select, Attr::Name).filter(|name| !name.is_empty())?;
        let sends = self.has_submit || !page.attribute(select, "onchange").unwrap_or_default().is_empty();
        if !self.is_usable() || !sends {
            return None;
        }
        self.address(page, page.value(self.node, Attr::Action), Some(select), Some((name, value)))
    }

    fn address(
        &self,
        page: &Page,
        action: Option<&str>,
        without: Option<NodeId>,
        own: Option<(&str, &str)>,
    ) -> Option<Url> {
        let action = action.map(trim).filter(|action| !action.is_empty());
        let mut url = match action {
            Some(action) => page.resolve(action)?,
            None => page.url().clone(),
        };
        let fields = self.fields.iter().filter(|field| Some(field.node) != without);
        let fields = fields.map(|field| (field.name.as_str(), field.value.as_str()));
        // The fields replace the query of the action.
        url.set_query(None);
        url.query_pairs_mut().extend_pairs(fields.chain(own));
        if url.query() == Some("") {
            url.set_query(None);
        }
        Some(url)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputType {
    Hidden,
    Submit,
    /// It does nothing without a script.
    Button,
    /// A line of text, or a number.
    Line,
    Asks,
}

fn input_type(page: &Page, node: NodeId) -> InputType {
    let kind = page.value(node, Attr::Type).map(trim).unwrap_or_default();
    let is = |name: &str| kind.eq_ignore_ascii_case(name);
    if is("hidden") {
        InputType::Hidden
    } else if is("submit") || is("image") {
        InputType::Submit
    } else if is("button") || is("reset") {
        InputType::Button
    } else if kind.is_empty() || is("text") || is("number") {
        InputType::Line
    } else {
        InputType::Asks
    }
}

/// Returns `true` for a field to write the number of a page in.
fn asks_for_page(page: &Page, node: NodeId) -> bool {
    input_type(page, node) == InputType::Line
        && page.value(node, Attr::Disabled).is_none()
        && page.value(node, Attr::Name).is_some_and(is_page_word)
}

/// Returns the number in a text, if there is one only.
fn only_number(text: &str) -> Option<u32> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let number = numbers.next()?.parse().ok();
    number.filter(|_| numbers.next().is_none())
}

/// Returns `true` for a button that sends its form.
fn submits(page: &Page, node: NodeId) -> bool {
    page.value(node, Attr::Type).is_none_or(|kind| {
        let kind = trim(kind);
        !kind.eq_ignore_ascii_case("button") && !kind.eq_ignore_ascii_case("reset")
    })
}

/// Returns `true` for an element that sends the form around it: a button, or an input of that type.
pub(super) fn is_submit(page: &Page, node: NodeId) -> bool {
    match page.known_tag(node) {
        Tag::Button => submits(page, node),
        Tag::Input => input_type(page, node) == InputType::Submit,
        _ => false,
    }
}

/// Returns the label of an input: its value, or that of its picture.
pub(super) fn label_of_input(page: &Page, node: NodeId) -> &str {
    let is_image = page.value(node, Attr::Type).is_some_and(|kind| kind.eq_ignore_ascii_case("image"));
    let value = page.value(node, Attr::Value).filter(|_| !is_image);
    value.or_else(|| page.value(node, Attr::Alt)).unwrap_or_default()
}

/// Returns the label of an option.
pub(super) fn label_of_option(page: &Page, node: NodeId) -> String {
    match page.attribute(node, "label").filter(|label| !label.is_empty()) {
        Some(label) => label.to_owned(),
        None => page.text(node),
    }
}

fn value_of_option(page: &Page, node: NodeId) -> String {
    match page.value(node, Attr::Value) {
        Some(value) => trim(value).to_owned(),
        None => trim(&page.text(node)).to_owned(),
    }
}

/// The forms of a page, in document order.
#[derive(Debug, Default)]
pub(super) struct PageForms(Vec<PageForm>);

impl PageForms {
    pub(super) fn push(&mut self, page: &Page, node: NodeId) {
        // A form within a form is no form of its own.
        if self.0.last().is_none_or(|last| last.end <= node.index()) {
            self.0.push(PageForm::of(page, node));
        }
    }

    /// Returns the form around a node.
    pub(super) fn around(&self, node: NodeId) -> Option<&PageForm> {
        let at = self.0.partition_point(|form| form.node <= node).checked_sub(1)?;
        self.0.get(at).filter(|form| node.index() < form.end)
    }
}

/// Returns the address that an option leads to; `None` for a prompt ("Go to page …").
pub(super) fn address_of_option(page: &Page, forms: &PageForms, option: NodeId) -> Option<String> {
    let value = value_of_option(page, option);
    if is_prompt(&value) {
        return None;
    }
    if looks_like_address(&value) {
        return Some(value);
    }
    let select = page.ancestors(option).take(2).find(|node| page.is_tag(*node, Tag::Select))?;
    if let Some((before, after)) = around_value(page, select) {
        return is_part(&value).then(|| format!("{before}{value}{after}"));
    }
    let url = forms.around(select)?.address_of_option(page, select, words::cut(&value, MAX_VALUE))?;
    Some(url.into())
}

/// Returns what a script of the select puts before and after the value to open a page:
/// `location = '/book/' + this.options[this.selectedIndex].value + '/text'`.
fn around_value(page: &Page, select: NodeId) -> Option<(&str, &str)> {
    let (before, rest) = opened(page.attribute(select, "onchange")?)?;
    let value = rest.trim_start().strip_prefix('+')?;
    let end = value.find(['+', ';', ',']).unwrap_or(value.len());
    let (value, rest) = value.split_at(end);
    let names_value = value.trim_end_matches([')', ' ']).ends_with("value")
        || value.contains("selectedIndex") && value.trim_end().ends_with(']');
    let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._[]() ".contains(&byte));
    if !names_value || !is_plain || !looks_like_address(before) {
        return None;
    }
    match rest.strip_prefix('+') {
        Some(rest) => {
            let (after, rest) = quoted(rest.trim_start_matches(' '))?;
            (!rest.trim_start().starts_with('+')).then_some((before, after))
        }
        None => Some((before, "")),
    }
}

/// Returns the first string that a script opens as an address, and what follows it: `location.href='/2'`.
pub(super) fn opened(script: &str) -> Option<(&str, &str)> {
    let (_, after) = words::cut(script, MAX_SCRIPT).split_once("location")?;
    let (between, string) = after.split_at(after.find(['\'', '"'])?);
    // Between the word and the address, allow only `.href =`, `.assign(` and the like.
    let is_plain = between.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'.' | b'=' | b'(' | b' '));
    if is_plain && between.contains(['=', '(']) { quoted(string) } else { None }
}

/// Returns the string that a script begins with, and what follows it.
fn quoted(script: &str) -> Option<(&str, &str)> {
    let quote = script.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    script[1..].split_once(quote)
}

/// Returns `true` for a value that is a part of an address: a number, a word.
fn is_part(value: &str) -> bool {
    value.len() <= MAX_PART
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn is_prompt(value: &str) -> bool {
    matches!(value, "" | "#" | "-1")
}

/// Returns `true` if choosing an option of a select opens a page: all values are addresses, or the select is the field of
/// a form that can be sent.
pub(super) fn leads_on(page: &Page, forms: &PageForms, select: NodeId) -> bool {
    let is_several = page.attribute(select, "multiple").is_some();
    if is_several || page.value(select, Attr::Disabled).is_some() {
        return false;
    }
    let values =
        options(page, select).map(|option| value_of_option(page, option)).filter(|value| !is_prompt(value));
    let is_scripted = around_value(page, select).is_some();
    let (mut count, mut addresses) = (0, 0);
    for value in values {
        count += 1;
        addresses += usize::from(looks_like_address(&value) || is_scripted && is_part(&value));
    }
    let has_form =
        || forms.around(select).is_some_and(|form| form.address_of_option(page, select, "1").is_some());
    count > 1 && (addresses == count || (addresses == 0 && has_form()))
}

/// Returns the options of a select that are followed.
pub(super) fn options(page: &Page, select: NodeId) -> impl Iterator<Item = NodeId> {
    page.subtree(select).filter(|node| page.is_tag(*node, Tag::Option)).take(MAX_OPTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Described, LinkSurvey};

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/weir?x=1".parse().unwrap())
    }

    /// The candidates of a page, without the start of their addresses.
    fn candidates(html: &str) -> Vec<String> {
        let urls = Described::of(&page(html)).urls;
        urls.iter().map(|url| url.as_str().trim_start_matches("https://a.test").to_owned()).collect()
    }

    #[test]
    fn options_with_addresses_lead_on() {
        for html in [
            "<select onchange='location=this.value'><option value=/a selected>1<option value=/b>2</select>",
            "<select><option value=''>Go to …<option value=https://a.test/a>Weirs<option value=/b>Mills</select>",
            "<select><optgroup label=x><option value='../a'>A<option value=./b>B</optgroup></select>",
        ] {
            assert_eq!(candidates(html), ["/a", "/b"], "{html}");
        }
        assert_eq!(
            candidates("<select><option value='?p=1'>1<option value='?p=2'>2</select>"),
            ["/weir?p=1", "/weir?p=2"]
        );
        for html in [
            "<select><option>1<option>2</select>",
            "<select><option value=/a>One</select>",
            "<select><option value=/a>A<option value=other>B</select>",
            "<select multiple><option value=/a>A<option value=/b>B</select>",
            "<select disabled><option value=/a>A<option value=/b>B</select>",
            "<select><option value=https://b.test/a>A<option value=https://c.test/b>B</select>",
        ] {
            assert_eq!(candidates(html), [""; 0], "{html}");
        }
    }

    #[test]
    fn selects_whose_script_makes_an_address_lead_on() {
        let select = |script: &str| {
            format!(
                "<select onchange=\"{script}\"><option value=''>Go<option value=1>1<option value=2>2</select>"
            )
        };
        for (script, to) in [
            ("location = '/s/' + this.value", ["/s/1", "/s/2"]),
            (
                "self.location='/s/'+ this.options[this.selectedIndex].value + '/weir';",
                ["/s/1/weir", "/s/2/weir"],
            ),
            (
                "window.location.href = '?p=' + this.options[this.selectedIndex].value;",
                ["/weir?p=1", "/weir?p=2"],
            ),
            ("location.assign('/s/' + this[this.selectedIndex].value)", ["/s/1", "/s/2"]),
        ] {
            assert_eq!(candidates(&select(script)), to, "{script}");
        }
        for script in [
            "location = '/s/' + id + this.value",
            "location = '/s/' + this.value + '/' + id",
            "location = '/s/' + code(this.value) + x",
            "location = '/s/' + id",
            "location = 's' + this.value",
            "location = here + '/s/' + this.value",
            "go('/s/' + this.value)",
            "location = '/s/",
        ] {
            assert_eq!(candidates(&select(script)), [""; 0], "{script}");
        }
        let words =
            "<select onchange=\"location='/s/'+this.value\"><option value='a b'>1<option value=2>2</select>";
        assert_eq!(candidates(words), [""; 0]);
    }

    #[test]
    fn selects_of_forms_lead_on() {
        let options = "<option value=1>1<option value=2 selected>2<option value=3>3</select>";
        let form = |start: &str, rest: &str| {
            format!(
                "<form {start}<input type=hidden name=id value=7><select name=p {options}{rest}</form>",
                options = format_args!(">{options}")
            )
        };
        let found = ["/read?id=7&p=1", "/read?id=7&p=2", "/read?id=7&p=3"];
        assert_eq!(candidates(&form("action=/read>", "<button>Go</button>"))[..3], found);
        assert_eq!(candidates(&form("action='/read?old=1'>", "<input type=submit value=Go>"))[..3], found);
        for html in [
            form("action=/read>", ""),
            form("action=/read method=post>", "<button>Go</button>"),
            form("action=/read>", "<input name=q><button>Go</button>"),
        ] {
            assert_eq!(candidates(&html), [""; 0], "{html}");
        }
    }

    #[test]
    fn buttons_of_forms_lead_on() {
        for (html, to) in [
            ("<form action=/b><button>Next</button></form>", "/b"),
            ("<form action=/b><input type=submit value='Next »'></form>", "/b"),
            ("<form action=/b><input type=image alt=Next src=n.png></form>", "/b"),
            ("<form><input type=hidden name=p value=2><input type=submit value=Next></form>", "/weir?p=2"),
            ("<form method=GET action=/b?c=d><button name=p value='2 3'>2</button></form>", "/b?p=2+3"),
            ("<form action=/b><button name=p value=2 formaction=/c>2</button></form>", "/c?p=2"),
            ("<form action=/b method=post><button formmethod=get>2</button></form>", "/b"),
        ] {
            assert_eq!(candidates(html), [to], "{html}");
        }
        for html in [
            "<form action=/b>Page <input name=page> of 3 <button>Go</button></form>",
            "<form action=/b><input type=hidden name=id value=7><input type=number name=page max=3><input type=submit value=Go></form>",
        ] {
            let to = candidates(html);
            assert!(to.len() == 1 && to[0].ends_with("page=2"), "{html}: {to:?}");
        }
        for html in [
            "<form action=/b>Page <input name=page> of 1 <button>Go</button></form>",
            "<form action=/b>Page <input name=page> <button>Go</button></form>",
            "<form action=/b>Page <input name=page> of 3, 9 lines each <button>Go</button></form>",
            "<form action=/b method=post>Page <input name=page> of 3 <button>Go</button></form>",
            "<form action=/b>Find <input name=q> on page <input name=page> of 3 <button>Go</button></form>",
            "<form action=/b>Code <input name=code> of 3 <button>Go</button></form>",
            "<form action=/b method=post><button>Next</button></form>",
            "<form action=/b><input name=q><button>Search</button></form>",
            "<form action=/b><input type=number name=p value=2><button>Go</button></form>",
            "<form action=/b><label><input type=checkbox name=x>New</label><button>Filter</button></form>",
            "<form action=/b><button type=button>Next</button></form>",
            "<form action=/b><button disabled>Next</button></form>",
            "<form action=https://b.test/><button>Next</button></form>",
            "<button>Next</button>",
        ] {
            assert_eq!(candidates(html), [""; 0], "{html}");
        }
    }

    #[test]
    fn a_form_that_is_too_large_is_not_followed() {
        let fields = "<input type=hidden name=a value=b>".repeat(2 * MAX_FIELDS);
        assert_eq!(candidates(&format!("<form action=/b>{fields}<button>Next</button></form>")), [""; 0]);
        let many = "<b>".repeat(MAX_FORM_NODES);
        assert_eq!(candidates(&format!("<form action=/b><button>Next</button>{many}</form>")), [""; 0]);
    }

    #[test]
    fn what_is_followed_needs_no_script() {
        let told = |html: &str| LinkSurvey::of(&page(html)).unfollowable().is_some();
        for html in [
            "<p>Text.</p><div class=pagination><form action=/b><button>Next page</button></form></div>",
            "<p>Text.</p><form action=/b><input type=submit value='Next page'></form>",
        ] {
            assert!(!told(html), "{html}");
        }
        for html in [
            "<p>Text.</p><div class=pagination><form action=/b method=post><button>Next</button></form></div>",
            "<p>Text.</p><form action=/b method=post><input type=submit value='Next page'></form>",
            "<p>Text.</p><form action=/b method=post><input type=submit value='Next »'></form>",
            "<p>Text.</p><form method=post><input type=image alt='Next page' src=n.png></form>",
            "<p>Text.</p><select onchange='go(this)'><option value=1>Page 1<option value=2>Page 2</select>",
        ] {
            assert!(told(html), "{html}");
        }
        for html in [
            "<p>Text.</p><form method=post><input name=mail><input type=submit value='Next'></form>",
            "<p>Text.</p><select name=amount><option value=1>1<option value=2>2</select>",
            "<p>Text.</p><select onchange='go(this)'><option value=1>Page 1<option value=2 selected>Page 2</select>",
        ] {
            assert!(!told(html), "{html}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_form_is_read(html in "(<(form|form action=/b|/form|select name=s|/select|option|option value=/a selected|optgroup|button name=b value=c|input|input type=hidden name=h value=v|input type=submit value=Next)>|x|[0-9]){0,24}") {
            let page = page(&html);
            let survey = LinkSurvey::of(&page);
            let _ = (survey.unfollowable(), survey.said_pages(), survey.elsewhere(), Described::of(&page).urls);
        }
    }
}
