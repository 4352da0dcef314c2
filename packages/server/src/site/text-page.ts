import { type ListedContent, pathOf } from "../insight/content/index.ts";
import type { TextPage } from "./manifest.ts";
import { escapeHtml } from "./markup.ts";
import type { PageMetadataOverrides } from "./page-metadata.ts";
import { createSchemaObject } from "./structured-data.ts";

const DOCS = { name: "Docs", path: "/docs" };
const BLOG = { name: "Blog", path: "/blog" };

/** Returns the metadata and content of a text page of the build. */
export function describeTextPage({ title, description, kind, date, path, html, markdownPath }: TextPage) {
  const isDoc = kind === "docs";
  return {
    title,
    description,
    markdownPath,
    body: renderArticle({ title, description, date, html }),
    card: isDoc ? { kind: DOCS.name, owner: null, title, text: description, facts: [] } : null,
    breadcrumbs: !isDoc || path === DOCS.path ? [] : [DOCS, { name: title, path }],
  } satisfies PageMetadataOverrides;
}

/**
 * Returns the metadata and content of a post or page of the operator; null if it was deleted meanwhile. `toHtml` compiles
 * Markdown.
 */
export async function describeContent(
  entry: ListedContent,
  toHtml: (markdown: string) => Promise<string>,
): Promise<PageMetadataOverrides | null> {
  const text = await entry.readText();
  if (text === null) return null;
  const { title, description, kind, author } = entry;
  const isPost = kind === "post";
  const path = pathOf(entry);
  const day = dayOf(entry);
  return {
    title,
    description,
    kind: isPost ? "article" : "website",
    body: renderArticle({ title, description, date: isPost ? day : null, html: await toHtml(text) }),
    card: isPost
      ? { kind: BLOG.name, owner: null, title, text: description, facts: [{ label: author ?? "", value: day }] }
      : null,
    breadcrumbs: isPost ? [BLOG, { name: title, path }] : [],
    schemaObject: isPost ? createPostObject(entry, path, day) : null,
  };
}

/** Returns the content of the blog: its posts, newest first. */
export function renderPostList(posts: readonly ListedContent[]): string {
  const items = posts.map(
    (post) =>
      `<li><p>${dayOf(post)}</p><h2><a href="${escapeHtml(pathOf(post))}">${escapeHtml(post.title)}</a></h2><p>${escapeHtml(post.description)}</p></li>`,
  );
  return `<div class="wrap article"><h1>Blog</h1><ul>${items.join("")}</ul></div>`;
}

/** The day on which something was published, in UTC. */
const dayOf = ({ publishedAt }: ListedContent) => (publishedAt ?? new Date(0)).toISOString().slice(0, 10);

type ArticleParts = { title: string; description: string; date: string | null; html: string };

function renderArticle({ title, description, date, html }: ArticleParts): string {
  const day = date === null ? "" : `<p>${escapeHtml(date)}</p>`;
  return `<article class="wrap article"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>${day}${html}</article>`;
}

const createPostObject = ({ title, description, author }: ListedContent, path: string, day: string) => ({
  ...createSchemaObject("BlogPosting", title, path),
  headline: title,
  description,
  datePublished: day,
  ...(author !== null && { author: { "@type": "Person", name: author } }),
});
