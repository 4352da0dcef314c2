import type { Clock } from "../../platform/core/clock.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { type Page, parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import { toContentItemDto, toContentSummaryDto, toPostDto, toPostSummaryDto } from "./content.dto.ts";
import type { ContentUseCases } from "./content.usecases.ts";
import type { ContentCatalogue, ListedContent } from "./content-catalogue.ts";
import { stateOf } from "./content-entry.ts";

type Deps = { content: ContentUseCases; catalogue: ContentCatalogue; clock: Clock };

/** Handlers of posts and pages: what everybody reads, and what admins write. */
export function contentRoutes({ content, catalogue, clock }: Deps): Handlers {
  return {
    "posts.list": async ({ query }) => {
      const page = parsePage(query);
      const posts = (await catalogue.listPublished("post")).filter(
        ({ tags }) => query.tag === undefined || tags.includes(query.tag),
      );
      return { items: cut(posts, page).map(toPostSummaryDto), pagination: toPagination(page, posts.length) };
    },

    "posts.get": async ({ path }) => toPostDto(await content.getPublished({ kind: "post", slug: path.slug })),

    "pages.get": async ({ path }) => toPostDto(await content.getPublished({ kind: "page", slug: path.slug })),

    "admin.content.list": async ({ query }) => {
      const page = parsePage(query);
      const now = clock.now();
      const items = (await catalogue.list()).filter(
        (entry) =>
          (query.kind === undefined || entry.kind === query.kind) &&
          (query.state === undefined || stateOf(entry, now) === query.state) &&
          matches(entry, query.search),
      );
      return {
        items: cut(items, page).map((entry) => toContentSummaryDto(entry, now)),
        pagination: toPagination(page, items.length),
        problems: await catalogue.listProblems(),
      };
    },

    "admin.content.get": async ({ path }) => toContentItemDto(await content.get(path), clock.now()),

    "admin.content.put": async ({ actor, path, body }) =>
      toContentItemDto(await content.put(actor, path, body), clock.now()),

    "admin.content.delete": async ({ actor, path, query }) => {
      await content.delete(actor, path, query.version);
      return undefined;
    },
  };
}

const cut = <Item>(items: readonly Item[], { offset, limit }: Page): Item[] => items.slice(offset, offset + limit);

function matches({ title, slug }: ListedContent, search = ""): boolean {
  const part = search.trim().toLowerCase();
  return title.toLowerCase().includes(part) || slug.includes(part);
}
