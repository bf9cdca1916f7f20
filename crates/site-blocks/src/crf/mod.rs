//! Main content by a conditional random field over the blocks of a page.

mod keywords;
