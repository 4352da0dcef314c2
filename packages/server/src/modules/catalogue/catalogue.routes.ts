import type { FastifyReply, FastifyRequest } from "fastify";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { withETag } from "../../http/etag.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { modelIdOf } from "../../shared/model-keys.ts";
import type { Presenter } from "./catalogue.present.ts";
import type { CatalogueQuery } from "./catalogue.query.ts";
import type { Catalogue } from "./catalogue.usecases.ts";
import type { LiveModels } from "./live-models.ts";
import type { ModelAccess } from "./model-access.usecases.ts";
import type { OverviewsRepository } from "./overviews.repository.ts";

type Deps = {
  catalogueOf: Catalogue;
  overviews: OverviewsRepository;
  modelAccess: ModelAccess;
  liveModels: Pick<LiveModels, "tiers">;
  present: Presenter;
  clock: Clock;
};
type V1Query = {
  q?: string;
  tags?: string[];
  family?: string[];
  status?: string;
  available_on_current_plan?: string;
  conversational?: string;
};

/** Models in a response without pages, which OpenAI's clients expect. A multiple of the largest page size. */
const MAX_UNPAGED = 10_000;
const LARGEST_PAGE = 1_000;

/** Handlers of `models.*`, and of the lists that OpenAI's and Anthropic's clients read. */
export function catalogueRoutes(deps: Deps): Handlers {
  const { catalogueOf, overviews, modelAccess, liveModels, present, clock } = deps;
  return {
    "models.list": async ({ actor, query, request, reply }) => {
      const { facets, page: _, perPage: __, per_page: ___, ...wanted } = query;
      const reader = await catalogueOf.readerOf(actor);
      const page = pageOf(query);
      const [{ rows, ...found }, writer] = await Promise.all([
        catalogueOf.list(reader, wanted, page, facets === 1),
        present.to(reader),
      ]);
      return withETag(request, reply, {
        items: rows.map(writer.model),
        pagination: pagination(page, found.total),
        ...(found.facets && { facets: found.facets }),
      });
    },

    "models.get": async ({ actor, path, query }) => {
      const reader = await catalogueOf.readerOf(actor);
      const wanted = { scrape: query.scrape === 1, modelClass: query.model_class };
      const row = await modelAccess.detail(actor, reader, path.id, wanted);
      const writer = await present.to(reader);
      return { ...writer.model(row), readme: row.readme };
    },

    "models.request": async ({ actor, path, body }) => {
      const reader = await catalogueOf.readerOf(actor);
      const id = await modelAccess.request(signedIn(actor), reader, path.id, body.access_token || null);
      return { id, status: "pending_deploy" as const };
    },

    "models.unlock": async ({ actor, path, body }) => {
      const reader = await catalogueOf.readerOf(actor);
      const {
        model_id: key,
        unlocked_at,
        method,
      } = await modelAccess.unlock(signedIn(actor), reader, path.id, body.access_token);
      return { model_id: modelIdOf(key), unlocked_at: unlocked_at.toISOString(), method: method as "token" | "waived" };
    },

    "models.favorite": async ({ actor, path }) => {
      await catalogueOf.favorite(await catalogueOf.readerOf(actor), path.id);
      return undefined;
    },

    "models.unfavorite": async ({ actor, path }) => {
      await catalogueOf.unfavorite(await catalogueOf.readerOf(actor), path.id);
      return undefined;
    },

    "models.favorites": async ({ actor }) => {
      const reader = await catalogueOf.readerOf(actor);
      const [rows, writer] = await Promise.all([catalogueOf.favorites(reader), present.to(reader)]);
      return { items: rows.map(writer.model) };
    },

    "models.families": async () => ({ items: await overviews.families() }),

    "models.classes": async () => ({
      items: (await overviews.classes()).map(({ family_id, ...row }) => ({ ...row, family: family_id })),
    }),

    "models.popular": async () => {
      const rows = await overviews.popular(clock.now());
      const most = rows[0]?.requests_7d ?? 1;
      return { popular: rows.map((row) => ({ ...row, score: row.requests_7d / most })) };
    },

    "models.releases": async ({ query }) => {
      const page = pageOf(query);
      const [rows, { release_count }] = await Promise.all([
        overviews.releases(page.limit, page.offset),
        overviews.figures(clock.now()),
      ]);
      return {
        items: rows.map((row) => ({ ...row, date: row.date ?? "" })),
        pagination: pagination(page, release_count),
      };
    },

    "models.stats": async () => {
      const warm = [...liveModels.tiers()].filter(([, tier]) => tier === "warm").map(([id]) => id);
      const [figures, warm_count] = await Promise.all([overviews.figures(clock.now()), overviews.countPublic(warm)]);
      return { ...figures, warm_count };
    },

    "v1.models.list": async ({ actor, query, request, reply }) => {
      const reader = await catalogueOf.readerOf(actor);
      const { page: number, per_page, perPage = per_page } = query;
      const paged = number !== undefined || perPage !== undefined;
      const page = pageOf({ page: number ?? 1, perPage: perPage ?? (paged ? 100 : MAX_UNPAGED) });
      const [{ rows, total }, writer] = await Promise.all([
        catalogueOf.list(reader, wantedOf(query), page),
        present.to(reader),
      ]);
      if (isForAnthropic(request)) return sendAnthropicList(reply, rows.map(writer.anthropic));
      const next = page.offset + rows.length < total ? nextPage(request.url, paged ? page.page + 1 : null) : null;
      const list = { object: "list", data: rows.map(writer.openAI), total_count: total, links: { next } };
      return withETag(request, reply, paged ? { ...list, total, pagination: pagination(page, total) } : list);
    },

    "v1.models.get": async ({ actor, path, request, reply }) => {
      const reader = await catalogueOf.readerOf(actor);
      const row = await modelAccess.detail(actor, reader, path.id, { scrape: false, modelClass: undefined });
      const writer = await present.to(reader);
      return isForAnthropic(request) ? sendJson(reply, writer.anthropic(row)) : writer.openAI(row);
    },
  };
}

