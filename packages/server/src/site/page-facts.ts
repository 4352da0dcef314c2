import { isModelId } from "../http/canonical-url.ts";
import type { BuiltSite, TextPage } from "./manifest.ts";
import { escapeHtml } from "./markup.ts";
import { type RouteMatch, routeMatcher } from "./match-route.ts";
import type { SiteRepository } from "./site.repository.ts";

/** What the head of a page says, and what stands in it before its script runs. */
export type PageFacts = {
  status: 200 | 404;
  /** Without the name of the product. */
  title: string;
  description: string | null;
  /** The one address of the page; null where search engines have nothing to look for. */
  canonical: string | null;
  kind: "website" | "article";
  body: string;
};

type Found = Partial<Pick<PageFacts, "title" | "description" | "canonical" | "kind" | "body">>;

const LONGEST_DESCRIPTION = 200;

/** Finds out what there is at an address of the site. */
export function createPageFacts(site: BuiltSite, rows: SiteRepository) {
  const match = routeMatcher(site.routes);
  const texts = new Map(site.pages.map((page) => [page.path, page]));

  /** What is behind a route that stands for many pages; null where there is nothing. */
  async function find({ route, params }: RouteMatch, path: string): Promise<Found | null> {
    const { owner = "", name = "", family = "", subTypeId, date = "" } = params;
    if (route.path.startsWith("/models/:owner/:name")) {
      const id = `${owner}/${name}`;
      const model = isModelId(id) ? await rows.model(id) : null;
      if (!model) return null;
      const { description } = model;
      return { title: model.id, description, canonical: `/models/${model.id}`, body: heading(model.id, description) };
    }
    if (route.path.startsWith("/model-families/")) {
      const found = subTypeId === undefined ? await rows.family(family) : await rows.subType(family, subTypeId);
      return found ? { title: found.name, description: `Models of ${found.name}, and which answer now.` } : null;
    }
    if (route.path === "/model-releases/:date")
      return (await rows.releasedOn(date)) > 0
        ? { title: `Models of ${date}`, description: `Models that came out on ${date}.` }
        : null;
    const text = texts.get(path);
    if (text) return textFacts(text);
    return route.path.endsWith("/*") && !path.startsWith("/docs/api") ? null : {};
  }

  return async (address: string): Promise<PageFacts> => {
    const path = address.length > 1 ? address.replace(/\/+$/, "") : address;
    const matched = match(path);
    const found = matched && (await find(matched, path));
    if (!matched || !found)
      return { status: 404, title: "Not found", description: null, canonical: null, kind: "website", body: "" };
    const { title, description, access } = matched.route;
    return {
      status: 200,
      title,
      kind: "website",
      body: "",
      ...found,
      description: shorten(found.description ?? description),
      canonical: access === "public" ? (found.canonical ?? path) : null,
    };
  };
}

function textFacts({ title, description, kind, date, html }: TextPage): Found {
  const day = date === null ? "" : `<p>${escapeHtml(date)}</p>`;
  const body = `<article class="wrap article">${heading(title, description)}${day}${html}</article>`;
  return { title, description, kind: kind === "blog" ? "article" : "website", body };
}

const heading = (title: string, text: string) => `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`;

function shorten(text: string | null): string | null {
  if (text === null || text.trim() === "") return null;
  const plain = text.replaceAll(/\s+/g, " ").trim();
  return plain.length <= LONGEST_DESCRIPTION ? plain : `${plain.slice(0, LONGEST_DESCRIPTION - 1).trimEnd()}…`;
}
