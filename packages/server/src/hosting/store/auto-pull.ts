import { LRUCache } from "lru-cache";
import type { ColdCall, Loading, ModelHost } from "../../gateway/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import { impersonatorOf, type SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { AppError } from "../../platform/core/errors/index.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../platform/core/time.ts";
import type { PullEstimate } from "./pull-estimate.ts";
import type { PullRow } from "./rows/pull-rows.ts";
import { pullEnded, tooManyAutomaticPulls } from "./store.errors.ts";
import type { StoreRepository } from "./store.repository.ts";
import type { StoreSettings } from "./store.settings.ts";
import type { ModelStore } from "./store.usecases.ts";

type Deps = {
  db: Database;
  mode: StoreSettings["autoPull"];
  /** Loads models whose files are on this machine. */
  host: ModelHost & { find(key: string): object | null };
  /** Estimates whether a model can be loaded on this machine. */
  fit: { of(model: SizedModel): { verdict: string } };
  modelStore: Pick<ModelStore, "pullPublic">;
  files: StoreRepository;
  pullEstimate: PullEstimate;
  audit: Audit;
  clock: Clock;
  /** How long a call waits for the lookup on the hub, in milliseconds. */
  lookupWaitMs?: number;
};

type SizedModel = {
  key: string;
  parameterSize: number | null;
  contextLength: number | null;
  source: { preciseBytes: number | null; smallestBytes: number } | null;
  safetensors: { bytes: number; bytesPerToken: number } | null;
};

type Context = Deps & {
  /** Lookups on the hub that are in progress, by the keys of their models. */
  lookups: Map<string, Promise<PullRow | null>>;
  problems: Problems;
};

/** The number of unfinished downloads that the calls and requests of an organization may have started. */
const MAX_PULLS_OF_ORGANIZATION = 2;
const LOOKUP_WAIT_MS = 5 * SECOND_MS;
/** After a model could not be downloaded, how long calls do not look it up again. */
const PROBLEM_MS = 10 * MINUTE_MS;
/** After an administrator canceled a download, how long calls do not start it again. */
const CANCELED_MS = DAY_MS;
const MAX_PROBLEMS = 1_000;
const FITTING = ["fits", "fits_quantized"];
/** The source of models that only the operator's backends offer, so that the hub need not have them. */
const BACKEND_SOURCE = "backend";

/**
 * Creates the downloads of catalogue models that are called or requested and are not on this machine. Its `host` wraps the
 * given one: it wakes models that the given host has, and starts the download of others.
 */
export function createAutoPull(deps: Deps) {
  const { clock, host } = deps;
  const context: Context = {
    ...deps,
    lookups: new Map(),
    problems: createProblems(clock),
  };
  const port: ModelHost = {
    wake: (key, call) => wakeOrPull(context, key, call),
    state: (key, call) => readState(context, key, call),
    loadingProblem: (key) => host.loadingProblem?.(key) ?? context.problems.get(key) ?? null,
  };
  return {
    host: port,
    /**
     * Starts the download of a requested model if the caller may start downloads. The caller has checked the rules of the
     * plan.
     */
    request: (call: ColdCall): Promise<Loading | null> => wakeOrPull(context, call.model.key, call),
  };
}

/** Starts downloads of catalogue models that are called or requested. */
export type AutoPull = ReturnType<typeof createAutoPull>;

async function wakeOrPull(context: Context, key: string, call: ColdCall | undefined): Promise<Loading | null> {
  const { host, problems } = context;
  if (host.find(key) !== null) return host.wake(key);
  const known = await readPull(context, key);
  if (known) return known;
  if (!call || !(await mayStart(context, call))) {
    problems.delete(key);
    return null;
  }
  return problems.get(key) === null ? startOnce(context, call) : null;
}

/**
 * Returns the progress of a model without starting anything. `cold` with stage `downloading` means that a call would start
 * its download; null means that it would not.
 */
async function readState(context: Context, key: string, call: ColdCall | undefined): Promise<Loading | null> {
  const { host, problems } = context;
  if (host.find(key) !== null) return host.state(key);
  const known = await readPull(context, key);
  if (known || !call || problems.get(key) !== null || !(await mayStart(context, call))) return known;
  return { tier: "cold", stage: "downloading", progress: null, readyAt: null };
}

/**
 * Returns the progress of a model's download; null if none is in progress. Stores why the last one did not succeed in
 * `problems`.
 */
async function readPull(context: Context, key: string): Promise<Loading | null> {
  const { files, problems, pullEstimate, lookups } = context;
  const row = await files.findLatestPublicPull(key);
  if (row && ["queued", "downloading", "verifying", "converting"].includes(row.state)) {
    problems.delete(key);
    return pullEstimate.toLoading(row);
  }
  const problem = row ? findProblem(context, row) : null;
  if (problem !== null) problems.set(key, problem, MINUTE_MS);
  return lookups.has(key) ? LOOKING_UP : null;
}

const LOOKING_UP: Loading = { tier: "loading", stage: "queued", progress: null, readyAt: null };

