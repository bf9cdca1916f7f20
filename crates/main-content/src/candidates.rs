//! Candidate answers, one of which is chosen.

use super::block::TextBlock;
use super::columns::kinds;
use super::context::{PageContext, share};
use super::decode::{DecodeParams, Decoder, OUT, ScoreCut, Taken};
use super::regions as r;
use std::ops::Range as Span;
use std::sync::LazyLock;
use tsugi_page::NodeId;
use tsugi_scoring::{Column, Matrix, MatrixError, Schema};

/// A whole answer: nodes, and the parts left out of them.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateAnswer {
    /// The answer.
    pub taken: Taken,
    /// How it was made.
    pub origin: Origin,
    /// Its text nodes, as ranges of [`TextBlocks::texts`](super::block::TextBlocks::texts).
    pub texts: Vec<Span<usize>>,
}

impl CandidateAnswer {
    pub(crate) fn has_text_of(&self, block: &TextBlock) -> bool {
        let before = self.texts.partition_point(|span| span.end <= block.texts().start);
        self.texts.get(before).is_some_and(|span| span.start < block.texts().end)
    }
}

/// How a candidate was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Origin {
    /// By the decoder, with a factor for the cut and a cost per node.
    Decoded {
        /// The factor.
        cut: f32,
        /// The cost.
        start: f32,
    },
    /// One whole element.
    Element,
    /// One element without the parts that the decoder leaves out.
    Pruned,
    /// All similar siblings.
    Siblings,
    /// The decoder's answer, cut before a line that may end the article.
    Cut,
}

/// The decoder's settings for candidates: factor of the cut, cost of a node, cost of a part left out.
const SETTINGS: [(f32, f32, f32); 9] = [
    (1.0, 0.01, 0.001),
    (1.0, 0.002, 0.0),
    (1.0, 0.04, 0.02),
    (0.6, 0.01, 0.002),
    (0.8, 0.02, 0.005),
    (1.2, 0.005, 0.001),
    (1.4, 0.01, 0.001),
    (1.4, 0.04, 0.02),
    (0.3, 0.02, 0.01),
];

/// Number of single elements, and of groups of siblings, that become candidates.
const ELEMENTS: usize = 6;
const GROUPS: usize = 3;

/// A candidate replaces the decoder's answer only if its expected F is better by this margin.
///
/// CHOICE: cross-validated by site, token F on WCXB was .871 with 0, .872 with .02, .873 with .04 and .871 with .15;
/// it changed as little elsewhere.
const MARGIN: f32 = 0.03;

/// Returns the index of the candidate to choose by expected F; the first candidate is the decoder's answer.
///
/// # Examples
///
/// ```
/// use tsugi_main_content::choose;
/// assert_eq!(choose(&[0.8, 0.81, 0.2]), Some(0), "hardly better");
/// assert_eq!(choose(&[0.8, 0.9, 0.9]), Some(1), "the first of equals");
/// assert_eq!(choose(&[]), None);
/// ```
pub fn choose(expected: &[f32]) -> Option<usize> {
    let first = *expected.first()?;
    let best = (0..expected.len()).rev().max_by(|a, b| expected[*a].total_cmp(&expected[*b]))?;
    Some(if expected[best] > first + MARGIN { best } else { 0 })
}

#[derive(Debug, Clone, Copy, Default)]
struct Mass {
    tokens: f64,
    content: f64,
    doubt: f64,
    link: f64,
    prose: f64,
    blocks: f64,
    markup: f64,
    /// After a line that heads comments, and after one that heads related texts.
    tails: [f64; 2],
    regions: [f64; REGIONS.len()],
}

const REGIONS: [r::Regions; 8] = [
    r::MAIN,
    r::ARTICLE,
    r::HEADER | r::NAV,
    r::FOOTER,
    r::ASIDE,
    r::FORM | r::CONTROL | r::CHOICE,
    r::HIDDEN,
    r::LIST,
];

impl Mass {
    /// Returns the share of a part in the words.
    fn share(&self, part_of: impl Fn(&Mass) -> f64) -> f64 {
        part(part_of(self), self.tokens)
    }

    fn markup_per_word(&self) -> f64 {
        self.markup / self.tokens.max(1.0)
    }

