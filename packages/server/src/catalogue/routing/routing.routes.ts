import type { Audit } from "../../platform/core/audit.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Routing } from "./routing.usecases.ts";

/** Handlers of `admin.routing.*`. */
export function routingRoutes({ routing, audit }: { routing: Routing; audit: Audit }): Handlers {
  return {
    "admin.routing.get": () => routing.readRules(),

    "admin.routing.update": async ({ actor, body }) => {
      const rules = await routing.setRules(body);
      await audit.record({ actor, action: "routing.update", details: { ...rules } });
      return rules;
    },

    "admin.routing.aliases.list": async () => ({ items: await routing.listAliases() }),

    "admin.routing.aliases.set": async ({ actor, path, body }) => {
      const alias = await routing.setAlias(path.name, body.models);
      const details = { models: alias.models };
      await audit.record({ actor, action: "routing.set_alias", target: alias.name, details });
      return alias;
    },

    "admin.routing.aliases.delete": async ({ actor, path }) => {
      await routing.deleteAlias(path.name);
      await audit.record({ actor, action: "routing.delete_alias", target: path.name.toLowerCase() });
      return undefined;
    },
  };
}
