//! Columns that tell whether the article has ended: lines that end it, scores of the blocks before, images around.

use super::super::tails::Tail;
use super::view::{features, flag};
use tsugi_scoring::Range;

features! {
    "heading_words_score", Score, Range::any(), "wording of the last heading: {like|unlike} main content",
        |b| b.scores.heading_words;
    "heading_score", Score, Range::any(),
        "wording and class names of the last heading: {like|unlike} main content", |b| b.scores.heading;
    "lowest_since_prose", Score, Range { low: f32::MIN, high: 0.0 },
        "lowest score of wording and class names since the last prose: {like|unlike} main content",
        |b| b.scores.lowest_since_prose;
    "lowest_since_title", Score, Range { low: f32::MIN, high: 0.0 },
        "lowest score of wording since the main heading: {like|unlike} main content",
        |b| b.scores.lowest_since_title;
    "heads_comments", Flag, Range::flag(), "block {begins|does not begin} as the head of comments does",
        |b| flag(b.facts().tail.contains(Tail::COMMENTS));
    "heads_related", Flag, Range::flag(), "block {begins|does not begin} as the head of related texts does",
        |b| flag(b.facts().tail.contains(Tail::RELATED));
    "since_comments", Count, Range::at_least(0.0), "blocks since the last head of comments (500: none)",
        |b| b.facts().tails.since[0] as f32;
    "prose_since_comments", Count, Range::at_least(0.0), "prose blocks since the last head of comments",
        |b| b.facts().tails.prose_since[0] as f32;
    "until_comments", Count, Range::at_least(0.0), "blocks until the next head of comments (500: none)",
        |b| b.facts().tails.until[0] as f32;
    "since_related", Count, Range::at_least(0.0), "blocks since the last head of related texts (500: none)",
        |b| b.facts().tails.since[1] as f32;
    "prose_since_related", Count, Range::at_least(0.0), "prose blocks since the last head of related texts",
        |b| b.facts().tails.prose_since[1] as f32;
    "until_related", Count, Range::at_least(0.0), "blocks until the next head of related texts (500: none)",
        |b| b.facts().tails.until[1] as f32;
    "level0_images", Count, Range::at_least(0.0), "images in the element around the block at level 0",
        |b| b.images(0);
    "level1_images", Count, Range::at_least(0.0), "images in the element around the block at level 1",
        |b| b.images(1);
    "level2_images", Count, Range::at_least(0.0), "images in the element around the block at level 2",
        |b| b.images(2);
}
