import { Agent, type buildConnector } from "undici";
import type { Clock } from "../../shared/clock.ts";
import { DIALECTS, type Program, type Tokenizer, WITHHELD_FIELDS } from "./dialects.ts";

/** Where a backend comes from. */
export type BackendSource = "engine" | "settings" | "discovered" | "admin" | "deployment";

/** A backend as it is registered. */
export type BackendSpec = {
  name: string;
  source: BackendSource;
  /** Address up to and including `/v1`. With a socket, only its path is used. */
  baseUrl: string;
  socketPath?: string;
  apiKey?: string | undefined;
  weight: number;
  /** Name of the model at the backend, by catalogue id. */
  models: ReadonlyMap<string, string>;
  /** The program that serves the models, if known. */
  program?: Program;
  /** Fields that it accepts beyond those of every backend and of its program. */
  parameters?: readonly string[];
};

/** A registered backend with its connections and health. */
export type Backend = BackendSpec & {
  /** The address, split as requests need it. */
  origin: string;
  basePath: string;
  extras: ReadonlySet<string>;
  lacks: ReadonlySet<string>;
  tokenizer: Tokenizer | null;
  agent: Agent;
  inFlight: number;
  failures: number;
  coolUntil: number;
  lastError: string | null;
};

/** After this many failures in a row the backend's circuit opens, for longer with each further failure. */
const FAILURES_TO_REST = 3;
const REST = 10_000;
const LONGEST_REST = 120_000;
/** Sources that the operator configured or started; the others run models pulled from the hub. */
const OPERATOR_SOURCES: ReadonlySet<BackendSource> = new Set(["settings", "discovered", "admin"]);
const HOT = 3_600_000;
/** Shorter than the keep-alive of common servers, so that no connection is used while they close it. */
const KEEP_ALIVE = 4_000;
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** The backends of this process: their models, their health and when each model was last answered. */
export function createBackendRegistry(clock: Clock, guarded?: buildConnector.connector) {
  const backends = new Map<string, Backend>();
  const lastAnswers = new Map<string, number>();
  const waiting = new Set<() => void>();
  const now = () => clock.now().getTime();

  return {
    /** Adds a backend, or replaces the one of the same name. */
    set(spec: BackendSpec): void {
      const old = backends.get(spec.name);
      const moved = old?.baseUrl !== spec.baseUrl || old.socketPath !== spec.socketPath;
      if (old && moved) void old.agent.close();
      const state = old ?? { inFlight: 0, failures: 0, coolUntil: 0, lastError: null };
      const described = { ...spec, apiKey: spec.apiKey, ...addressOf(spec.baseUrl), ...abilitiesOf(spec) };
      const agent = old && !moved ? old.agent : createAgent(spec, guarded);
      // The object stays the same: requests in flight decrement its counter when they end.
      backends.set(spec.name, Object.assign(state, described, { agent }));
      for (const wake of [...waiting]) wake();
    },

    remove(name: string): void {
      const backend = backends.get(name);
      backends.delete(name);
      if (backend) void backend.agent.close();
    },

    list: (): Backend[] => [...backends.values()],

    /** Backends that run a model, best first: those whose circuit is closed, then by requests in flight per weight. */
    candidates(modelId: string): Backend[] {
      const running = [...backends.values()].filter((backend) => backend.models.has(modelId));
      const rested = (backend: Backend) => (backend.coolUntil <= now() ? 0 : 1);
      return running.sort((a, b) => rested(a) - rested(b) || (a.inFlight + 1) / a.weight - (b.inFlight + 1) / b.weight);
    },

    /** Resolves when a backend runs the model, or after the given milliseconds. Rejects with the signal's reason. */
    whenServed(modelId: string, milliseconds: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        const check = () => {
          if (signal.aborted) stop(() => reject(signal.reason));
          else if ([...backends.values()].some(({ models }) => models.has(modelId))) stop(resolve);
        };
        const timer = setTimeout(() => stop(resolve), milliseconds);
        function stop(settle: () => void) {
          clearTimeout(timer);
          waiting.delete(check);
          signal.removeEventListener("abort", check);
          settle();
        }
        waiting.add(check);
        signal.addEventListener("abort", check);
        check();
      });
    },

    succeeded(backend: Backend, modelId: string): void {
      backend.failures = 0;
      backend.coolUntil = 0;
      backend.lastError = null;
      lastAnswers.set(modelId, now());
    },

    failed(backend: Backend, reason: string): void {
      backend.failures += 1;
      backend.lastError = reason;
      const over = backend.failures - FAILURES_TO_REST;
      if (over >= 0) backend.coolUntil = now() + Math.min(REST * 2 ** over, LONGEST_REST);
    },

    /**
     * Whether a healthy backend runs the model (`warm`) or none does (`offline`), whether it answered in the last hour
     * (`recent`), and whether any backend has it (`known`).
     */
    availability(modelId: string) {
      const running = [...backends.values()].filter((backend) => backend.models.has(modelId));
      const well = running.some((backend) => backend.coolUntil <= now());
      return {
        tier: well ? ("warm" as const) : ("offline" as const),
        recent: now() - (lastAnswers.get(modelId) ?? 0) < HOT,
        known: running.length > 0,
      };
    },

    /** Ids of the models that the operator's own backends run. Such models may be called without approval. */
    operatorModels(): string[] {
      const own = [...backends.values()].filter(({ source }) => OPERATOR_SOURCES.has(source));
      return [...new Set(own.flatMap(({ models }) => [...models.keys()]))];
    },

    /** Whether one of the operator's own backends runs a model. */
    isOperatorModel: (modelId: string): boolean =>
      [...backends.values()].some(({ source, models }) => OPERATOR_SOURCES.has(source) && models.has(modelId)),

    /** When a backend last answered for a model, in milliseconds since the epoch; 0 for never. */
    lastAnswerAt: (modelId: string): number => lastAnswers.get(modelId) ?? 0,

    /** Ids of all models that a healthy backend runs. */
    warmModels(): string[] {
      const ids = new Set<string>();
      for (const backend of backends.values())
        if (backend.coolUntil <= now()) for (const id of backend.models.keys()) ids.add(id);
      return [...ids];
    },

    async close(): Promise<void> {
      await Promise.all([...backends.values()].map((backend) => backend.agent.destroy()));
    },
  };
}

export type BackendRegistry = ReturnType<typeof createBackendRegistry>;

/**
 * Configured addresses are trusted; those that admins entered are connected through the guard against private networks.
 */
function createAgent({ socketPath, source }: BackendSpec, guarded?: buildConnector.connector): Agent {
  const plain = { timeout: 3_000, ...(socketPath !== undefined && { socketPath }) };
  const connect = source === "admin" && guarded ? guarded : plain;
  return new Agent({ connect, connections: 1024, keepAliveTimeout: KEEP_ALIVE, maxResponseSize: LARGEST_ANSWER });
}

function addressOf(baseUrl: string): { origin: string; basePath: string } {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, basePath: pathname.replace(/\/+$/, "") };
}

function abilitiesOf({
  source,
  program,
  parameters = [],
}: BackendSpec): Pick<Backend, "extras" | "lacks" | "tokenizer"> {
  const dialect = DIALECTS[program ?? (source === "engine" ? "engine" : "other")];
  return {
    extras: new Set([...dialect.extras, ...parameters.filter((field) => !WITHHELD_FIELDS.has(field))]),
    lacks: dialect.lacks ?? new Set<string>(),
    tokenizer: dialect.tokenizer,
  };
}
