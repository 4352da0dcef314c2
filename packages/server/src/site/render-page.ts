import type { PageFacts } from "./found.ts";
import { escapeHtml } from "./markup.ts";
import { CARD_SIZE } from "./share/share-card.ts";
import { structuredData } from "./structured-data.ts";

/** Places in the built page for head and content. */
const HEAD = /<!-- head -->[\s\S]*?<!-- \/head -->/;
const ROOT = '<div id="root"></div>';
const DEFAULT_DESCRIPTION = "The latest LLM models, serverless and ready to use at your request.";

/** Product name and public URL of the site. */
export type SiteNames = { productName: string; publicUrl: string };
/** Path of a page's share image, and its alternative text. */
export type PageImage = { path: string; alt: string };

/** Renders the HTML of a page: its head, and its content if it is readable without scripts. */
export function renderPage(
  shell: string,
  facts: PageFacts,
  { productName, publicUrl }: SiteNames,
  { image, visitor }: { image: PageImage; visitor: boolean },
): string {
  const title = `${facts.title} - ${productName}`;
  const description = facts.description ?? DEFAULT_DESCRIPTION;
  const url = facts.canonical === null ? null : publicUrl + facts.canonical;
  const imageUrl = publicUrl + image.path;
  const data = url === null ? null : structuredData({ ...facts, image: imageUrl }, publicUrl);
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    meta("name", "description", description),
    meta("name", "product-name", productName),
    // Tells the site that nobody is signed in, which saves a request.
    ...(visitor ? [meta("name", "session", "none")] : []),
    url === null ? meta("name", "robots", "noindex") : `<link rel="canonical" href="${escapeHtml(url)}" />`,
    meta("property", "og:site_name", productName),
    meta("property", "og:type", facts.kind),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    ...(url === null ? [] : [meta("property", "og:url", url)]),
    meta("property", "og:image", imageUrl),
    meta("property", "og:image:width", String(CARD_SIZE.width)),
    meta("property", "og:image:height", String(CARD_SIZE.height)),
    meta("property", "og:image:alt", image.alt),
    meta("name", "twitter:card", "summary_large_image"),
    meta("name", "twitter:title", title),
    meta("name", "twitter:description", description),
    meta("name", "twitter:image", imageUrl),
    meta("name", "twitter:image:alt", image.alt),
    feed("/blog/rss.xml", `${productName}: posts`),
    feed("/model-releases/rss.xml", `${productName}: models`),
    ...(data === null ? [] : [`<script type="application/ld+json">${data}</script>`]),
  ];
  return shell
    .replace(HEAD, () => lines.join("\n    "))
    .replaceAll("%PRODUCT_NAME%", () => escapeHtml(productName))
    .replace(ROOT, () => `<div id="root">${served(facts.body, visitor)}</div>`);
}

/** The content of the page until its scripts run. */
function served(body: string, visitor: boolean): string {
  return body === "" ? "" : `<div class="${visitor ? "served" : "served signed-in"}">${body}</div>`;
}

function meta(attribute: "name" | "property", name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;
}

function feed(path: string, title: string): string {
  return `<link rel="alternate" type="application/rss+xml" href="${path}" title="${escapeHtml(title)}" />`;
}
