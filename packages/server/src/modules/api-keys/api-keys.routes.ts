import type { components } from "@feather/openapi/schema";
import type { Selectable, Updateable } from "kysely";
import type { ApiKeys } from "../../db/schema.generated.ts";
import { type SignedIn, signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { PlansRepository } from "../plans/plans.repository.ts";
import type { ApiKeysRepository } from "./api-keys.repository.ts";
import { refuseBadNetworks } from "./networks.ts";

type ApiKey = components["schemas"]["ApiKey"];
type ApiKeyChange = components["schemas"]["ApiKeyUpdate"];
type KeyColumns = Omit<ApiKeyChange, "name" | "expires_at"> & { name?: string; expires_at?: Date | null };
type Deps = {
  keys: ApiKeysRepository;
  plans: PlansRepository;
  clock: Clock;
  ids: Ids;
  forgetKeys(): void;
  random?: RandomBytes;
};

export function apiKeyRoutes({ keys, plans, clock, ids, forgetKeys, random }: Deps): Handlers {
  async function change(actor: SignedIn, id: string, values: Updateable<ApiKeys>) {
    const row = await keys.update(actor.organizationId, id, values);
    if (!row) throw noSuchKey();
    forgetKeys();
    return row;
  }

  return {
    "apiKeys.list": async ({ actor, query }) => {
      const { organizationId } = signedIn(actor);
      const page = pageOf(query);
      const [rows, total] = await Promise.all([
        keys.list(organizationId, page.limit, page.offset),
        keys.count(organizationId),
      ]);
      return { items: rows.map(present), pagination: pagination(page, total) };
    },

    "apiKeys.get": async ({ actor, path }) => {
      const row = await keys.find(signedIn(actor).organizationId, path.id);
      if (!row) throw noSuchKey();
      return present(row);
    },

    "apiKeys.create": async ({ actor, body }) => {
      const user = signedIn(actor);
      const { plan } = await plans.current(user.organizationId);
      const secret = newSecret("rc", random);
      const scopes = body.scopes ?? ["api.access" as const];
      const values = columns({ ...body, scopes }, user); // the scope given by default is one the maker must have too
      const row = await keys.create(
        {
          ...values,
          scopes,
          id: ids.next("key"),
          organization_id: user.organizationId,
          created_by: user.userId,
          name: body.name.trim(),
          prefix: secret.slice(0, 7),
          last4: secret.slice(-4),
          secret_hash: hashSecret(secret),
          created_at: clock.now(),
        },
        plan.api_keys_max,
      );
      if (!row) throw tooManyKeys(plan.name, plan.api_keys_max);
      forgetKeys(); // a request with this secret may have been refused, and remembered so, before it existed
      return { ...present(row), secret };
    },

    "apiKeys.update": async ({ actor, path, body }) => {
      const user = signedIn(actor);
      const values = columns(body, user);
      if (Object.keys(values).length > 0) return present(await change(user, path.id, values));
      const row = await keys.find(user.organizationId, path.id);
      if (!row) throw noSuchKey();
      return present(row);
    },

    "apiKeys.delete": async ({ actor, path }) => {
      await change(signedIn(actor), path.id, { deleted_at: clock.now() });
      return undefined;
    },
  };
}

function columns(body: ApiKeyChange, user: SignedIn): KeyColumns {
  const scope = body.scopes?.find((wanted) => !user.scopes.includes(wanted) || (wanted === "admin" && !user.isAdmin));
  if (scope)
    throw new AppError(403, "key_scope_denied", `You cannot give a key the scope ${scope}, which you lack yourself.`, {
      param: "scopes",
      details: { scope },
    });
  if (body.ip_allowlist) refuseBadNetworks(body.ip_allowlist);
  const { name, expires_at, ...rest } = body;
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
  };
}

function present(row: Selectable<ApiKeys>): ApiKey {
  const { organization_id: _, secret_hash: __, deleted_at: ___, ...key } = row;
  return {
    ...key,
    scopes: key.scopes as ApiKey["scopes"],
    limit_reset: key.limit_reset as ApiKey["limit_reset"],
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
  };
}

function noSuchKey(): AppError {
  return notFound("There is no API key with this id.", "api_keys.not_found");
}

function tooManyKeys(plan: string, max: number): AppError {
  return new AppError(
    409,
    "api_keys.limit_reached",
    `The plan ${plan} allows ${max} keys. Delete one, or change the plan.`,
    { details: { limit: max } },
  );
}
