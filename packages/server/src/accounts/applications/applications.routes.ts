import type { components } from "@feather/openapi/schema";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { ApplicationsRepository, ApplicationWithOwner } from "./applications.repository.ts";
import type { ApplicationUseCases } from "./applications.usecases.ts";
import { isVerified } from "./verification.ts";

type Application = components["schemas"]["Application"];
type Deps = { applications: ApplicationUseCases; applicationsRepository: ApplicationsRepository };

/** Handlers of the applications of an organization, and of the admins' list. */
export function createApplicationRoutes({ applications, applicationsRepository }: Deps): Handlers {
  return {
    "applications.list": async ({ actor }) => ({
      items: (await applicationsRepository.list(actor.organizationId)).map(toApplicationDto),
    }),

    "applications.get": async ({ actor, path }) => {
      const row = await applicationsRepository.find(actor.organizationId, path.id);
      if (!row) throw errors.applications.notFound();
      return toApplicationDto(row);
    },

    "applications.create": async ({ actor, body, reply }) => {
      const { row, secret } = await applications.create(actor, body);
      reply.header("cache-control", "no-store");
      return { ...toApplicationDto(row), client_secret: secret };
    },

    "applications.update": async ({ actor, path, body }) =>
      toApplicationDto(await applications.update(actor, path.id, body)),

    "applications.delete": async ({ actor, path }) => {
      await applications.delete(actor, path.id);
      return undefined;
    },

    "applications.setStatus": async ({ actor, path, body }) =>
      toApplicationDto(await applications.setStatus(actor, path.id, body.status)),

    "applications.regenerateSecret": async ({ actor, path, reply }) => {
      const { row, secret, graceEndsAt } = await applications.regenerateSecret(actor, path.id);
      reply.header("cache-control", "no-store");
      return { ...toApplicationDto(row), client_secret: secret, old_secret_valid_until_at: graceEndsAt.toISOString() };
    },

    "admin.applications": async ({ query }) => {
      const { search, status, client_type, organization_id } = query;
      const filter = {
        ...(search !== undefined && { search }),
        ...(status !== undefined && { status }),
        ...(client_type !== undefined && { client_type }),
        ...(organization_id !== undefined && { organization_id }),
      };
      const page = parsePage(query);
      const { rows, total } = await applicationsRepository.listAll(filter, page);
      return { items: rows.map(toApplicationDto), pagination: toPagination(page, total) };
    },
  };
}

function toApplicationDto(row: ApplicationWithOwner): Application {
  const { id, name, description, homepage_url, logo_url, redirect_uris, organization_id, organization_name } = row;
  return {
    id,
    name,
    description,
    homepage_url,
    logo_url,
    redirect_uris,
    scopes: row.scopes as Application["scopes"],
    client_type: row.client_type as Application["client_type"],
    device_flow: row.device_flow,
    verified: isVerified(row),
    status: row.status as Application["status"],
    owner: organization_id === null ? null : { id: organization_id, name: organization_name ?? "" },
    created_at: row.created_at.toISOString(),
  };
}