    fn add(&mut self, other: &Mass, sign: f64) {
        self.tokens += sign * other.tokens;
        self.content += sign * other.content;
        self.doubt += sign * other.doubt;
        self.link += sign * other.link;
        self.prose += sign * other.prose;
        self.blocks += sign * other.blocks;
        self.markup += sign * other.markup;
        let own = self.tails.iter_mut().chain(&mut self.regions);
        for (own, other) in own.zip(other.tails.iter().chain(&other.regions)) {
            *own += sign * other;
        }
    }
}

/// Tokens and expected content before each text node.
struct ContentSums {
    before: Vec<(f64, f64)>,
}

impl ContentSums {
    fn of(context: &PageContext<'_>, scores: &[f32]) -> ContentSums {
        let blocks = context.blocks();
        let mut before = Vec::with_capacity(blocks.texts.len() + 1);
        let mut sum = (0.0, 0.0);
        before.push(sum);
        for (block, score) in blocks.blocks.iter().zip(scores) {
            for text in block.texts() {
                let tokens = f64::from(blocks.tokens[text]);
                sum = (sum.0 + tokens, sum.1 + tokens * f64::from(*score));
                before.push(sum);
            }
        }
        ContentSums { before }
    }

    fn inside(&self, (from, to): (usize, usize)) -> (f64, f64) {
        (self.before[to].0 - self.before[from].0, self.before[to].1 - self.before[from].1)
    }

    fn expected_f(&self, (tokens, content): (f64, f64)) -> f64 {
        expected_f(tokens, content, self.before[self.before.len() - 1].1)
    }

    /// The last tenth of an answer's tokens, last texts first.
    fn last_tenth(&self, texts: &[Span<usize>]) -> Vec<Span<usize>> {
        let tokens = |span: &Span<usize>| self.inside((span.start, span.end)).0;
        let mut left = texts.iter().map(tokens).sum::<f64>() / 10.0;
        let mut end = Vec::new();
        for span in texts.iter().rev() {
            let before = &self.before[span.start..=span.end];
            let to = before[before.len() - 1].0;
            let from = before.partition_point(|(tokens, _)| *tokens <= to - left).saturating_sub(1);
            let last = span.start + from..span.end;
            left -= tokens(&last);
            end.push(last);
            if left <= 0.0 {
                break;
            }
        }
        end
    }
}