/** Anthropic's clients send the version of their API; for this call there is only one. */
function isForAnthropic({ headers }: FastifyRequest): boolean {
  return headers["anthropic-version"] !== undefined;
}

function sendAnthropicList(reply: FastifyReply, data: readonly { id: string }[]): FastifyReply {
  const [first, last] = [data[0], data.at(-1)];
  return sendJson(reply, { data, has_more: false, first_id: first?.id ?? null, last_id: last?.id ?? null });
}

/** Sends a body that the contract describes only in prose, so that it is not serialized by a schema. */
function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.header("vary", "anthropic-version").type("application/json").send(JSON.stringify(value));
}

/** Returns the URL of a page. Without a page, the URL of the first page after an unpaged response. */
function nextPage(url: string, page: number | null): string {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  searchParams.set("page", String(page ?? MAX_UNPAGED / LARGEST_PAGE + 1));
  if (page === null) searchParams.set("per_page", String(LARGEST_PAGE));
  return `${pathname}?${searchParams}`;
}

/** Maps the filters of `/v1/models` to those of the catalogue. */
function wantedOf({ q, tags, family, status, available_on_current_plan, conversational }: V1Query): CatalogueQuery {
  const yes = (text: string) => text === "true" || text === "1";
  return {
    ...(q !== undefined && { search: q }),
    ...(family !== undefined && { family: family.join(",") }),
    ...(tags !== undefined && { tags: tags.join(",") }),
    ...(status !== undefined && { status }),
    ...(available_on_current_plan !== undefined && { callable: yes(available_on_current_plan) }),
    ...(conversational !== undefined && { conversational: yes(conversational) }),
  };
}
