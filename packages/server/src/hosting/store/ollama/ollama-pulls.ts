import { request } from "undici";
import { type Backend, type BackendRegistry, toCatalogueId } from "../../../gateway/index.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { readLines } from "../../../platform/core/http/read-lines.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { PullProgress, PullRunner, PullWork } from "../pulls/pull-runner.ts";
import { type OnPullInserted, startPull } from "../pulls/start-pull.ts";
import { OLLAMA_PREFIX, type PullRow } from "../rows/pull-rows.ts";
import { PullFailedError } from "../store.errors.ts";
import type { StoreRepository } from "../store.repository.ts";
import type { ModelStore } from "../store.usecases.ts";

type OllamaRegistry = Pick<BackendRegistry, "list">;
type WorkDeps = {
  registry: OllamaRegistry;
  storeRepository: StoreRepository;
  /** Reads the lists of models of all backends again. */
  refreshBackends(): Promise<void>;
  clock: Clock;
};
type Deps = Pick<WorkDeps, "registry" | "storeRepository" | "clock"> & {
  db: Database;
  runner: Pick<PullRunner, "poll">;
  ids: Ids;
};

/**
 * A model name in Ollama's library, in a user's namespace (`user/name`), or in another registry (`host/user/name`), each
 * with an optional tag.
 */
