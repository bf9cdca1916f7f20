//! Bodies of made-up pages. `{name}` is a part of the page, `{.role}` the attribute that names an element.

use super::draw::{Draw, hash};
use super::site::World;
use std::borrow::Cow;

/// What a page is, which decides the skeletons that fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Article,
    Book,
    Manual,
    Listing,
    Thread,
    Mail,
}

/// The body of a site's pages.
#[derive(Debug)]
pub(super) struct Design {
    /// Letters only: it names the software in labels.
    pub(super) name: Cow<'static, str>,
    pub(super) html: Cow<'static, str>,
}

/// How many of 100 training sites have a body of their own, put together from its parts: by a dozen bodies alone, models learn
/// where these have their pagers and bylines.
const COMPOSED: usize = 60;

impl Design {
    pub(super) fn drawn(world: World, shape: Shape, draw: &mut Draw) -> Design {
        if world == World::Training && draw.of_100(COMPOSED) {
            return Design::composed(draw);
        }
        let fitting: Vec<&Skeleton> =
            SKELETONS.iter().filter(|of| of.world == world && of.shapes.contains(&shape)).collect();
        let skeleton: &Skeleton = draw.pick::<&Skeleton>(&fitting);
        Design { name: skeleton.name.into(), html: skeleton.html.into() }
    }

    fn composed(draw: &mut Draw) -> Design {
        let heading = wrapped(draw, &["h1", "h1", "h1", "h2", "h3", "div"], "title", "{heading}");
        let mut opening = vec![heading, "{byline}".to_owned()];
        if draw.of_100(20) {
            opening.reverse();
        }
        opening.push((*draw.pick(&["{lead}", "{share}", "{lead}{share}", ""])).to_owned());
        let opening = maybe_wrapped(draw, 35, &["header", "div", "section"], "byline", &opening.concat());
        let body = maybe_wrapped(draw, 75, &["div", "div", "section"], "body", "{body}");
        let bottom = maybe_wrapped(draw, 25, &["div", "footer", "p"], "foot", "{bottom}");
        let mut closing = vec!["{tags}".to_owned(), "{box}".to_owned(), "{below}".to_owned()];
        draw.shuffle(&mut closing);
        // The pager stands in the article, or after it.
        let place = draw.below(closing.len() + 1);
        closing.insert(place, bottom);
        let outside = closing.split_off(draw.below(closing.len() + 1));
        let top = *draw.pick(&[0, 1, 1]);
        let article = match top {
            0 => format!("{{top}}{opening}{body}{}", closing.concat()),
            _ => format!("{opening}{{top}}{body}{}", closing.concat()),
        };
        let article = maybe_wrapped(draw, 70, &["article", "article", "div", "section"], "article", &article);
        let mut rest = vec!["{related}".to_owned(), "{news}".to_owned(), "{after}".to_owned()];
        draw.shuffle(&mut rest);
        let inside = draw.below(rest.len() + 1);
        let below = rest.split_off(inside);
        let crumbs = *draw.pick(&["{crumbs}", "{crumbs}", ""]);
        let main = format!("{crumbs}{article}{}{}", outside.concat(), rest.concat());
        let main = maybe_wrapped(draw, 80, &["main", "div", "div", "section"], "main", &main);
        let mut columns = [main, wrapped(draw, &["aside", "div", "div"], "side", "{side}")];
        if draw.of_100(25) {
            columns.reverse();
        }
        let columns = maybe_wrapped(draw, 60, &["div"], "wrap", &columns.concat());
        let brand = wrapped(draw, &["a href=\"/\"", "p", "div"], "brand", "{site}");
        let menu = maybe_wrapped(draw, 70, &["nav", "div"], "menu", "{menu}");
        let head = maybe_wrapped(draw, 70, &["header", "div"], "header", &format!("{brand}{menu}{{search}}"));
        let foot = maybe_wrapped(draw, 70, &["footer", "div"], "foot", "{foot}");
        let html = format!("<body>{head}{columns}{}{foot}</body>", below.concat());
        let name: String =
            format!("{:x}", hash(&html)).bytes().map(|byte| char::from(b'a' + byte % 26)).collect();
        Design { name: format!("composed{name}").into(), html: html.into() }
    }
}

fn wrapped(draw: &mut Draw, tags: &[&str], role: &str, inner: &str) -> String {
    let tag = *draw.pick(tags);
    let name = tag.split(' ').next().unwrap_or(tag);
    format!("<{tag}{{.{role}}}>{inner}</{name}>")
}

fn maybe_wrapped(draw: &mut Draw, of_100: usize, tags: &[&str], role: &str, inner: &str) -> String {
    if draw.of_100(of_100) { wrapped(draw, tags, role, inner) } else { inner.to_owned() }
}

/// The body of a page.
#[derive(Debug)]
pub(super) struct Skeleton {
    /// Letters only: it names the software in labels.
    pub(super) name: &'static str,
    pub(super) world: World,
    pub(super) shapes: &'static [Shape],
    pub(super) html: &'static str,
}

use Shape::{Article, Book, Listing, Mail, Manual, Thread};