/** Returns why no new download starts after this one; null if a new one may start. */
function findProblem({ clock }: Context, { state, error, updated_at }: PullRow): string | null {
  const age = clock.now().getTime() - updated_at.getTime();
  if (state === "paused") return "An administrator paused its download.";
  if (state === "canceled" && age < CANCELED_MS) return "An administrator stopped its download.";
  if (state === "failed" && age < PROBLEM_MS) return `Its download failed: ${error ?? "nothing says why."}`;
  return null;
}

/** Returns whether the caller may start downloads, and the model is a catalogue model that fits on this machine. */
async function mayStart(context: Context, { actor, model }: ColdCall): Promise<boolean> {
  const { mode, fit, db } = context;
  if (mode === "off" || model.organizationId !== null || model.isDisabled) return false;
  if (mode === "admins" && !(await isAdminInPerson(db, actor))) return false;
  const row = await db
    .selectFrom("models")
    .leftJoin("model_sources", "model_sources.model_id", "models.id")
    .select(["source", "precise_bytes", "smallest_bytes", "safetensors_bytes", "safetensors_token_bytes"])
    .where("id", "=", model.key)
    .where("organization_id", "is", null)
    .where("is_private", "=", false)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || row.source === BACKEND_SOURCE) return false;
  const { precise_bytes: preciseBytes, smallest_bytes: smallestBytes } = row;
  const source = smallestBytes === null ? null : { preciseBytes, smallestBytes };
  const { safetensors_bytes: bytes, safetensors_token_bytes: bytesPerToken } = row;
  const safetensors = bytes === null || bytesPerToken === null ? null : { bytes, bytesPerToken };
  return FITTING.includes(fit.of({ ...model, source, safetensors }).verdict);
}

/**
 * Returns whether an admin of the platform makes the call with their own session or API key. False for applications and
 * impersonated users.
 */
async function isAdminInPerson(db: Database, actor: SignedInActor): Promise<boolean> {
  const { credential, userId } = actor;
  const isOwn = credential.type === "key" ? credential.delegation === null : credential.type === "session";
  if (!isOwn || impersonatorOf(actor) !== null) return false;
  const user = await db.selectFrom("users").select("is_admin").where("id", "=", userId).executeTakeFirst();
  return user?.is_admin ?? false;
}

/**
 * Starts the download of a model; calls at the same time share one. Returns null if it cannot be downloaded, and stores the
 * reason in `problems`. Throws `capacity_exhausted` if the organization has too many unfinished downloads.
 */
async function startOnce(context: Context, call: ColdCall): Promise<Loading | null> {
  const { files, lookups, pullEstimate, lookupWaitMs = LOOKUP_WAIT_MS } = context;
  const { actor, model } = call;
  if ((await files.countAutomatic(actor.organizationId)) >= MAX_PULLS_OF_ORGANIZATION)
    throw tooManyAutomaticPulls(model.id, MAX_PULLS_OF_ORGANIZATION);
  const lookup = lookups.get(model.key) ?? startPull(context, call).finally(() => lookups.delete(model.key));
  lookups.set(model.key, lookup);
  const { promise: timeout, resolve } = Promise.withResolvers<"pending">();
  const timer = setTimeout(() => resolve("pending"), lookupWaitMs);
  const result = await Promise.race([lookup, timeout]).finally(() => clearTimeout(timer));
  if (result === "pending") return LOOKING_UP;
  return result && pullEstimate.toLoading(result);
}

/** Starts the download of a model. Returns null if it cannot be downloaded, and stores the reason in `problems`. */
async function startPull(context: Context, { actor, model }: ColdCall): Promise<PullRow | null> {
  const { modelStore, files, audit, problems } = context;
  const { organizationId, userId } = actor;
  try {
    return await modelStore.pullPublic(model.key, undefined, userId, async (row, trx, outcome) => {
      if (outcome === "joined") return;
      if (outcome === "resumed") throw pullEnded("paused");
      const others = await files.countAutomaticLocked(organizationId, trx);
      if (others >= MAX_PULLS_OF_ORGANIZATION) throw tooManyAutomaticPulls(model.id, MAX_PULLS_OF_ORGANIZATION);
      await files.markAutomatic(row.id, organizationId, trx);
      const { model_id, repository, file, revision } = row;
      const details = { model_id, repository, file, revision };
      await audit.record({ actor, action: "store.auto_pull", target: row.id, details }, trx);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.set(model.key, error.message, error.status >= 500 ? MINUTE_MS : PROBLEM_MS);
    return null;
  }
}

/** Why models cannot be downloaded from the hub, in sentences for callers, by key. An entry expires after the given time. */
type Problems = {
  get(key: string): string | null;
  set(key: string, text: string, milliseconds: number): void;
  delete(key: string): void;
};

function createProblems(clock: Clock): Problems {
  const entries = new LRUCache<string, { text: string; until: number }>({ max: MAX_PROBLEMS });
  const now = () => clock.now().getTime();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && entry.until > now() ? entry.text : null;
    },
    set: (key, text, milliseconds) => void entries.set(key, { text, until: now() + milliseconds }),
    delete: (key) => void entries.delete(key),
  };
}
