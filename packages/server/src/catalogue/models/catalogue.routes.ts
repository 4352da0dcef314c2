import type { components } from "@feather/openapi/schema";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { withETag } from "../../platform/core/http/etag.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { type Page, parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import type { TakeTurn } from "../../platform/core/turns.ts";
import type { ListProbes } from "../probes/index.ts";
import type { AliasModel, AliasModels } from "./alias-models.ts";
import type { ModelDtos } from "./catalogue.dto.ts";
import type { Catalogue } from "./catalogue.usecases.ts";
import type { CatalogueQuery } from "./listing/catalogue.query.ts";
import type { LiveModels } from "./live-models.ts";
import type { ModelAccess } from "./model-access.usecases.ts";
import type { OverviewsRepository } from "./overviews.repository.ts";

type Deps = {
  catalogue: Catalogue;
  aliasModels: AliasModels;
  overviews: OverviewsRepository;
  modelAccess: ModelAccess;
  liveModels: Pick<LiveModels, "tiers">;
  modelDtos: ModelDtos;
  /** Reads what a model has shown at its places. */
  listProbes: ListProbes;
  /** Limits concurrent overviews, because an overview counts the whole catalogue. */
  takeListTurn: TakeTurn;
  clock: Clock;
};
type OpenAIModel = components["schemas"]["OpenAIModel"];
type OpenAIQuery = {
  q?: string;
  tags?: string[];
  family?: string[];
  status?: string;
  available_on_current_plan?: string;
  conversational?: string;
};

/** The number of models in a response without pages, which OpenAI's clients expect. A multiple of the largest page size. */
const MAX_UNPAGED_MODELS = 10_000;
const MAX_PAGE_SIZE = 1_000;

/** Handlers of `models.*`, and of the lists that OpenAI's and Anthropic's clients read. */
export function catalogueRoutes(deps: Deps): Handlers {
  return { ...modelRoutes(deps), ...overviewRoutes(deps), ...clientListRoutes(deps) };
}

/** Handlers of models, access to them and favorites. */
function modelRoutes({ catalogue, modelAccess, modelDtos, listProbes }: Deps): Handlers {
  return {
    "models.list": async ({ actor, query, request, reply }) => {
      const { facets, page: _, perPage: __, per_page: ___, ...filters } = query;
      const viewer = await catalogue.resolveViewer(actor);
      const page = parsePage(query);
      const [{ rows, ...result }, dtos] = await Promise.all([
        catalogue.list(viewer, filters, page, facets === 1),
        modelDtos.forViewer(viewer),
      ]);
      return withETag(request, reply, {
        items: rows.map(dtos.toModelDto),
        pagination: toPagination(page, result.total),
        ...(result.facets && { facets: result.facets }),
      });
    },

    "models.get": async ({ actor, path, query }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const filters = { scrape: query.scrape === 1, modelClass: query.model_class };
      const row = await modelAccess.getDetail(actor, viewer, path.id, filters);
      const [dtos, probes] = await Promise.all([
        modelDtos.forViewer(viewer),
        listProbes(row.key, viewer.isAdmin === true),
      ]);
      return dtos.toModelDetailDto(row, probes);
    },

    "models.request": async ({ actor, path, body }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const id = await modelAccess.requestModel(actor, viewer, path.id, body.access_token || null);
      return { id, status: "pending_deploy" as const };
    },

    "models.unlock": async ({ actor, path, body }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const {
        model_id: key,
        unlocked_at,
        method,
      } = await modelAccess.unlockModel(actor, viewer, path.id, body.access_token);
      return { model_id: modelIdOf(key), unlocked_at: unlocked_at.toISOString(), method: method as "token" | "waived" };
    },

    "models.favorite": async ({ actor, path }) => {
      await catalogue.favorite(await catalogue.resolveViewer(actor), path.id);
      return undefined;
    },

    "models.unfavorite": async ({ actor, path }) => {
      await catalogue.unfavorite(await catalogue.resolveViewer(actor), path.id);
      return undefined;
    },

    "models.favorites": async ({ actor }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const [rows, dtos] = await Promise.all([catalogue.favorites(viewer), modelDtos.forViewer(viewer)]);
      return { items: rows.map(dtos.toModelDto) };
    },
  };
}

/** Handlers of the overviews. They are the same for all callers. */
function overviewRoutes({ overviews, liveModels, takeListTurn, clock }: Deps): Handlers {
  return {
    "models.families": async () => ({ items: await takeListTurn(overviews.families) }),

    "models.classes": async () => ({
      items: (await takeListTurn(overviews.classes)).map(({ family_id, ...row }) => ({ ...row, family: family_id })),
    }),

    "models.popular": async () => {
      const rows = await takeListTurn(() => overviews.popular(clock.now()));
      const maxRequests = rows[0]?.requests_7d ?? 1;
      return { popular: rows.map((row) => ({ ...row, score: row.requests_7d / maxRequests })) };
    },

    "models.releases": async ({ query }) => {
      const page = parsePage(query);
      const [rows, { release_count }] = await Promise.all([
        takeListTurn(() => overviews.releases(page.limit, page.offset)),
        takeListTurn(() => overviews.readStats(clock.now())),
      ]);
      return {
        items: rows.map((row) => ({ ...row, date: row.date ?? "" })),
        pagination: toPagination(page, release_count),
      };
    },

    "models.stats": async () => {
      const warm = [...liveModels.tiers()].filter(([, tier]) => tier === "warm").map(([id]) => id);
      const [figures, warm_count] = await Promise.all([
        takeListTurn(() => overviews.readStats(clock.now())),
        overviews.countPublic(warm),
      ]);
      return { ...figures, warm_count };
    },
  };
}

