import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { findObstacle, listBackendsOf } from "./probe-places.ts";
import { toProbeDtos } from "./probes.dto.ts";
import { MAX_RUN_MS, type ProbeRunRow, type ProbesRepository } from "./probes.repository.ts";

type PlaceDto = components["schemas"]["ProbedPlace"];
type Deps = Parameters<typeof findObstacle>[0] & {
  db: Database;
  probesRepository: ProbesRepository;
  audit: Audit;
  clock: Clock;
};

/** Handlers of `admin.models.probes.*`: administrators have a model asked what it can do, and follow it. */
export function probeRoutes(deps: Deps): Handlers {
  const { probesRepository, audit, clock } = deps;
  return {
    "admin.models.probes.list": async ({ path }) => ({ items: await listPlaces(deps, await findKey(deps, path.id)) }),

    "admin.models.probes.create": async ({ actor, path }) => {
      const modelKey = await findKey(deps, path.id);
      const backends = listBackendsOf(deps, modelKey)
        .filter((backend) => findObstacle(deps, { backend, modelKey }) === null)
        .map(({ name }) => name);
      await probesRepository.request(modelKey, backends, clock.now());
      await audit.record({ actor, action: "models.probe", target: modelKey });
      return { items: await listPlaces(deps, modelKey) };
    },
  };
}

/** Returns the key of a model by its id in any letter case. Throws `model_not_found`. */
async function findKey({ db }: Deps, id: string): Promise<string> {
  const row = await db.selectFrom("models").select("id").where("id_lower", "=", id.toLowerCase()).executeTakeFirst();
  if (!row) throw errors.modelNotFound(`There is no model called ${id}.`);
  return row.id;
}

async function listPlaces(deps: Deps, modelKey: string): Promise<PlaceDto[]> {
  const { probesRepository, clock } = deps;
  const [runs, results] = await Promise.all([
    probesRepository.listRuns(modelKey),
    probesRepository.listResults(modelKey),
  ]);
  return listBackendsOf(deps, modelKey).map((backend) => {
    const run = runs.find((row) => row.backend === backend.name);
    return {
      backend: backend.name,
      hosted: backend.hosted,
      state: toState(run, clock.now()),
      obstacle: findObstacle(deps, { backend, modelKey }),
      note: run?.note ?? null,
      started_at: run?.started_at?.toISOString() ?? null,
      finished_at: run?.finished_at?.toISOString() ?? null,
      results: toProbeDtos(
        deps,
        results.filter((row) => row.backend === backend.name),
        true,
      ),
    };
  });
}

function toState(run: ProbeRunRow | undefined, now: Date): PlaceDto["state"] {
  if (run === undefined) return "never";
  if (run.requested_at !== null) return "waiting";
  const hasDied = run.started_at !== null && now.getTime() - run.started_at.getTime() > MAX_RUN_MS;
  return run.finished_at === null && !hasDied ? "running" : "ended";
}
