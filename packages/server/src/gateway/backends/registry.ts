import { Agent, type buildConnector } from "undici";
import type { Clock } from "../../shared/clock.ts";
import { DIALECTS, type Program, type Tokenizer, WITHHELD_FIELDS } from "./dialects.ts";

export type BackendSource = "engine" | "settings" | "discovered" | "admin" | "deployment";

export type BackendSpec = {
  name: string;
  source: BackendSource;
  /** Address up to and with `/v1`. With a socket, only its path counts. */
  baseUrl: string;
  socketPath?: string;
  apiKey?: string | undefined;
  weight: number;
  /** Catalogue id to the name the backend knows the model by. */
  models: ReadonlyMap<string, string>;
  /** What answers there, if it is known. */
  program?: Program;
  /** Fields that it takes beyond those of every backend and of its program. */
  parameters?: readonly string[];
};

export type Backend = BackendSpec & {
  /** The parts of its address, as requests need them. */
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

/** After this many failures in a row a backend rests, longer each time. */
const FAILURES_TO_REST = 3;
const REST = 10_000;
const LONGEST_REST = 120_000;
/** Where a backend comes from that the operator named or started; the others run what was pulled from the hub. */
const OPERATOR_SOURCES: ReadonlySet<BackendSource> = new Set(["settings", "discovered", "admin"]);
const HOT = 3_600_000;
/** Shorter than what common servers keep a connection for, so that none is used just as they close it. */
const KEEP_ALIVE = 4_000;
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** The backends of this process: who runs what, who is well, and who answered lately. */
export function createBackendRegistry(clock: Clock, guarded?: buildConnector.connector) {
  const backends = new Map<string, Backend>();
  const lastAnswers = new Map<string, number>();
  const waiting = new Set<() => void>();
  const now = () => clock.now().getTime();

  return {
    /** Adds a backend, or changes the one of the same name. */
    set(spec: BackendSpec): void {
      const old = backends.get(spec.name);
      const moved = old?.baseUrl !== spec.baseUrl || old.socketPath !== spec.socketPath;
      if (old && moved) void old.agent.close();
      const state = old ?? { inFlight: 0, failures: 0, coolUntil: 0, lastError: null };
      const described = { ...spec, apiKey: spec.apiKey, ...addressOf(spec.baseUrl), ...abilitiesOf(spec) };
      const agent = old && !moved ? old.agent : createAgent(spec, guarded);
      // The same object goes on: requests in flight count themselves out on it.
      backends.set(spec.name, Object.assign(state, described, { agent }));
      for (const wake of [...waiting]) wake();
    },

    remove(name: string): void {
      const backend = backends.get(name);
      backends.delete(name);
      if (backend) void backend.agent.close();
    },

    list: (): Backend[] => [...backends.values()],

    /** Backends that run a model, the best first: those that are well, then by load against weight. */
    candidates(modelId: string): Backend[] {
      const running = [...backends.values()].filter((backend) => backend.models.has(modelId));
      const rested = (backend: Backend) => (backend.coolUntil <= now() ? 0 : 1);
      return running.sort((a, b) => rested(a) - rested(b) || (a.inFlight + 1) / a.weight - (b.inFlight + 1) / b.weight);
    },

    /** Resolves when some backend runs a model, and at the latest after so long. */
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

    /** Whether a model answers now (`warm`), or nothing that runs here can run it (`offline`). */
    availability(modelId: string) {
      const running = [...backends.values()].filter((backend) => backend.models.has(modelId));
      const well = running.some((backend) => backend.coolUntil <= now());
      return {
        tier: well ? ("warm" as const) : ("offline" as const),
        recent: now() - (lastAnswers.get(modelId) ?? 0) < HOT,
        known: running.length > 0,
      };
    },

    /** Ids of the models that a backend of the operator runs: what the operator set up, the operator may run. */
    operatorModels(): string[] {
      const own = [...backends.values()].filter(({ source }) => OPERATOR_SOURCES.has(source));
      return [...new Set(own.flatMap(({ models }) => [...models.keys()]))];
    },

    /** Whether a backend of the operator runs a model. */
    isOperatorModel: (modelId: string): boolean =>
      [...backends.values()].some(({ source, models }) => OPERATOR_SOURCES.has(source) && models.has(modelId)),

    /** When some backend last answered for a model, in milliseconds; 0 for never. */
    lastAnswerAt: (modelId: string): number => lastAnswers.get(modelId) ?? 0,

    /** Ids of all models that some backend runs and that is well. */
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

/** Addresses of the settings are the operator's; those that admins named go through the guard. */
function createAgent({ socketPath, source }: BackendSpec, guarded?: buildConnector.connector): Agent {
  const plain = { timeout: 3_000, ...(socketPath !== undefined && { socketPath }) };
  const connect = source === "admin" && guarded ? guarded : plain;
  return new Agent({ connect, connections: 1024, keepAliveTimeout: KEEP_ALIVE, maxResponseSize: LARGEST_ANSWER });
}

function addressOf(baseUrl: string): { origin: string; basePath: string } {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, basePath: pathname.replace(/\/+$/, "") };
}

function abilitiesOf({ source, program, parameters = [] }: BackendSpec) {
  const dialect = DIALECTS[program ?? (source === "engine" ? "engine" : "other")];
  return {
    extras: new Set([...dialect.extras, ...parameters.filter((field) => !WITHHELD_FIELDS.has(field))]),
    lacks: dialect.lacks ?? new Set<string>(),
    tokenizer: dialect.tokenizer,
  };
}
