import type { TextPage } from "./manifest.ts";
import { escapeHtml } from "./markup.ts";
import type { PageMetadataOverrides } from "./page-metadata.ts";
import { createSchemaObject } from "./structured-data.ts";

const SECTIONS = {
  docs: { name: "Docs", path: "/docs" },
  blog: { name: "Blog", path: "/blog" },
  legal: null,
} as const;

/** Returns the metadata and content of a text page of the build. */
export function describeTextPage(page: TextPage): PageMetadataOverrides {
  const { title, description, kind, date, author, path, html, markdownPath } = page;
  const section = SECTIONS[kind];
  const day = date === null ? "" : `<p>${escapeHtml(date)}</p>`;
  return {
    title,
    description,
    markdownPath,
    kind: kind === "blog" ? "article" : "website",
    body: `<article class="wrap article"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>${day}${html}</article>`,
    card:
      section === null
        ? null
        : {
            kind: section.name,
            owner: null,
            title,
            text: description,
            facts: date === null ? [] : [{ label: author ?? "", value: date }],
          },
    breadcrumbs: section === null || section.path === path ? [] : [section, { name: title, path }],
    schemaObject: kind === "blog" ? createPostObject(page) : null,
  };
}

function createPostObject({ title, description, date, author, path }: TextPage) {
  return {
    ...createSchemaObject("BlogPosting", title, path),
    headline: title,
    description,
    ...(date !== null && { datePublished: date }),
    ...(author !== null && { author: { "@type": "Person", name: author } }),
  };
}
