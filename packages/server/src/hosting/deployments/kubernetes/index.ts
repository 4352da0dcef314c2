import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { BUILT_IN_MODELS } from "../../runtimes/index.ts";
import { createClusterClient } from "./cluster-client.ts";
import type { KubernetesSettings } from "./kubernetes.settings.ts";
import { type ClusterProvider, createKubernetesProvider } from "./kubernetes-provider.ts";
import type { ModelSources } from "./model-files.ts";

/** Address and token of the hub from which pods download; the address is null if a folder is used as the hub. */
export type HubForPods = { url: string | null; token: string | undefined };

type Ports = {
  db: Database;
  settings: KubernetesSettings;
  hub: HubForPods;
  findFiles: ModelSources["findFiles"];
  clock: Clock;
  log: Logger;
};

/** Creates the provider that runs deployments in a cluster; null while FEATHER_KUBERNETES is off. */
export function createKubernetes({ db, settings, hub, findFiles, clock, log }: Ports): ClusterProvider | null {
  if (settings.connection === "off") return null;
  return createKubernetesProvider({
    settings,
    clock,
    log,
    api: createClusterClient(settings),
    sources: {
      hubUrl: hub.url,
      serverUrl: settings.serverUrl ?? null,
      findFiles,
      hasEngineImage: settings.engineImage !== undefined,
      builtInModels: new Set(BUILT_IN_MODELS.map(({ id }) => id)),
    },
    hubToken: hub.token,
    loadOwner: () => readOwner(db),
    createToken: () => randomBytes(32).toString("base64url"),
  });
}

/** Returns the id of this installation, which labels its objects. It is stored in the database. */
async function readOwner(db: Database): Promise<string> {
  return (await db.selectFrom("kubernetes_owner").select("id").executeTakeFirstOrThrow()).id;
}
