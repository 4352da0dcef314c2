import { escapeHtml } from "./markup.ts";
import type { PageFacts } from "./page-facts.ts";

/** Where in the built page the head and the text go. */
const HEAD = /<!-- head -->[\s\S]*?<!-- \/head -->/;
const ROOT = '<div id="root"></div>';
const DEFAULT_DESCRIPTION = "The latest LLM models, serverless and ready to use at your request.";

export type SiteNames = { productName: string; publicUrl: string };

/** The page of the site with the head of one address, and its text where it can be read without scripts. */
export function renderPage(shell: string, facts: PageFacts, { productName, publicUrl }: SiteNames): string {
  const title = `${facts.title} - ${productName}`;
  const description = facts.description ?? DEFAULT_DESCRIPTION;
  const url = facts.canonical === null ? null : publicUrl + facts.canonical;
  const image = `${publicUrl}/share.png`;
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    meta("name", "description", description),
    meta("name", "product-name", productName),
    url === null ? meta("name", "robots", "noindex") : `<link rel="canonical" href="${escapeHtml(url)}" />`,
    meta("property", "og:site_name", productName),
    meta("property", "og:type", facts.kind),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    ...(url === null ? [] : [meta("property", "og:url", url)]),
    meta("property", "og:image", image),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta("name", "twitter:card", "summary_large_image"),
    meta("name", "twitter:title", title),
    meta("name", "twitter:description", description),
    meta("name", "twitter:image", image),
    feed("/blog/rss.xml", `${productName}: posts`),
    feed("/model-releases/rss.xml", `${productName}: models`),
  ];
  return shell
    .replace(HEAD, () => lines.join("\n    "))
    .replaceAll("%PRODUCT_NAME%", () => escapeHtml(productName))
    .replace(ROOT, () => `<div id="root">${facts.body}</div>`);
}

function meta(attribute: "name" | "property", name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;
}

function feed(path: string, title: string): string {
  return `<link rel="alternate" type="application/rss+xml" href="${path}" title="${escapeHtml(title)}" />`;
}
