//! Columns that tell whether the article has ended: lines that end it, scores of the blocks before, images around.

use super::super::tails::Tail;
use super::view::features;

features! {
    score "heading_words_score", "wording of the last heading: {like|unlike} main content",
        |b| b.scores.heading_words;
    score "heading_score", "wording and class names of the last heading: {like|unlike} main content",
        |b| b.scores.heading;
    lowest_score "lowest_since_prose",
        "lowest score of wording and class names since the last prose: {like|unlike} main content",
        |b| b.scores.lowest_since_prose;
    lowest_score "lowest_since_title",
        "lowest score of wording since the main heading: {like|unlike} main content",
        |b| b.scores.lowest_since_title;
    flag "heads_comments", "block {begins|does not begin} as the head of comments does",
        |b| b.facts.tail.contains(Tail::COMMENTS);
    flag "heads_related", "block {begins|does not begin} as the head of related texts does",
        |b| b.facts.tail.contains(Tail::RELATED);
    count "since_comments", "blocks since the last head of comments (500: none)",
        |b| u32::from(b.facts.tails.since[0]);
    count "prose_since_comments", "prose blocks since the last head of comments",
        |b| b.facts.tails.prose_since[0];
    count "until_comments", "blocks until the next head of comments (500: none)",
        |b| u32::from(b.facts.tails.until[0]);
    count "since_related", "blocks since the last head of related texts (500: none)",
        |b| u32::from(b.facts.tails.since[1]);
    count "prose_since_related", "prose blocks since the last head of related texts",
        |b| b.facts.tails.prose_since[1];
    count "until_related", "blocks until the next head of related texts (500: none)",
        |b| u32::from(b.facts.tails.until[1]);
    count "level0_images", "images in the element around the block at level 0", |b| b.images(0);
    count "level1_images", "images in the element around the block at level 1", |b| b.images(1);
    count "level2_images", "images in the element around the block at level 2", |b| b.images(2);
}