const fn skeleton(
    name: &'static str,
    world: World,
    shapes: &'static [Shape],
    html: &'static str,
) -> Skeleton {
    Skeleton { name, world, shapes, html }
}

pub(super) const SKELETONS: [Skeleton; 22] = [
    skeleton(
        "quillblog",
        World::Training,
        &[Article, Listing],
        "<body><div{.wrap}><header{.header}><p{.brand}><a href=\"/\">{site}</a></p><nav{.menu}>{menu}</nav></header>\
         <div{.main}>{crumbs}<article{.article}>{lead}<h1{.title}>{heading}</h1>{byline}{share}{top}<div{.body}>{body}</div>\
         {bottom}{tags}{box}</article>{below}{news}{related}{after}</div>{side}{foot}</div></body>",
    ),
    skeleton(
        "tablemag",
        World::Training,
        &[Article, Listing, Thread],
        "<body bgcolor=\"#fff\"><table width=\"100%\" cellpadding=\"4\"><tr><td colspan=\"3\"><a href=\"/\"><img src=\"/img/logo.gif\" alt=\"{site}\"></a>{search}</td></tr>\
         <tr><td valign=\"top\" width=\"150\">{menu}{news}</td><td valign=\"top\">{crumbs}<h2{.title}>{heading}</h2>{byline}{top}{lead}{body}{bottom}{below}{tags}{after}</td>\
         <td valign=\"top\" width=\"180\">{side}{related}</td></tr></table><hr>{foot}</body>",
    ),
    skeleton(
        "newsdesk",
        World::Training,
        &[Article, Listing],
        "<body><header{.header}><div{.brand}><a href=\"/\">{site}</a></div>{search}</header><nav{.menu}>{menu}</nav>{crumbs}\
         <main{.main}><div{.article}><header><h1{.title}>{heading}</h1>{byline}{share}</header>{lead}{top}<section{.body}>{body}</section>{bottom}</div>\
         <aside{.side}>{side}</aside>{below}{box}{tags}{after}</main><section{.related}>{related}</section>{news}<footer{.foot}>{foot}</footer></body>",
    ),
    skeleton(
        "handmade",
        World::Training,
        &[Article, Book, Manual, Listing],
        "<body text=\"#000000\" link=\"#0000cc\"><center><font size=\"5\">{heading}</font><br>{byline}</center><hr>{top}<br>{body}<hr><center>{bottom}{below}</center>{after}\
         <p>{menu}</p>{related}<address>{site}</address>{foot}</body>",
    ),
    skeleton(
        "sphere",
        World::Training,
        &[Manual, Book],
        "<body><div{.header}><a{.brand} href=\"/\">{site}</a>{search}</div><div{.wrap}><nav{.side}>{side}{menu}</nav><div role=\"main\"{.main}>{crumbs}{top}\
         <section><h1{.title}>{heading}</h1>{byline}{body}</section>{bottom}{below}{after}</div></div>{foot}</body>",
    ),
    skeleton(
        "boardly",
        World::Training,
        &[Thread, Listing],
        "<body><div{.wrap}><div{.header}><h1><a href=\"/\">{site}</a></h1>{menu}{search}</div>{crumbs}<h2{.title}>{heading}</h2><div{.top}>{top}</div>{body}<div>{bottom}</div>{below}\
         {related}{after}<div{.foot}>{foot}</div></div></body>",
    ),
    skeleton(
        "wikiwell",
        World::Training,
        &[Article, Manual],
        "<body><div id=\"content\" role=\"main\"><h1 id=\"firstHeading\">{heading}</h1><div id=\"bodyContent\"><div id=\"siteSub\">{site}</div>{top}{lead}{body}{bottom}{below}{related}{after}</div></div>\
         <div id=\"column-one\">{menu}{search}{side}</div><div id=\"footer\">{byline}{foot}</div></body>",
    ),
    skeleton(
        "listarchive",
        World::Training,
        &[Mail, Book],
        "<body>{top}<hr><h1>{heading}</h1>{byline}{body}<hr>{bottom}{below}{after}<p>{menu}</p><hr><p><i>{site}</i></p></body>",
    ),
    skeleton(
        "talehost",
        World::Training,
        &[Book, Article],
        "<body><div{.header}><a href=\"/\">{site}</a>{menu}</div><div{.main}>{crumbs}<div{.top}>{top}</div><h1{.title}>{heading}</h1>{byline}<div{.body}>{body}</div><div>{bottom}</div>{below}{share}{after}{related}</div>{foot}</body>",
    ),
    skeleton(
        "firstweb",
        World::Training,
        &[Article, Book, Mail, Manual],
        "<h1>{heading}</h1>\n{byline}\n{top}\n{body}\n{bottom}\n{below}\n{after}\n<hr>{menu}<p>{site}",
    ),
    skeleton(
        "divsoup",
        World::Training,
        &[Article, Listing, Thread, Manual],
        "<body><div id=\"app\"><div{.wrap}><div{.header}><div{.brand}><a href=\"/\">{site}</a></div><div{.menu}>{menu}</div></div><div{.main}><div{.article}><div><div{.title}>{heading}</div></div>\
         <div>{byline}{share}</div>{top}{lead}<div><div{.body}>{body}</div></div><div>{bottom}</div></div><div>{below}{box}</div><div>{related}</div>{after}</div><div{.side}>{side}{news}</div><div>{foot}</div></div></div></body>",
    ),
    skeleton(
        "gridzine",
        World::Training,
        &[Article, Listing, Book],
        "<body><a href=\"#main\">↓</a><nav{.menu}><a{.brand} href=\"/\">{site}</a>{menu}</nav><main id=\"main\"{.main}><header{.lead}><p>{crumbs}</p><h1{.title}>{heading}</h1>{byline}{lead}</header>{top}<div{.body}>{body}</div>\
         <footer>{tags}{share}{bottom}{box}</footer></main>{below}{related}{after}{news}<footer{.foot}>{foot}</footer></body>",
    ),
    skeleton(
        "framedesk",
        World::Training,
        &[Thread, Mail],
        "<body><table border=\"0\" width=\"95%\" align=\"center\"><tr><td>{site}</td><td align=\"right\">{menu}</td></tr></table>{crumbs}{top}<h3>{heading}</h3>{byline}{body}{bottom}{below}{related}{after}{foot}</body>",
    ),
    skeleton(
        "harbour",
        World::Judging,
        &[Article, Listing],
        "<body><div{.wrap}>{menu}<section{.main}><article{.article}>{crumbs}<h1{.title}>{heading}</h1>{lead}{byline}{top}{body}{tags}{bottom}</article>{share}{below}{box}{after}</section>\
         <div{.side}>{side}{news}{related}</div></div><footer{.foot}><strong>{site}</strong>{foot}</footer></body>",
    ),
    skeleton(
        "gazette",
        World::Judging,
        &[Article, Listing, Thread],
        "<body><table{.wrap}><tbody><tr><td>{site} | {menu}</td></tr><tr><td>{crumbs}<h1{.title}>{heading}</h1>{byline}<div{.body}>{lead}{body}</div><table><tr><td>{bottom}</td></tr></table>{below}</td><td rowspan=\"2\">{related}{side}</td></tr>\
         <tr><td>{after}</td></tr></tbody></table>{top}{foot}</body>",
    ),
    skeleton(
        "plainhand",
        World::Judging,
        &[Article, Book, Manual, Mail, Listing],
        "<body><p><small>{site}</small></p><h2 align=\"center\">{heading}</h2><p align=\"center\">{byline}</p>{top}{body}<p>{bottom}</p>{below}{after}{related}<p>{menu}</p></body>",
    ),
    skeleton(
        "handbook",
        World::Judging,
        &[Manual, Book],
        "<body><header{.header}>{site} {search}</header><div{.wrap}><main{.main}><div{.crumbs}>{crumbs}</div><h1{.title}>{heading}</h1><div{.body}>{byline}{body}</div>{below}{bottom}</main><aside>{menu}{side}</aside></div>{after}{foot}</body>",
    ),
    skeleton(
        "roundtable",
        World::Judging,
        &[Thread, Listing],
        "<body><main{.main}><h1{.title}>{heading}</h1><p>{crumbs}</p>{top}{body}{bottom}{below}</main>{after}<aside>{related}{side}</aside><header>{site}{menu}</header>{foot}</body>",
    ),
    skeleton(
        "lantern",
        World::Judging,
        &[Book, Article],
        "<body><nav{.menu}>{menu}</nav><div{.wrap}><h3>{site}</h3><div{.main}>{top}<div{.article}><h2{.title}>{heading}</h2>{byline}<div{.body}>{body}</div></div>{bottom}{below}</div>{after}{related}</div><div{.foot}>{foot}</div></body>",
    ),
    skeleton(
        "customtags",
        World::Judging,
        &[Article, Listing, Manual],
        "<body><site-root><site-bar>{site}{menu}</site-bar><site-view{.main}><div{.lead}>{lead}<h1{.title}>{heading}</h1>{byline}</div>{top}<div{.body}>{body}</div><div{.foot}>{bottom}</div>{below}{tags}{box}</site-view>\
         <site-rail>{related}{side}{news}</site-rail>{after}{foot}</site-root></body>",
    ),
    skeleton(
        "mailvault",
        World::Judging,
        &[Mail, Thread],
        "<body><div{.header}>{site}{menu}</div><h1{.title}>{heading}</h1><div{.top}>{top}</div><div{.article}>{byline}{body}</div><div>{bottom}{below}</div>{after}{foot}</body>",
    ),
    skeleton(
        "almanac",
        World::Judging,
        &[Article, Book, Listing],
        "<body><div{.header}><div{.brand}>{site}</div><div{.menu}>{menu}</div></div><div{.crumbs}>{crumbs}</div><div{.main}><div{.date}>{byline}</div><h1{.title}>{heading}</h1><div{.body}>{top}{lead}{body}{bottom}</div>{share}{tags}</div>\
         {below}{after}{related}{side}<div{.foot}>{foot}</div></body>",
    ),
];