const NAME = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+\/(?=[^/]+\/))?(?:[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?::[\w.-]+)?$/i;
const DEFAULT_TAG = "latest";
const OLLAMA_PORT = "11434";
/** Ollama reports its progress several times a second. After this long without a report, the download fails. */
const SILENCE_MS = 120_000;
/** The longest report, in characters; of a longer one nothing can be read. */
const MAX_REPORT_LENGTH = 1024 * 1024;

/** Returns the work that has a running Ollama download a model, for the runner of all downloads. */
export function createOllamaWork(deps: WorkDeps): PullWork {
  return (row, progress, signal) => pullModel(deps, row, progress, signal);
}

/**
 * Returns the use cases of the model store, extended by references of the form `ollama:name`, which name a model of
 * Ollama's library, and by the ids that the operator gave models of Ollama.
 */
export function addOllamaModels(deps: Deps, modelStore: ModelStore): ModelStore {
  return {
    ...modelStore,
    pullPublic: async (reference, file, createdBy, onInserted) => {
      const name = await findOllamaName(deps, reference, file);
      return name === null
        ? modelStore.pullPublic(reference, file, createdBy, onInserted)
        : pullWithOllama(deps, name, { createdBy, onInserted });
    },
  };
}

/**
 * Returns the name of a model at Ollama, from a reference `ollama:name`, from an alias that the operator gave it, or from an
 * earlier download by Ollama. Null for any other model.
 */
async function findOllamaName({ registry, storeRepository }: Deps, reference: string, file: string | undefined) {
  if (reference.startsWith(OLLAMA_PREFIX)) {
    const given = reference.slice(OLLAMA_PREFIX.length);
    return findNameOfAlias(registry, given) ?? given;
  }
  if (file === undefined) return findNameOfAlias(registry, reference);
  const found = (await storeRepository.findPublicPull(reference, file))?.repository ?? "";
  return found.startsWith(OLLAMA_PREFIX) ? found.slice(OLLAMA_PREFIX.length) : null;
}

/** Returns the name at Ollama of the model with this alias; null without one. */
function findNameOfAlias(registry: OllamaRegistry, alias: string): string | null {
  const { aliases = [] } = registry.list().find(isOllama) ?? {};
  return aliases.find(({ as }) => as.toLowerCase() === alias.toLowerCase())?.name ?? null;
}

type Insertion = { createdBy: string | null; onInserted: OnPullInserted };

async function pullWithOllama(deps: Deps, requested: string, { createdBy, onInserted }: Insertion): Promise<PullRow> {
  if (!NAME.test(requested))
    throw errors.invalidRequest(`${requested} cannot be the name of a model of Ollama.`, { param: "model_id" });
  const name = requested.includes(":") ? requested : `${requested}:${DEFAULT_TAG}`;
  const ollama = findOllama(deps.registry);
  const pull = {
    model_id: ollama.aliases?.find((alias) => alias.name === name)?.as ?? toCatalogueId(ollama.name, name),
    repository: `${OLLAMA_PREFIX}${name}`,
    revision: DEFAULT_TAG,
    file: name,
    sha256: null,
    bytes_done: 0,
    bytes_total: 0,
    organization_id: null,
    created_by: createdBy,
  };
  return startPull(deps, pull, onInserted);
}

/** Returns the backend that is an Ollama. Throws `store.no_ollama` if there is none. */
function findOllama(registry: OllamaRegistry): Backend {
  const found = registry.list().find(isOllama);
  if (!found) throw errors.store.noOllama();
  return found;
}

/** The port is compared too, because the program of a backend is unknown until the backend has answered. */
function isOllama({ program, origin }: Backend): boolean {
  return program === "ollama" || new URL(origin).port === OLLAMA_PORT;
}

/**
 * Has Ollama download a model and reads its reports until the model is complete. Returns false if the download was canceled
 * or paused meanwhile.
 */
async function pullModel(
  { registry, storeRepository, refreshBackends, clock }: WorkDeps,
  row: PullRow,
  progress: PullProgress,
  signal: AbortSignal,
): Promise<boolean> {
  const { origin, basePath, keys, agent } = findOllama(registry);
  const [key] = keys.list;
  const url = `${origin}${basePath.replace(/\/v1$/, "")}/api/pull`;
  const response = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key.secret}` }) },
    body: JSON.stringify({ model: row.file }),
    dispatcher: agent,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : ollamaUnavailable(error);
  });
  const reports = createReports(progress);
  let isDone = false;
  try {
    for await (const line of readLines(response.body, MAX_REPORT_LENGTH)) isDone = reports.read(line) || isDone;
  } catch (error) {
    if (signal.aborted || reports.hasFailed) throw error;
    throw ollamaUnavailable(error);
  }
  signal.throwIfAborted();
  if (response.statusCode >= 400) throw new PullFailedError(`Ollama answered with status ${response.statusCode}.`);
  if (!isDone) throw ollamaUnavailable(undefined);
  const ended = { state: "done", bytes_done: progress.total ?? 0, bytes_total: progress.total ?? 0 };
  const change = { ...ended, error: null, lease_until: null, updated_at: clock.now() };
  await refreshBackends();
  return storeRepository.updateRunningPull(row.id, change);
}

/** Reads Ollama's reports: the progress of each layer, an error, or `success`. */
function createReports(progress: PullProgress) {
  const layers = new Map<string, { total: number; completed: number }>();
  const sum = (field: "total" | "completed") => [...layers.values()].reduce((bytes, layer) => bytes + layer[field], 0);
  const state = { hasFailed: false };
  return {
    get hasFailed() {
      return state.hasFailed;
    },
    /** Reads one report. Returns whether the model is complete. Throws the error that Ollama reports. */
    read(line: string): boolean {
      const { status, digest, total, completed, error } = parseReport(line);
      if (typeof error === "string") {
        state.hasFailed = true;
        throw new PullFailedError(`Ollama cannot download it: ${error}`);
      }
      if (typeof digest === "string" && typeof total === "number") {
        layers.set(digest, { total, completed: typeof completed === "number" ? completed : 0 });
        progress.total = sum("total");
        progress.bytes = sum("completed");
      }
      return status === "success";
    },
  };
}

type Report = { status?: unknown; digest?: unknown; total?: unknown; completed?: unknown; error?: unknown };

function parseReport(line: string): Report {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function ollamaUnavailable(cause: unknown) {
  return errors.hub.unavailable("Ollama broke off, or is not reachable any more.", { cause });
}
