import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { AdminModels } from "./admin-models.usecases.ts";
import type { ModelDtos } from "./catalogue.dto.ts";
import type { CatalogueRepository, ModelRow } from "./catalogue.repository.ts";
import { type Catalogue, modelNotFound } from "./catalogue.usecases.ts";
import type { CatalogueQuery } from "./listing/catalogue.query.ts";
import type { ModelsRepository } from "./models.repository.ts";
import type { Viewer } from "./viewer.ts";

type AdminModel = components["schemas"]["AdminModel"];
type Deps = {
  catalogueRepository: CatalogueRepository;
  catalogue: Catalogue;
  modelsRepository: ModelsRepository;
  adminModels: AdminModels;
  modelDtos: ModelDtos;
};

/** Handlers of `admin.models.*`: administrators read and change the catalogue. */
export function adminModelRoutes({
  catalogueRepository,
  catalogue,
  modelsRepository,
  adminModels,
  modelDtos,
}: Deps): Handlers {
  async function toAdminModelDtos(viewer: Viewer, rows: readonly ModelRow[]): Promise<AdminModel[]> {
    const [dtos, counts] = await Promise.all([
      modelDtos.forViewer(viewer),
      modelsRepository.countRequests(rows.map(({ key }) => key)),
    ]);
    return rows.map((row) => ({
      ...dtos.toModelDto(row),
      id: row.key, // private models of several organizations may share an id; the key is unique
      disabled: row.disabled_at !== null,
      plan_ids: row.plan_ids,
      source: row.source,
      hub_revision: row.hub_revision,
      request_count: counts.get(row.key) ?? 0,
    }));
  }

  async function getModel(viewer: Viewer, id: string): Promise<AdminModel> {
    const row = await catalogueRepository.findByKey(id, viewer);
    const [model] = row ? await toAdminModelDtos(viewer, [row]) : [];
    if (!row || !model) throw modelNotFound(id);
    return { ...model, readme: row.readme };
  }

  return {
    "admin.models.list": async ({ actor, query }) => {
      const viewer = await catalogue.resolveViewer(actor);
      const page = parsePage(query);
      const { search, status } = query;
      const catalogueQuery: CatalogueQuery = {
        ...(search !== undefined && { search }),
        ...(status !== undefined && { status }),
      };
      const { rows, total } = await catalogue.list({ ...viewer, seesAll: true }, catalogueQuery, page);
      return { items: await toAdminModelDtos(viewer, rows), pagination: toPagination(page, total) };
    },

    "admin.models.create": async ({ actor, body }) => {
      const id = await adminModels.create(actor, body);
      return getModel(await catalogue.resolveViewer(actor), id);
    },

    "admin.models.get": async ({ actor, path }) => getModel(await catalogue.resolveViewer(actor), path.id),

    "admin.models.update": async ({ actor, path, body }) => {
      await adminModels.update(actor, path.id, body);
      return getModel(await catalogue.resolveViewer(actor), path.id);
    },

    "admin.models.delete": async ({ actor, path }) => {
      await adminModels.delete(actor, path.id);
      return undefined;
    },

    "admin.models.import": async ({ actor, body }) => ({
      results: await adminModels.import(actor, body.ids, body.access_token, body.model_class),
    }),

    "admin.models.requests": async ({ query }) => {
      const page = parsePage(query);
      const { rows, total } = await modelsRepository.listRequests(page.limit, page.offset);
      return {
        items: rows.map((row) => ({
          ...row,
          first_requested_at: row.first_requested_at.toISOString(),
          last_requested_at: row.last_requested_at.toISOString(),
        })),
        pagination: toPagination(page, total),
      };
    },
  };
}
