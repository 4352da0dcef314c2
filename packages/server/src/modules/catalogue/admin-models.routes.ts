import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { AdminModels } from "./admin-models.usecases.ts";
import type { Presenter } from "./catalogue.present.ts";
import type { CatalogueQuery } from "./catalogue.query.ts";
import type { CatalogueRepository, ModelRow } from "./catalogue.repository.ts";
import { type Catalogue, noSuchModel } from "./catalogue.usecases.ts";
import type { ModelsRepository } from "./models.repository.ts";
import type { Reader } from "./reader.ts";

type AdminModel = components["schemas"]["AdminModel"];
type Deps = {
  catalogue: CatalogueRepository;
  catalogueOf: Catalogue;
  modelRows: ModelsRepository;
  adminModels: AdminModels;
  present: Presenter;
};

/** Handlers of `admin.models.*`: the catalogue as administrators read and change it. */
export function adminModelRoutes({ catalogue, catalogueOf, modelRows, adminModels, present }: Deps): Handlers {
  async function shown(reader: Reader, rows: readonly ModelRow[]): Promise<AdminModel[]> {
    const [writer, counts] = await Promise.all([
      present.to(reader),
      modelRows.requestCounts(rows.map(({ key }) => key)),
    ]);
    return rows.map((row) => ({
      ...writer.model(row),
      id: row.key, // private models of several organizations may share an id; the key is unique
      disabled: row.disabled_at !== null,
      plan_ids: row.plan_ids,
      source: row.source,
      hub_revision: row.hub_revision,
      request_count: counts.get(row.key) ?? 0,
    }));
  }

  async function one(reader: Reader, id: string): Promise<AdminModel> {
    const row = await catalogue.findByKey(id, reader);
    const [model] = row ? await shown(reader, [row]) : [];
    if (!row || !model) throw noSuchModel(id);
    return { ...model, readme: row.readme };
  }

  return {
    "admin.models.list": async ({ actor, query }) => {
      const reader = await catalogueOf.readerOf(actor);
      const page = pageOf(query);
      const { search, status } = query;
      const wanted: CatalogueQuery = {
        ...(search !== undefined && { search }),
        ...(status !== undefined && { status }),
      };
      const { rows, total } = await catalogueOf.list({ ...reader, seesAll: true }, wanted, page);
      return { items: await shown(reader, rows), pagination: pagination(page, total) };
    },

    "admin.models.create": async ({ actor, body }) => {
      const id = await adminModels.create(signedIn(actor), body);
      return one(await catalogueOf.readerOf(actor), id);
    },

    "admin.models.get": async ({ actor, path }) => one(await catalogueOf.readerOf(actor), path.id),

    "admin.models.update": async ({ actor, path, body }) => {
      await adminModels.update(signedIn(actor), path.id, body);
      return one(await catalogueOf.readerOf(actor), path.id);
    },

    "admin.models.delete": async ({ actor, path }) => {
      await adminModels.delete(signedIn(actor), path.id);
      return undefined;
    },

    "admin.models.import": async ({ actor, body }) => ({
      results: await adminModels.import(signedIn(actor), body.ids, body.access_token, body.model_class),
    }),

    "admin.models.requests": async ({ query }) => {
      const page = pageOf(query);
      const { rows, total } = await modelRows.requests(page.limit, page.offset);
      return {
        items: rows.map((row) => ({
          ...row,
          first_requested_at: row.first_requested_at.toISOString(),
          last_requested_at: row.last_requested_at.toISOString(),
        })),
        pagination: pagination(page, total),
      };
    },
  };
}
