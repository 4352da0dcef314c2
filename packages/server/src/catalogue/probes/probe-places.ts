import { type Backend, type BackendRegistry, isUsable } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { costsMoney, type ProbePlace } from "./costs-money.ts";
import type { ProbedModel } from "./probe-model.ts";

type Deps = {
  registry: Pick<BackendRegistry, "candidates" | "lastAnswerAt" | "list">;
  clock: Clock;
  dailyCents: number;
};

/** The models of providers that are asked in one run of the job, so that a list of hundreds meets no limit of requests. */
const MAX_PAID_PLACES = 20;

/** The programs that run models themselves. Others may be proxies that pass calls on to providers. */
const RUNNING_PROGRAMS: ReadonlySet<string> = new Set([
  "engine",
  "llama-server",
  "lm-studio",
  "ollama",
  "sglang",
  "vllm",
]);

/**
 * Returns why a model cannot be asked at a backend now; null if it can. Nothing is loaded for it, and what a call costs has to
 * be known before.
 */
export function findObstacle({ clock, dailyCents }: Deps, { backend, modelKey }: ProbePlace): string | null {
  if (!backend.models.has(modelKey)) return "It does not run the model.";
  if (!isUsable(backend, clock.now().getTime()))
    return "It gets no calls for a while, because several have failed or it cannot be reached.";
  if (backend.ownKeys === "required") return "It is called with keys of organizations alone.";
  if (backend.unloaded.has(modelKey)) return "The model is not loaded there.";
  if (!costsMoney({ backend, modelKey })) return null;
  if (dailyCents === 0) return "Calls to providers have no budget (FEATHER_PROBES_DAILY_CENTS).";
  return backend.places?.get(modelKey)?.price ? null : "It does not state what the model costs.";
}

/** Returns the backends that answer calls to a shared model. Those of private deployments are left out. */
export function listBackendsOf({ registry }: Deps, modelKey: string): Backend[] {
  return registry.candidates(modelKey).filter(({ source }) => source !== "deployment");
}

/** Returns whether the costs of calls are known, so that they may be made without a request of an administrator. */
function isCostKnown(place: ProbePlace): boolean {
  const { source, program = "other" } = place.backend;
  return costsMoney(place) || source === "engine" || RUNNING_PROGRAMS.has(program);
}

/**
 * Returns the models that can be asked and at which backends: first those that cost nothing, then the others, the most
 * recently called ones first. Backends here whose program is unknown are left out, since they may pass calls on.
 */
export function listPlaces(deps: Deps): ProbePlace[] {
  const { registry } = deps;
  const places = registry
    .list()
    .flatMap((backend) => [...backend.models.keys()].map((modelKey) => ({ backend, modelKey })))
    .filter((place) => isCostKnown(place) && findObstacle(deps, place) === null)
    .filter(({ backend, modelKey }) => listBackendsOf(deps, modelKey).includes(backend));
  const paid = places
    .filter(costsMoney)
    .sort((a, b) => registry.lastAnswerAt(b.modelKey) - registry.lastAnswerAt(a.modelKey));
  return [...places.filter((place) => !costsMoney(place)), ...paid];
}

/** Returns the places of a run of the job: of those that cost money only the first. */
export function takePlaces(places: readonly ProbePlace[]): ProbePlace[] {
  let paid = 0;
  return places.filter((place) => !costsMoney(place) || ++paid <= MAX_PAID_PLACES);
}

/** Returns those of the models that chat and may be called, by key. */
export async function findChatModels(db: Database, keys: readonly string[]): Promise<Map<string, ProbedModel>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom("models")
    .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
    .select([
      "models.id",
      "models.context_length",
      "model_classes.context_length as class_context_length",
      "models.input_modalities",
      "output_modalities",
      "tags",
    ])
    .where("models.id", "in", [...new Set(keys)])
    .where("disabled_at", "is", null)
    .execute();
  return new Map(
    rows
      .filter(({ tags, output_modalities }) => output_modalities.includes("text") && !tags.includes("embedding"))
      .map(({ id, context_length, class_context_length, input_modalities }) => [
        id,
        {
          readsImages: input_modalities.includes("image"),
          contextLength: context_length ?? class_context_length,
        },
      ]),
  );
}
