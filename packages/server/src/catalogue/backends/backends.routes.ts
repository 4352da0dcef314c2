import type { Audit } from "../../platform/core/audit.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { BackendsUseCases } from "./backends.usecases.ts";

/** Handlers of `admin.backends.*`. */
export function backendRoutes({ backends, audit }: { backends: BackendsUseCases; audit: Audit }): Handlers {
  return {
    "admin.backends.list": async () => ({ items: await backends.list() }),

    "admin.backends.get": ({ path }) => backends.get(path.id),

    "admin.backends.create": async ({ actor, body }) => {
      const backend = await backends.create(body);
      const { name, base_url, own_keys } = backend;
      const details = { name, base_url, own_keys };
      await audit.record({ actor: actor, action: "backends.create", target: backend.id, details });
      return backend;
    },

    "admin.backends.update": async ({ actor, path, body }) => {
      const backend = await backends.update(path.id, body);
      const { name, base_url, enabled, own_keys } = backend;
      const details = { name, base_url, enabled, own_keys };
      await audit.record({ actor: actor, action: "backends.update", target: backend.id, details });
      return backend;
    },

    "admin.backends.delete": async ({ actor, path }) => {
      await backends.delete(path.id);
      await audit.record({ actor: actor, action: "backends.delete", target: path.id });
      return undefined;
    },

    "admin.backends.addKey": async ({ actor, path, body }) => {
      const key = await backends.addKey(path.id, body);
      await audit.record({ actor, action: "backends.add_key", target: path.id, details: { label: key.label } });
      return key;
    },

    "admin.backends.updateKey": async ({ actor, path, body }) => {
      const key = await backends.updateKey(path.id, path.keyId, body);
      const { label, weight } = key;
      await audit.record({ actor, action: "backends.update_key", target: path.id, details: { label, weight } });
      return key;
    },

    "admin.backends.removeKey": async ({ actor, path }) => {
      const label = await backends.removeKey(path.id, path.keyId);
      await audit.record({ actor, action: "backends.remove_key", target: path.id, details: { label } });
      return undefined;
    },

    "admin.backends.test": ({ path, body }) => backends.test(path.id, body?.model),
  };
}
