import type { Found } from "./found.ts";
import type { TextPage } from "./manifest.ts";
import { escapeHtml } from "./markup.ts";
import { thingAt } from "./structured-data.ts";

const AREAS = {
  docs: { name: "Docs", path: "/docs" },
  blog: { name: "Blog", path: "/blog" },
  legal: null,
} as const;

/** Metadata and content of a text page of the build. */
export function textPage(page: TextPage): Found {
  const { title, description, kind, date, author, path, html } = page;
  const area = AREAS[kind];
  const day = date === null ? "" : `<p>${escapeHtml(date)}</p>`;
  return {
    title,
    description,
    kind: kind === "blog" ? "article" : "website",
    body: `<article class="wrap article"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>${day}${html}</article>`,
    card:
      area === null
        ? null
        : {
            kind: area.name,
            owner: null,
            title,
            text: description,
            facts: date === null ? [] : [{ label: author ?? "", value: date }],
          },
    crumbs: area === null || area.path === path ? [] : [area, { name: title, path }],
    thing: kind === "blog" ? postThing(page) : null,
  };
}

function postThing({ title, description, date, author, path }: TextPage) {
  return {
    ...thingAt("BlogPosting", title, path),
    headline: title,
    description,
    ...(date !== null && { datePublished: date }),
    ...(author !== null && { author: { "@type": "Person", name: author } }),
  };
}