/// Returns the ends of all spans that are summed: candidates, parts left out, last tenths, the page.
fn places_of(
    context: &PageContext<'_>,
    candidates: &[CandidateAnswer],
    last_tenths: &[Vec<Span<usize>>],
) -> Vec<usize> {
    let mut places = vec![context.blocks().texts.len()];
    for (candidate, last_tenth) in candidates.iter().zip(last_tenths) {
        places.extend(candidate.texts.iter().chain(last_tenth).flat_map(|span| [span.start, span.end]));
        let without = candidate.taken.without.iter().map(|node| context.texts_inside(*node));
        places.extend(without.flat_map(|(from, to)| [from, to]));
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Block scores, summed up to the few places at which candidates begin and end: a page may have a million text nodes.
struct Scores<'a> {
    context: &'a PageContext<'a>,
    places: Vec<usize>,
    /// For each of the rising `places`, the last of which is the number of text nodes: the sums before it.
    before: Vec<Mass>,
    cut: ScoreCut,
}

impl<'a> Scores<'a> {
    fn of(
        context: &'a PageContext<'a>,
        (scores, markup): (&[f32], &[f32]),
        candidates: &[CandidateAnswer],
        last_tenths: &[Vec<Span<usize>>],
        cut: ScoreCut,
    ) -> Self {
        let blocks = context.blocks();
        let places = places_of(context, candidates, last_tenths);
        let mut before = Vec::with_capacity(places.len());
        let mut sum = Mass::default();
        let mut ahead = places.iter().copied().peekable();
        for (at, block) in blocks.blocks.iter().enumerate() {
            let score = f64::from(scores[at]);
            let regions = context.regions(block.inner);
            let linked = f64::from(share(block.link_tokens, block.counts.tokens));
            let after = context.is_after_tail(at);
            for text in block.texts() {
                if ahead.next_if_eq(&text).is_some() {
                    before.push(sum);
                }
                let tokens = f64::from(blocks.tokens[text]);
                let own = Mass {
                    tokens,
                    content: tokens * score,
                    doubt: tokens * score * (1.0 - score),
                    link: tokens * linked,
                    prose: if context.is_prose(at) { tokens } else { 0.0 },
                    blocks: if text == block.texts().start { 1.0 } else { 0.0 },
                    markup: tokens * f64::from(markup[at]),
                    tails: after.map(|after| if after { tokens } else { 0.0 }),
                    regions: REGIONS.map(|region| if regions & region == 0 { 0.0 } else { tokens }),
                };
                sum.add(&own, 1.0);
            }
        }
        before.push(sum);
        Scores { context, places, before, cut }
    }

    fn before(&self, place: usize) -> &Mass {
        &self.before[self.places.partition_point(|known| *known < place)]
    }

    fn whole(&self) -> &Mass {
        &self.before[self.before.len() - 1]
    }

    fn span(&self, span: &Span<usize>) -> Mass {
        let mut mass = *self.before(span.end);
        mass.add(self.before(span.start), -1.0);
        mass
    }

    fn mass(&self, spans: &[Span<usize>]) -> Mass {
        let mut mass = Mass::default();
        for span in spans {
            mass.add(&self.span(span), 1.0);
        }
        mass
    }

    fn rest(&self, mass: &Mass) -> Mass {
        let mut rest = *self.whole();
        rest.add(mass, -1.0);
        rest
    }

    fn left_out(&self, candidate: &CandidateAnswer) -> Mass {
        let mut mass = Mass::default();
        for node in &candidate.taken.without {
            let (from, to) = self.context.texts_inside(*node);
            mass.add(&self.span(&(from..to)), 1.0);
        }
        mass
    }

    fn expected_f(&self, mass: &Mass) -> f64 {
        expected_f(mass.tokens, mass.content, self.whole().content)
    }
}

fn expected_f(tokens: f64, content: f64, content_of_page: f64) -> f64 {
    let total = tokens + content_of_page;
    if total > 0.0 { 2.0 * content / total } else { 0.0 }
}

fn spans(context: &PageContext<'_>, taken: &Taken) -> Vec<Span<usize>> {
    let mut spans = Vec::with_capacity(taken.nodes.len() + taken.without.len());
    let mut without = taken.without.iter().peekable();
    for node in &taken.nodes {
        let (mut from, end) = context.texts_inside(*node);
        while let Some(part) = without.next_if(|part| context.page().contains(*node, **part)) {
            let (start, stop) = context.texts_inside(*part);
            if from < start {
                spans.push(from..start);
            }
            from = stop;
        }
        if from < end {
            spans.push(from..end);
        }
    }
    spans
}

/// Returns the candidates of a page and their columns; the first is the decoder's answer.
///
/// `scores` are the probabilities of blocks, `markup` their linear scores of names.
///
/// # Errors
///
/// [`MatrixError`] if a value is not finite, which no page can cause.
///
/// # Cost
///
/// A bounded number of passes over the nodes.
pub fn candidates(
    context: &PageContext<'_>,
    scores: &[f32],
    markup: &[f32],
) -> Result<(Vec<CandidateAnswer>, Matrix<CandidateColumns>), MatrixError> {
    let decoder = Decoder::new(context, scores);
    let content = ContentSums::of(context, scores);
    let found = gather(context, &decoder, &content);
    let last_tenths: Vec<_> = found.iter().map(|candidate| content.last_tenth(&candidate.texts)).collect();
    let summed = Scores::of(context, (scores, markup), &found, &last_tenths, decoder.cut);
    let rows = candidate_rows(&summed, scores, &found, &last_tenths)?;
    Ok((found, rows))
}

fn gather(context: &PageContext<'_>, decoder: &Decoder<'_>, content: &ContentSums) -> Vec<CandidateAnswer> {
    let mut found: Vec<CandidateAnswer> = Vec::new();
    let settings = SETTINGS.map(|(cut_factor, start, leave)| DecodeParams { cut_factor, start, leave });
    for (taken, params) in decoder.decode(&settings).into_iter().zip(settings) {
        add(&mut found, context, taken, Origin::Decoded { cut: params.cut_factor, start: params.start });
    }
    let worths = decoder.worths(PRUNED_PART);
    for node in best_elements(context, content) {
        add(&mut found, context, Taken { nodes: vec![node], without: Vec::new() }, Origin::Element);
        let without = decoder.prune(node, PRUNED_PART, &worths);
        add(&mut found, context, Taken { nodes: vec![node], without }, Origin::Pruned);
    }
    for nodes in best_groups(context, content) {
        add(&mut found, context, Taken { nodes, without: Vec::new() }, Origin::Siblings);
    }
    for taken in cut_answers(context, found.first(), decoder.cut.value) {
        add(&mut found, context, taken, Origin::Cut);
    }
    found
}

fn add(found: &mut Vec<CandidateAnswer>, context: &PageContext<'_>, taken: Taken, origin: Origin) {
    let texts = spans(context, &taken);
    if !texts.is_empty() && found.iter().all(|other| other.texts != texts) {
        found.push(CandidateAnswer { taken, origin, texts });
    }
}

/// The least share of the answer's words that come before a cut, for heads of comments and of related texts.
const BEFORE_CUT: [f64; 2] = [0.3, 0.5];

fn cut_answers(context: &PageContext<'_>, answer: Option<&CandidateAnswer>, cut: f64) -> Vec<Taken> {
    let Some(answer) = answer else { return Vec::new() };
    let blocks = &context.blocks().blocks;
    // Each block of the answer, with its tokens.
    let taken = blocks.iter().enumerate().filter(|(_, block)| answer.has_text_of(block));
    let taken: Vec<(usize, f64)> = taken.map(|(at, block)| (at, f64::from(block.counts.tokens))).collect();
    let all: f64 = taken.iter().map(|(_, tokens)| tokens).sum();
    let mut ends: Vec<usize> = Vec::new();
    for (kind, least) in BEFORE_CUT.into_iter().enumerate() {
        let mut before = 0.0;
        for (at, tokens) in &taken {
            if before >= least * all && context.is_tail(*at, kind) && !ends.contains(at) {
                ends.push(*at);
                break;
            }
            before += tokens;
        }
    }
    let mut answers = Vec::with_capacity(ends.len());
    for end in ends {
        let mut scores = vec![OUT; blocks.len()];
        for (at, _) in taken.iter().filter(|(at, _)| *at < end) {
            scores[*at] = 1.0;
        }
        let [answer] = Decoder::with_cut(context, &scores, cut).decode(&[CUT_OFF]);
        answers.push(answer);
    }
    answers
}

const CUT_OFF: DecodeParams = DecodeParams { cut_factor: 1.0, start: 0.002, leave: 0.0 };

const PRUNED_PART: f64 = 0.002;

/// Returns the elements with the best expected F; of those with equal text, the innermost.
fn best_elements(context: &PageContext<'_>, content: &ContentSums) -> Vec<NodeId> {
    let mut best: Vec<(f64, NodeId)> = Vec::new();
    for id in context.with_text.iter().copied() {
        let texts = context.texts_inside(id);
        let f = content.expected_f(content.inside(texts));
        if best.len() == ELEMENTS && best.last().is_some_and(|(worst, _)| f < *worst) {
            continue;
        }
        let is_equal = |other: &(f64, NodeId)| other.0 == f && context.texts_inside(other.1) == texts;
        if let Some(equal) = best.iter_mut().find(|other| is_equal(other)) {
            equal.1 = id;
            continue;
        }
        if best.len() < ELEMENTS || best.last().is_some_and(|(worst, _)| f > *worst) {
            best.push((f, id));
            best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            best.truncate(ELEMENTS);
        }
    }
    best.into_iter().map(|(_, id)| id).collect()
}

fn best_groups(context: &PageContext<'_>, content: &ContentSums) -> Vec<Vec<NodeId>> {
    let mut masses = vec![(0.0, 0.0); context.groups.len()];
    let with_group = || context.with_text.iter().filter_map(|id| Some((*id, context.groups.of(*id)?.group)));
    for (id, group) in with_group() {
        let (tokens, expected) = content.inside(context.texts_inside(id));
        masses[group] = (masses[group].0 + tokens, masses[group].1 + expected);
    }
    // The best comes first; on a tie, the earlier one.
    let mut best: Vec<(f64, usize)> = Vec::with_capacity(GROUPS + 1);
    for (group, mass) in masses.iter().enumerate() {
        if context.groups.get(group).size >= 2 {
            let f = content.expected_f(*mass);
            best.insert(best.partition_point(|(other, _)| f.total_cmp(other).is_le()), (f, group));
            best.truncate(GROUPS);
        }
    }
    let mut groups = vec![Vec::new(); best.len()];
    for (id, group) in with_group() {
        if let Some(place) = best.iter().position(|(_, one)| *one == group) {
            groups[place].push(id);
        }
    }
    groups
}

/// The columns of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct CandidateColumns;

impl Schema for CandidateColumns {
    const NAME: &'static str = "main-content/candidates";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| FEATURES.iter().map(|f| f.column).collect());
        &COLUMNS
    }
}

