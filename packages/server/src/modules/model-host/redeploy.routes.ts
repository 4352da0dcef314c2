import type { Audit } from "../../core/audit.ts";
import type { Database } from "../../core/db/connect.ts";
import { errors } from "../../core/errors/index.ts";
import type { Handlers } from "../../core/http/handlers.ts";
import type { Hosting } from "./hosting.ts";

type Deps = { db: Database; hosting: Hosting; audit: Audit };

/** Handler of `admin.models.redeploy`: reloads a model on this machine. */
export function redeployRoutes({ db, hosting: { host }, audit }: Deps): Handlers {
  const findModel = (id: string) =>
    db.selectFrom("models").select("id").where("id_lower", "=", id.toLowerCase()).executeTakeFirst();

  return {
    "admin.models.redeploy": async ({ actor, path }) => {
      const id = (await findModel(path.id))?.id;
      if (id === undefined) throw errors.modelNotFound(`There is no model called ${path.id}.`);
      if (!host.find(id)) throw errors.models.notHosted({ model: id });
      await audit.record({ actor: actor, action: "models.redeploy", target: id });
      host.reload(id);
      return { id, status: "pending_deploy" };
    },
  };
}
