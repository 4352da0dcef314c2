import { escapeHtml } from "./markup.ts";
import type { PageMetadata } from "./page-metadata.ts";
import { CARD_SIZE } from "./share/share-card.ts";
import { renderStructuredData } from "./structured-data.ts";

/** The positions of head and content in the built page. */
const HEAD_PATTERN = /<!-- head -->[\s\S]*?<!-- \/head -->/;
const ROOT_ELEMENT = '<div id="root"></div>';
const DEFAULT_DESCRIPTION = "The latest LLM models, serverless and ready to use at your request.";

/** Product name and public URL of the site. */
export type SiteNames = { productName: string; publicUrl: string };
/** Path of a page's share image, and its alternative text. */
export type PageImage = { path: string; alt: string };

/**
 * Renders the HTML of a page: its head, and its content if it is readable without scripts. `data-posts` at the root shows the
 * links to the blog, which every page has.
 */
export function renderPage(
  shell: string,
  page: PageMetadata,
  { productName, publicUrl }: SiteNames,
  { image, isVisitor, hasPosts }: { image: PageImage; isVisitor: boolean; hasPosts: boolean },
): string {
  const title = `${page.title} - ${productName}`;
  const description = page.description ?? DEFAULT_DESCRIPTION;
  const url = page.canonical === null ? null : publicUrl + page.canonical;
  const imageUrl = publicUrl + image.path;
  const jsonLd = url === null ? null : renderStructuredData({ ...page, image: imageUrl }, publicUrl);
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    renderMeta("name", "description", description),
    renderMeta("name", "product-name", productName),
    // The public URL that prerendered pages contain.
    renderMeta("name", "public-url", publicUrl),
    // Tells the site that the viewer is not signed in, which saves a request.
    ...(isVisitor ? [renderMeta("name", "session", "none")] : []),
    url === null ? renderMeta("name", "robots", "noindex") : `<link rel="canonical" href="${escapeHtml(url)}" />`,
    renderMeta("property", "og:site_name", productName),
    renderMeta("property", "og:type", page.kind),
    renderMeta("property", "og:title", title),
    renderMeta("property", "og:description", description),
    ...(url === null ? [] : [renderMeta("property", "og:url", url)]),
    renderMeta("property", "og:image", imageUrl),
    renderMeta("property", "og:image:width", String(CARD_SIZE.width)),
    renderMeta("property", "og:image:height", String(CARD_SIZE.height)),
    renderMeta("property", "og:image:alt", image.alt),
    renderMeta("name", "twitter:card", "summary_large_image"),
    renderMeta("name", "twitter:title", title),
    renderMeta("name", "twitter:description", description),
    renderMeta("name", "twitter:image", imageUrl),
    renderMeta("name", "twitter:image:alt", image.alt),
    ...(page.markdownPath === null
      ? []
      : [`<link rel="alternate" type="text/markdown" href="${escapeHtml(page.markdownPath)}" />`]),
    ...(hasPosts ? [renderFeedLink("/blog/rss.xml", `${productName}: posts`)] : []),
    renderFeedLink("/model-releases/rss.xml", `${productName}: models`),
    ...(jsonLd === null ? [] : [`<script type="application/ld+json">${jsonLd}</script>`]),
  ];
  return shell
    .replace("<html", hasPosts ? "<html data-posts" : "<html")
    .replace(HEAD_PATTERN, () => lines.join("\n    "))
    .replaceAll("%PRODUCT_NAME%", () => escapeHtml(productName))
    .replace(ROOT_ELEMENT, () => renderRoot(page, isVisitor));
}

/** Returns the element that the site renders into, with the content that is visible until its scripts run. */
function renderRoot({ body, isPrerendered, audience }: PageMetadata, isVisitor: boolean): string {
  if (body === "" || audience === (isVisitor ? "users" : "visitors")) return ROOT_ELEMENT;
  const prerendered = isPrerendered ? " data-prerendered" : "";
  return `<div id="root" class="${isVisitor ? "served" : "served signed-in"}"${prerendered}>${body}</div>`;
}

function renderMeta(attribute: "name" | "property", name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;
}

function renderFeedLink(path: string, title: string): string {
  return `<link rel="alternate" type="application/rss+xml" href="${path}" title="${escapeHtml(title)}" />`;
}