struct AnswerView<'a> {
    scores: &'a Scores<'a>,
    candidate: &'a CandidateAnswer,
    mass: Mass,
    /// Of the rest of the page, of the parts left out, and of the last tenth of the answer.
    rest: Mass,
    left_out: Mass,
    end: Mass,
    first: &'a CandidateAnswer,
    tokens_of_first: f64,
    /// The innermost element around the first and the last text.
    common: NodeId,
    best: f64,
    /// Scores of the blocks just before and after.
    before: f32,
    after: f32,
}

struct CandidateFeature {
    column: Column,
    of: fn(&AnswerView<'_>) -> f64,
}

macro_rules! features {
    ($($kind:ident $name:expr, $doc:expr, |$answer:ident| $value:expr;)*) => {
        &[$(CandidateFeature {
            column: kinds::$kind($name, $doc),
            of: |$answer| f64::from($value),
        }),*]
    };
}

fn part(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

impl AnswerView<'_> {
    fn whole(&self) -> &Mass {
        self.scores.whole()
    }

    fn like_first(&self) -> f64 {
        let (mut a, mut b, mut common) = (0, 0, 0.0);
        let (one, other) = (&self.candidate.texts, &self.first.texts);
        while a < one.len() && b < other.len() {
            let span = one[a].start.max(other[b].start)..one[a].end.min(other[b].end);
            if span.start < span.end {
                common += self.scores.span(&span).tokens;
            }
            if one[a].end < other[b].end { a += 1 } else { b += 1 }
        }
        part(2.0 * common, self.mass.tokens + self.tokens_of_first)
    }

    fn heading_inside(&self) -> bool {
        let context = self.scores.context;
        context.containers.heading.is_some_and(|heading| self.has_text(context.texts_inside(heading).0))
    }

    fn next_link_inside(&self) -> bool {
        let texts = self.scores.context.next_link().map(|next| self.scores.context.texts_inside(next));
        texts.is_some_and(|(at, end)| at < end && self.has_text(at))
    }

    fn has_text(&self, text: usize) -> bool {
        self.candidate.texts.iter().any(|span| span.contains(&text))
    }
}

static FEATURES: &[CandidateFeature] = features! {
    probability "expected_f", "expected F of the answer, by block scores",
        |c| c.scores.expected_f(&c.mass).min(1.0);
    probability "under_best", "expected F below that of the best answer",
        |c| (c.best - c.scores.expected_f(&c.mass)).clamp(0.0, 1.0);
    probability "mean_score", "mean block score of the answer's text",
        |c| part(c.mass.content, c.mass.tokens);
    probability "content", "share of the page's expected content in the answer",
        |c| part(c.mass.content, c.whole().content);
    probability "rest_score", "mean block score of the rest of the page",
        |c| c.rest.share(|rest| rest.content);
    probability "doubt", "doubt inside the answer", |c| part(4.0 * c.mass.doubt, c.mass.tokens);
    probability "rest_doubt", "doubt outside the answer, relative to the expected content",
        |c| part(4.0 * c.rest.doubt, c.whole().content);
    share "share", "share of the page's words in the answer", |c| part(c.mass.tokens, c.whole().tokens);
    count "tokens", "words in the answer", |c| c.mass.tokens;
    count "blocks", "blocks in the answer", |c| c.mass.blocks.max(0.0);
    count "nodes", "nodes in the answer", |c| c.candidate.taken.nodes.len() as f64;
    count "parts_left_out", "parts left out of the answer", |c| c.candidate.taken.without.len() as f64;
    ratio "left_out", "words left out per word of the answer",
        |c| c.left_out.tokens.max(0.0) / c.mass.tokens.max(1.0);
    probability "left_out_score", "mean block score of the text left out",
        |c| c.left_out.share(|out| out.content);
    probability "like_first", "overlap with the decoder's answer, as F", |c| c.like_first();
    flag "is_decoded", "answer {is|is not} from the decoder",
        |c| matches!(c.candidate.origin, Origin::Decoded { .. });
    flag "is_element", "answer {is|is not} one whole element",
        |c| c.candidate.taken.nodes.len() == 1 && c.candidate.taken.without.is_empty();
    flag "is_siblings", "answer {is|is not} a whole group of similar siblings",
        |c| c.candidate.origin == Origin::Siblings;
    flag "is_cut", "answer {is|is not} cut before a line that may end the article",
        |c| c.candidate.origin == Origin::Cut;
    share "after_comments", "share of the answer after a head of comments",
        |c| part(c.mass.tails[0], c.mass.tokens);
    share "rest_after_comments", "share of the rest of the page after a head of comments",
        |c| c.rest.share(|rest| rest.tails[0]);
    share "after_related", "share of the answer after a head of related texts",
        |c| part(c.mass.tails[1], c.mass.tokens);
    probability "end_score", "mean block score of the last tenth of the answer",
        |c| c.end.share(|end| end.content);
    share "end_prose", "share of words in prose, in the last tenth of the answer",
        |c| c.end.share(|end| end.prose);
    share "end_link_density", "share of words in links, in the last tenth of the answer",
        |c| c.end.share(|end| end.link);
    ratio "cut_factor", "decoder's factor for the cut (0: not from the decoder)",
        |c| if let Origin::Decoded { cut, .. } = c.candidate.origin { cut } else { 0.0 };
    ratio "start_cost", "decoder's cost of a node (0: not from the decoder)",
        |c| if let Origin::Decoded { start, .. } = c.candidate.origin { start } else { 0.0 };
    probability "page_cut", "best cut of the page", |c| c.scores.cut.value;
    probability "page_expected", "best expected F of the page, blocks chosen one by one",
        |c| c.scores.cut.expected_f.min(1.0);
    probability "page_score", "mean block score of the page", |c| part(c.whole().content, c.whole().tokens);
    probability "page_doubt", "doubt of the page, relative to its expected content",
        |c| part(4.0 * c.whole().doubt, c.whole().content);
    count "page_tokens", "words on the page", |c| c.whole().tokens;
    share "link_density", "share of the answer's words in links", |c| part(c.mass.link, c.mass.tokens);
    share "rest_link_density", "share of words in links, in the rest of the page",
        |c| c.rest.share(|rest| rest.link);
    share "prose", "share of the answer's words in prose", |c| part(c.mass.prose, c.mass.tokens);
    share "of_prose", "share of the page's prose in the answer", |c| part(c.mass.prose, c.whole().prose);
    score "markup", "class names around the answer: {like|unlike} main content",
        |c| c.mass.markup_per_word();
    score "rest_markup", "class names around the rest of the page: {like|unlike} main content",
        |c| c.rest.markup_per_word();
    share "in_main", "share of the answer inside `main`", |c| part(c.mass.regions[0], c.mass.tokens);
    share "in_article", "share of the answer inside articles", |c| part(c.mass.regions[1], c.mass.tokens);
    share "in_header", "share of the answer inside headers or navigation",
        |c| part(c.mass.regions[2], c.mass.tokens);
    share "in_footer", "share of the answer inside the footer", |c| part(c.mass.regions[3], c.mass.tokens);
    share "in_aside", "share of the answer inside asides", |c| part(c.mass.regions[4], c.mass.tokens);
    share "in_controls", "share of the answer inside forms and controls",
        |c| part(c.mass.regions[5], c.mass.tokens);
    share "in_hidden", "share of the answer that is hidden", |c| part(c.mass.regions[6], c.mass.tokens);
    share "in_list", "share of the answer inside lists", |c| part(c.mass.regions[7], c.mass.tokens);
    share "of_main", "share of `main` in the answer", |c| part(c.mass.regions[0], c.whole().regions[0]);
    share "of_articles", "share of the page's articles in the answer",
        |c| part(c.mass.regions[1], c.whole().regions[1]);
    flag "heading_inside", "main heading {is|is not} in the answer", |c| c.heading_inside();
    edges "common_depth", "depth of the smallest element around the answer",
        |c| c.scores.context.page().depth(c.common);
    share "of_common", "share of the words of the smallest element around the answer that are in it",
        |c| part(c.mass.tokens, f64::from(c.scores.context.inside(c.common).tokens));
    probability "score_before", "score of the block before the answer", |c| c.before;
    probability "score_after", "score of the block after the answer", |c| c.after;
    page_kind "og_type", "og:type of the page (0 none, 1 website, 2 article, 3 product, 4 other)",
        |c| c.scores.context.hints.og_type;
    flag "says_article", "page {has|does not have} data of an article",
        |c| c.scores.context.hints.says_article;
    flag "says_product", "page {has|does not have} data of a product",
        |c| c.scores.context.hints.says_product;
    flag "says_list", "page {has|does not have} data of a list", |c| c.scores.context.hints.says_list;
    flag "says_forum", "page {has|does not have} data of a discussion", |c| c.scores.context.hints.says_forum;
    flag "has_next_link", "{a|no} next-page link on the page", |c| c.scores.context.next_link().is_some();
    flag "next_link_inside", "next-page link {is|is not} in the answer", |c| c.next_link_inside();
};

fn candidate_rows(
    summed: &Scores<'_>,
    scores: &[f32],
    candidates: &[CandidateAnswer],
    last_tenths: &[Vec<Span<usize>>],
) -> Result<Matrix<CandidateColumns>, MatrixError> {
    let context = summed.context;
    let mut rows = Matrix::with_capacity(candidates.len());
    let Some(first) = candidates.first() else { return Ok(rows) };
    let masses: Vec<Mass> = candidates.iter().map(|candidate| summed.mass(&candidate.texts)).collect();
    let best = masses.iter().map(|mass| summed.expected_f(mass)).fold(0.0, f64::max);
    let block_of = blocks_of_texts(context);
    let mut row: Vec<f32> = Vec::with_capacity(FEATURES.len());
    for ((candidate, mass), last_tenth) in candidates.iter().zip(&masses).zip(last_tenths) {
        let from = candidate.texts.first().map_or(0, |span| span.start);
        let to = candidate.texts.last().map_or(0, |span| span.end);
        let score_at = |text: usize| {
            block_of.get(text).and_then(|block| scores.get(*block as usize)).copied().unwrap_or(0.0)
        };
        let view = AnswerView {
            scores: summed,
            candidate,
            mass: *mass,
            rest: summed.rest(mass),
            left_out: summed.left_out(candidate),
            end: summed.mass(last_tenth),
            first,
            tokens_of_first: masses.first().map_or(0.0, |mass| mass.tokens),
            common: common(context, from, to),
            best,
            before: from.checked_sub(1).map_or(0.0, score_at),
            after: score_at(to),
        };
        row.clear();
        #[expect(clippy::cast_possible_truncation, reason = "shares and counts")]
        row.extend(FEATURES.iter().map(|feature| (feature.of)(&view) as f32));
        rows.push(&row)?;
    }
    Ok(rows)
}

fn blocks_of_texts(context: &PageContext<'_>) -> Vec<u32> {
    let blocks = context.blocks();
    let mut of = Vec::with_capacity(blocks.texts.len());
    for (block, at) in blocks.blocks.iter().zip(0..) {
        of.resize(block.texts().end, at);
    }
    of
}

fn common(context: &PageContext<'_>, from: usize, to: usize) -> NodeId {
    let texts = &context.blocks().texts;
    let (Some(first), Some(last)) = (texts.get(from), to.checked_sub(1).and_then(|to| texts.get(to))) else {
        return NodeId::DOCUMENT;
    };
    let page = context.page();
    page.ancestors(*first).find(|id| page.contains(*id, *last)).unwrap_or(NodeId::DOCUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;
    use tsugi_scoring::column_index;

    fn scores_of(context: &PageContext<'_>) -> Vec<f32> {
        let page = context.page();
        let score = |id: NodeId| page.attribute(id, "s").map_or(0.1, |score| score.parse().unwrap());
        context.blocks().blocks.iter().map(|block| score(block.owner)).collect()
    }

    fn found(context: &PageContext<'_>) -> (Vec<CandidateAnswer>, Matrix<CandidateColumns>) {
        let scores = scores_of(context);
        let markup = vec![0.0; scores.len()];
        candidates(context, &scores, &markup).unwrap()
    }

    #[test]
    fn whole_containers_and_all_similar_siblings_are_candidates() {
        let entry = |score| format!("<li class=entry><p s={score}>An entry with some words</p></li>");
        let html =
            format!("<main><h1 s=.5>News</h1><ul>{}{}{}</ul></main>", entry(0.9), entry(0.2), entry(0.9));
        let page = page_of(&html);
        let context = PageContext::new(&page, None);
        let (candidates, _) = found(&context);
        let has = |tags: &[&str]| {
            candidates.iter().any(|candidate| {
                let nodes = candidate.taken.nodes.iter().map(|id| page.tag(*id));
                candidate.taken.without.is_empty() && nodes.eq(tags.iter().copied())
            })
        };
        assert!(has(&["li", "li", "li"]) && has(&["ul"]) && has(&["main"]));
    }

    #[test]
    fn answers_are_cut_where_comments_begin() {
        let text = "<p s=.9>Some words of a text that is long enough to be told from the rest of the page.";
        let html = format!("<main>{}<h3 s=.9>2 Comments</h3>{text}</main>", text.repeat(3));
        let page = page_of(&html);
        let context = PageContext::new(&page, None);
        let (candidates, rows) = found(&context);
        let end = context.texts_inside(page.first("h3").unwrap()).0;
        let place = candidates.iter().position(|candidate| candidate.origin == Origin::Cut).unwrap();
        assert_eq!(candidates[place].texts, vec![0..end; 1]);
        let value = |place: usize, name| rows.row(place)[column_index::<CandidateColumns>(name).unwrap()];
        assert_eq!((value(0, "is_cut"), value(place, "is_cut")), (0.0, 1.0));
        assert!(value(0, "after_comments") > 0.2 && value(place, "after_comments") == 0.0);
    }

    #[test]
    fn no_page_with_words_is_without_candidates() {
        let page = page_of("<p s=0>nothing that looks like content");
        assert!(!found(&PageContext::new(&page, None)).0.is_empty());
        let blank = page_of("<img src=x>");
        assert!(found(&PageContext::new(&blank, None)).0.is_empty());
    }

    #[test]
    fn texts_of_parts_left_out_are_left_out() {
        let page = page_of("<main><p>one</p><aside><b>two</b></aside><p>three</p></main><p>four");
        let context = PageContext::new(&page, None);
        let (main, aside) = (page.first("main").unwrap(), page.first("aside").unwrap());
        let taken = Taken { nodes: vec![main], without: vec![aside] };
        assert_eq!(spans(&context, &taken), [0..1, 2..3]);
        assert_eq!(spans(&context, &Taken { nodes: vec![main], without: vec![] }), vec![0..3; 1]);
    }

    proptest::proptest! {
        #[test]
        fn columns_lie_in_their_ranges(
            html in "(<div s=\\.[0-9]>|<p s=\\.[0-9]>|<ul class=x>|<li s=1>|<nav>|<a href=/1>|</a>|</div>|</ul>|word |two words. ){0,40}",
        ) {
            let page = page_of(&html);
            let context = PageContext::new(&page, page.first("a"));
            let (candidates, rows) = found(&context);
            proptest::prop_assert_eq!(rows.check_ranges(), Ok(()));
            for candidate in &candidates {
                let nodes = candidate.taken.nodes.clone();
                proptest::prop_assert_eq!(page.outermost(nodes.clone()), nodes);
                proptest::prop_assert!(candidate.texts.windows(2).all(|pair| pair[0].end <= pair[1].start));
            }
        }
    }
}
