import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { AppError, hasCode } from "../../../platform/core/errors/index.ts";
import type { Job } from "../../../platform/core/jobs.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../platform/core/time.ts";
import type { Hub, HubModel } from "../../hub/index.ts";
import { listLoadableFiles } from "../files/choose-file.ts";
import { readSafetensorsFacts, type SafetensorsFacts } from "../files/safetensors-facts.ts";
import type { StoreRepository } from "../store.repository.ts";
import { findSource, type Source } from "./find-source.ts";
import type { HubTokens } from "./hub-tokens.ts";
import type { KnownSource, SourcesRepository } from "./sources.repository.ts";

type Deps = {
  hub: Hub;
  tokens: HubTokens;
  storeRepository: Pick<StoreRepository, "findModelId">;
  sourcesRepository: SourcesRepository;
  clock: Clock;
};

/** A source is read again when it is older than this. */
const STALE_MS = 7 * DAY_MS;
const MIN_BACKOFF_MS = MINUTE_MS;
const MAX_BACKOFF_MS = HOUR_MS;
/** The error codes that say that the hub has no files to load. That is stored too. */
const NOTHING_CODES = ["store.no_gguf", "store.parts_missing", "hub.not_found", "hub.gated"] as const;
const saysNothing = (error: unknown) => NOTHING_CODES.some((code) => hasCode(error, code));

/**
 * Creates the lookup of the repositories that models can be downloaded from. Results for models of the catalogue are
 * stored.
 */
export function createSources(deps: Deps) {
  return bind(deps, { read: readSource, recall: recallSource });
}

export type Sources = ReturnType<typeof createSources>;

/**
 * Returns what `findSource` returns, and stores it for a model of the catalogue. `onNamed` is called with the repository
 * that has the id itself.
 */
async function readSource(
  { hub, tokens, storeRepository, sourcesRepository, clock }: Deps,
  id: string,
  onNamed: (repository: HubModel) => void = () => {},
): Promise<Source> {
  let safetensors: SafetensorsFacts | null = null;
  const noteNamed = (named: HubModel) => {
    safetensors = listLoadableFiles(named.files).length > 0 ? null : readSafetensorsFacts(named);
    onNamed(named);
  };
  try {
    const source = await findSource({ hub, findModelId: storeRepository.findModelId, tokens, onNamed: noteNamed }, id);
    await sourcesRepository.save(source.modelId, { ...toStored(source.repository), safetensors }, clock.now());
    return source;
  } catch (error) {
    if (saysNothing(error))
      await sourcesRepository.save(id, { repository: null, revision: null, files: [], safetensors }, clock.now());
    throw error;
  }
}

/**
 * Returns the stored source, for use while the hub cannot be reached. Null if it was never read, or the hub had no files to
 * load.
 */
async function recallSource({ sourcesRepository }: Deps, id: string): Promise<KnownSource | null> {
  const known = await sourcesRepository.find(id);
  return known && known.repository !== null ? known : null;
}

function toStored({ id, revision, files }: HubModel) {
  return { repository: id, revision, files: files.filter(({ path }) => path.toLowerCase().endsWith(".gguf")) };
}

type RefreshDeps = {
  sources: Sources;
  sourcesRepository: SourcesRepository;
  /** Whether the operator's settings allow these reads. */
  isOn: boolean;
  /** Returns the keys of models that are read first: loaded models, and models whose pages are viewed. */
  listPreferred(): readonly string[];
  clock: Clock;
  log: Pick<Logger, "info" | "debug">;
  /**
   * Called for each model that was read, with the repository that has the model's id, even if its files are from another
   * one. Null if it does not exist.
   */
  onRead(modelId: string, repository: HubModel | null): Promise<void>;
};

/**
 * Returns the job that reads from the hub which repositories the catalogue's models can be downloaded from. It reads one
 * model a minute: those that are preferred or stored here first, then the most downloaded. After failures of the hub it
 * pauses, each time for longer, and at least for the time that a rate-limiting hub states.
 */
export function createRefreshJob(deps: RefreshDeps): Job {
  const pause = { until: 0, ms: 0 };
  return { name: "read where models come from", everySeconds: 60, run: () => refreshNext(deps, pause) };
}

/** `until` is in milliseconds since 1970, `ms` is the length of the last pause. */
type Pause = { until: number; ms: number };

async function refreshNext(deps: RefreshDeps, pause: Pause) {
  const { sources, sourcesRepository, isOn, clock, log, onRead } = deps;
  const now = clock.now().getTime();
  if (!isOn || now < pause.until) return;
  const id = await sourcesRepository.findDue(new Date(now - STALE_MS), deps.listPreferred());
  if (id === null) return;
  let repository: HubModel | null = null;
  try {
    await sources.read(id, (named) => {
      repository = named;
    });
    pause.ms = 0;
    await onRead(id, repository);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (saysNothing(error)) return onRead(id, repository);
    // The first of several pauses is logged as info, unless the hub's own log reports the outage: see `logReachability`.
    const level = pause.ms > 0 || error.code === "hub.unavailable" ? "debug" : "info";
    pause.ms = Math.min(Math.max(pause.ms * 2, MIN_BACKOFF_MS), MAX_BACKOFF_MS);
    if (error.code === "hub.rate_limited")
      pause.ms = Math.max(pause.ms, Number(error.headers["retry-after"]) * SECOND_MS);
    pause.until = now + pause.ms;
    log[level]({ model: id, reason: error.message, pauseMs: pause.ms }, "the hub is not asked for a while");
  }
}
