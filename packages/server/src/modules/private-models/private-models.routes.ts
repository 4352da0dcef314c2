import type { components } from "@feather/openapi/schema";
import { type SignedIn, signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { modelIdOf } from "../../shared/model-keys.ts";
import type { Hosting } from "../model-host/hosting.ts";
import { type Hosted, stateOf } from "./private-model-state.ts";
import type { PrivateModelRow } from "./private-models.repository.ts";
import type { PrivateModels } from "./private-models.usecases.ts";

type PrivateModel = components["schemas"]["PrivateModel"];
type Deps = { privateModels: PrivateModels; hosting: Hosting };

/** Handlers of `privateModels.*`. */
export function privateModelRoutes({ privateModels, hosting }: Deps): Handlers {
  const present = (row: PrivateModelRow) => presentPrivateModel(row, hostedBy(hosting, row));

  return {
    "privateModels.list": async ({ actor }) => ({ items: (await privateModels.list(signedIn(actor))).map(present) }),
    "privateModels.get": async ({ actor, path }) => present(await privateModels.find(signedIn(actor), path.id)),
    "privateModels.compatibility": async ({ path, request }) => {
      const token = request.headers["x-hub-token"];
      return privateModels.compatibility(path.id, typeof token === "string" ? token : undefined);
    },
    "privateModels.create": async ({ actor, path, body }) => {
      const caller: SignedIn = signedIn(actor);
      return present(await privateModels.create(caller, path.id, body ?? {}));
    },
    "privateModels.unload": async ({ actor, path }) => present(await privateModels.unload(signedIn(actor), path.id)),
    "privateModels.delete": async ({ actor, path }) => {
      await privateModels.delete(signedIn(actor), path.id);
      return undefined;
    },
  };
}

function hostedBy({ host, findFor }: Hosting, { model_id: key, organization_id }: PrivateModelRow): Hosted {
  if (!findFor(key, organization_id)) return null;
  if (host.isWarm(key)) return { is: "warm" };
  const reason = host.failure(key);
  if (reason !== null) return { is: "failed", reason };
  const { stage, progress } = host.availability(key) ?? { stage: null, progress: null };
  if (stage === null) return { is: "cold" };
  return stage === "unloading" ? { is: "unloading" } : { is: "loading", progress };
}

function presentPrivateModel(row: PrivateModelRow, hosted: Hosted): PrivateModel {
  const { pull_state, pull_error, pull_updated_at, bytes_done, bytes_total } = row;
  const fetching =
    pull_state === null
      ? null
      : { state: pull_state, bytesDone: bytes_done ?? 0, bytesTotal: bytes_total ?? 0, error: pull_error };
  const updated = pull_updated_at && pull_updated_at > row.updated_at ? pull_updated_at : row.updated_at;
  return {
    id: modelIdOf(row.model_id),
    name: row.name,
    revision: row.revision,
    ...stateOf(fetching, hosted),
    model_class: row.model_class_id,
    created_at: row.created_at.toISOString(),
    updated_at: updated.toISOString(),
  };
}