/** Handlers of the lists that OpenAI's and Anthropic's clients read. */
function clientListRoutes({ catalogue, aliasModels, modelAccess, modelDtos }: Deps): Handlers {
  return {
    "v1.models.list": async ({ actor, query, request, reply }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const { page: number, per_page, perPage = per_page } = query;
      const isAnthropic = isAnthropicClient(request);
      const paged = !isAnthropic && (number !== undefined || perPage !== undefined);
      const page = paged
        ? parsePage({ page: number ?? 1, perPage: perPage ?? 100 })
        : parsePage({ page: 1, perPage: MAX_UNPAGED_MODELS });
      const filters = toCatalogueQuery(query);
      const aliases = Object.keys(filters).length > 0 ? [] : await aliasModels.list(viewer);
      const pageAliases = aliases.slice(page.offset, page.offset + page.limit);
      const [models, dtos] = await Promise.all([
        catalogue.list(viewer, filters, toPageBehind(aliases.length, page)),
        modelDtos.forViewer(viewer),
      ]);
      const total = aliases.length + models.total;
      if (isAnthropic) {
        const named = pageAliases.map(({ name, row }) => ({ ...dtos.toAnthropicModelDto(row), id: name }));
        return sendJson(reply, toAnthropicPage([...named, ...models.rows.map(dtos.toAnthropicModelDto)], query));
      }
      const data = [
        ...pageAliases.map((alias) => toAliasDto(alias, dtos.toOpenAIModelDto(alias.row))),
        ...models.rows.map(dtos.toOpenAIModelDto),
      ];
      const next = page.offset + data.length < total ? nextPageUrl(request.url, paged ? page.page + 1 : null) : null;
      const list = {
        object: "list" as const,
        data,
        total_count: total,
        links: { next },
      };
      return withETag(request, reply, paged ? { ...list, total, pagination: toPagination(page, total) } : list);
    },

    "v1.models.get": async ({ actor, path, request, reply }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const alias = await aliasModels.find(viewer, path.id);
      const filters = { scrape: false, modelClass: undefined };
      const row = alias?.row ?? (await modelAccess.getDetail(actor, viewer, path.id, filters));
      const dtos = await modelDtos.forViewer(viewer);
      if (isAnthropicClient(request))
        return sendJson(reply, { ...dtos.toAnthropicModelDto(row), ...(alias && { id: alias.name }) });
      const model = dtos.toOpenAIDetailDto(row);
      return alias ? toAliasDto(alias, model) : model;
    },
  };
}

/** Returns the part of a page that lies behind the given number of other items. */
function toPageBehind(others: number, { limit, offset, ...page }: Page): Page {
  const shown = Math.min(limit, Math.max(0, others - offset));
  return { ...page, limit: limit - shown, offset: Math.max(0, offset - others) };
}

/** Describes an alias by the first of its models. */
function toAliasDto({ name, models }: AliasModel, model: OpenAIModel): OpenAIModel {
  return { ...model, id: name, alias_of: [...models] };
}

/** Returns whether the request is from a client of Anthropic's API, which sends the API's version. */
function isAnthropicClient({ headers }: FastifyRequest): boolean {
  return headers["anthropic-version"] !== undefined;
}

type AnthropicQuery = { limit?: number; after_id?: string; before_id?: string };

/** A page of Anthropic's list: `has_more` is about the direction in which it is read. Throws for an id that is not in it. */
function toAnthropicPage(models: readonly { id: string }[], { limit, after_id, before_id }: AnthropicQuery): object {
  const size = limit ?? MAX_PAGE_SIZE;
  const isBackwards = after_id === undefined && before_id !== undefined;
  const end = isBackwards ? findPlace(models, "before_id", before_id) : models.length;
  const start = after_id === undefined ? 0 : findPlace(models, "after_id", after_id) + 1;
  const first = isBackwards ? Math.max(0, end - size) : start;
  const data = models.slice(first, Math.min(end, first + size));
  return {
    data,
    has_more: isBackwards ? first > 0 : first + data.length < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function findPlace(models: readonly { id: string }[], param: string, id: string): number {
  const place = models.findIndex((model) => model.id.toLowerCase() === id.toLowerCase());
  if (place >= 0) return place;
  throw errors.invalidRequest(`${param} is not valid: the list has no model ${id}.`, { param });
}

/** Sends a body in Anthropic's form as text, since the schema that serializes the answers of the call is OpenAI's. */
function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.header("vary", "anthropic-version").type("application/json").send(JSON.stringify(value));
}

/** Returns the URL of a page; for null, that of the first page after an unpaged response. */
function nextPageUrl(url: string, page: number | null): string {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  searchParams.set("page", String(page ?? MAX_UNPAGED_MODELS / MAX_PAGE_SIZE + 1));
  if (page === null) searchParams.set("per_page", String(MAX_PAGE_SIZE));
  return `${pathname}?${searchParams}`;
}

/** Converts the filters of `/v1/models` to those of the catalogue. */
function toCatalogueQuery({
  q,
  tags,
  family,
  status,
  available_on_current_plan,
  conversational,
}: OpenAIQuery): CatalogueQuery {
  const isTrue = (text: string) => text === "true" || text === "1";
  return {
    ...(q !== undefined && { search: q }),
    ...(family !== undefined && { family: family.join(",") }),
    ...(tags !== undefined && { tags: tags.join(",") }),
    ...(status !== undefined && { status }),
    ...(available_on_current_plan !== undefined && { callable: isTrue(available_on_current_plan) }),
    ...(conversational !== undefined && { conversational: isTrue(conversational) }),
  };
}
