import type { BackendRegistry } from "../../gateway/backends/registry.ts";
import type { Actor } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import { notFound } from "../../shared/errors.ts";
import type { CurrentPlan, PlansRepository } from "../plans/plans.repository.ts";
import type { Presenter } from "./catalogue.present.ts";
import type { CatalogueContext, CatalogueQuery } from "./catalogue.query.ts";
import type { CatalogueRepository } from "./catalogue.repository.ts";

type Deps = {
  catalogue: CatalogueRepository;
  plans: PlansRepository;
  registry: BackendRegistry;
  present: Presenter;
};

const ALL = 100_000;

export function catalogueRoutes({ catalogue, plans, registry, present }: Deps): Handlers {
  const planOf = async (actor: Actor): Promise<CurrentPlan | null> =>
    actor.kind === "user" ? plans.current(actor.organizationId) : null;
  const contextOf = (actor: Actor, plan: CurrentPlan | null): CatalogueContext => ({
    organizationId: actor.kind === "user" ? actor.organizationId : null,
    warm: registry.warmModels(),
    maxModelSize: plan?.plan.max_model_size,
  });

  async function detail(actor: Actor, id: string) {
    const row = await catalogue.find(id, actor.kind === "user" ? actor.organizationId : null);
    if (!row) throw notFound(`There is no model called ${id}.`, "model_not_found");
    return { row, plan: await planOf(actor) };
  }

  return {
    "models.list": async ({ actor, query }) => {
      const { facets, page: _, perPage: __, per_page: ___, ...filters } = query;
      const wanted = filters as CatalogueQuery;
      const plan = await planOf(actor);
      const context = contextOf(actor, plan);
      const page = pageOf(query);
      const [rows, total, counts] = await Promise.all([
        catalogue.list(wanted, context, page.limit, page.offset),
        catalogue.count(wanted, context),
        facets === 1 ? catalogue.facets(wanted, context) : undefined,
      ]);
      return {
        items: rows.map((row) => present.model(row, plan)),
        pagination: pagination(page, total),
        ...(counts && { facets: counts }),
      };
    },

    "models.get": async ({ actor, path }) => {
      const { row, plan } = await detail(actor, path.id);
      const { readme, ...model } = row;
      return { ...present.model(model, plan), readme };
    },

    "models.families": async () => ({ items: await catalogue.families() }),

    "models.classes": async () => ({
      items: (await catalogue.classes()).map(({ family_id, ...row }) => ({ ...row, family: family_id })),
    }),

    "models.popular": async () => {
      const rows = await catalogue.popular();
      const most = rows[0]?.requests_7d ?? 1;
      return { popular: rows.map((row) => ({ ...row, score: row.requests_7d / most })) };
    },

    "models.releases": async ({ query }) => {
      const page = pageOf(query);
      const [rows, { release_count }] = await Promise.all([
        catalogue.releases(page.limit, page.offset),
        catalogue.stats(),
      ]);
      return {
        items: rows.map((row) => ({ ...row, date: row.date ?? "" })),
        pagination: pagination(page, release_count),
      };
    },

    "models.stats": async () => ({ ...(await catalogue.stats()), warm_count: registry.warmModels().length }),

    "v1.models.list": async ({ actor, query }) => {
      const plan = await planOf(actor);
      const wanted: CatalogueQuery = {
        ...(query.q !== undefined && { search: query.q }),
        ...(query.family !== undefined && { family: query.family }),
        ...(query.tags !== undefined && { tags: query.tags }),
        ...((query.available_on_current_plan === "true" || query.available_on_current_plan === "1") && {
          callable: true,
        }),
        ...(query.status === "active" && { availability: "warm" as const }),
      };
      const context = contextOf(actor, plan);
      const paged = query.page !== undefined || query.per_page !== undefined;
      const page = pageOf({ page: query.page ?? 1, perPage: query.per_page ?? (paged ? 100 : ALL) });
      const rows = await catalogue.list(wanted, context, page.limit, page.offset);
      const data = rows.map((row) => present.openAI(row, plan));
      if (!paged) return { object: "list", data };
      const total = await catalogue.count(wanted, context);
      return { object: "list", data, total, pagination: pagination(page, total) };
    },

    "v1.models.get": async ({ actor, path }) => {
      const { row, plan } = await detail(actor, path.id);
      return present.openAI(row, plan);
    },
  };
}
