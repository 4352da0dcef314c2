import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import { isVerified } from "../oauth/authorize.usecases.ts";
import type { ApplicationsRepository, OwnedApplication } from "./applications.repository.ts";
import { type ApplicationUseCases, noSuchApplication } from "./applications.usecases.ts";

type Application = components["schemas"]["Application"];
type Deps = { applications: ApplicationUseCases; applicationRows: ApplicationsRepository };

/** Handlers of the applications of an organization, and of the admins' list. */
export function applicationRoutes({ applications, applicationRows }: Deps): Handlers {
  return {
    "applications.list": async ({ actor }) => ({
      items: (await applicationRows.list(signedIn(actor).organizationId)).map(present),
    }),

    "applications.get": async ({ actor, path }) => {
      const row = await applicationRows.find(signedIn(actor).organizationId, path.id);
      if (!row) throw noSuchApplication();
      return present(row);
    },

    "applications.create": async ({ actor, body, reply }) => {
      const { row, secret } = await applications.create(signedIn(actor), body);
      reply.header("cache-control", "no-store");
      return { ...present(row), client_secret: secret };
    },

    "applications.update": async ({ actor, path, body }) =>
      present(await applications.update(signedIn(actor), path.id, body)),

    "applications.delete": async ({ actor, path }) => {
      await applications.delete(signedIn(actor), path.id);
      return undefined;
    },

    "applications.setStatus": async ({ actor, path, body }) =>
      present(await applications.setStatus(signedIn(actor), path.id, body.status)),

    "applications.regenerateSecret": async ({ actor, path, reply }) => {
      const { row, secret, graceEnds } = await applications.regenerateSecret(signedIn(actor), path.id);
      reply.header("cache-control", "no-store");
      return { ...present(row), client_secret: secret, old_secret_valid_until_at: graceEnds.toISOString() };
    },

    "admin.applications": async ({ query }) => {
      const { search, status, client_type, organization_id } = query;
      const filter = {
        ...(search !== undefined && { search }),
        ...(status !== undefined && { status }),
        ...(client_type !== undefined && { client_type }),
        ...(organization_id !== undefined && { organization_id }),
      };
      const page = pageOf(query);
      const { rows, total } = await applicationRows.listAll(filter, page);
      return { items: rows.map(present), pagination: pagination(page, total) };
    },
  };
}

function present(row: OwnedApplication): Application {
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
