import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { createPasswordHasher, type PasswordHasher } from "./accounts/identity/index.ts";
import type { Settings } from "./config/settings.ts";
import type { SettingsPlace } from "./config/settings-catalog.ts";
import {
  createGpuReader,
  type EngineSandbox,
  type GgufConverter,
  type Gpu,
  NO_CONVERTER,
  RUNTIMES_WITHOUT_GPU,
  type RuntimeProcesses,
  type RuntimeStates,
} from "./hosting/runtimes/index.ts";
import type { GetFreeBytes } from "./hosting/store/index.ts";
import { type Contract, loadContract } from "./http/contract.ts";
import { createValidators, type Validators } from "./http/validation.ts";
import { type DatabaseNow, readDatabaseNow } from "./money/billing/index.ts";
import type { PaymentService } from "./money/payment-services/index.ts";
import { type Clock, systemClock } from "./platform/core/clock.ts";
import type { Database, PoolState } from "./platform/core/db/connect.ts";
import { type Ids, randomIds } from "./platform/core/ids.ts";
import { QueryStats } from "./platform/core/metrics/query-stats.ts";
import { TrafficCounters } from "./platform/core/metrics/traffic-counters.ts";
import type { ParserModule } from "./platform/core/parse-pool.ts";
import { LONE_REPLICA, type Replicas } from "./platform/core/replicas/replicas.ts";
import type { Tracing } from "./platform/core/tracing.ts";

/** What differs between installations and tests: everything that is needed to create the server. */
export type ServerOptions = {
  db: Database;
  settings: Settings;
  /** Where the settings were read from. */
  settingsPlace: SettingsPlace;
  log: Logger;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  clock?: Clock;
  ids?: Ids;
  /** The other server processes on the same database; none by default. */
  replicas?: Replicas;
  /** The payment service of the operator's module; none by default. */
  moduleService?: PaymentService | null;
  /** Reads the database's clock; queries the database by default. */
  databaseNow?: DatabaseNow;
  /** The secret of the installation. By default it is random. */
  secret?: Uint8Array;
  /** Starts the server again. By default nothing does. */
  restart?: (() => void) | null;
  /** The password hashing. By default it follows OWASP's recommendation. */
  passwords?: PasswordHasher;
  /** The contract that the server follows. By default it is read from its file. */
  contract?: Contract;
  /** Check requests and responses by schemas of the contract. By default new ones, which compile a schema on its first use. */
  validators?: Validators;
  /** The folder of the built site. */
  siteFolder?: string;
  /** Whether every response is checked against the contract. */
  checkResponses?: boolean;
  /** How models are started and runtimes are asked for architectures. By default both are done by separate processes. */
  runtimeProcesses?: RuntimeProcesses;
  /**
   * The module that parses model cards in worker threads, and its time limit in milliseconds. By default it is the parser
   * of the hub.
   */
  cardParser?: ParserModule;
  /** Whether engines run in a sandbox; off by default. */
  engineSandbox?: EngineSandbox;
  /** Converts safetensors files to GGUF files. Nothing by default. */
  converter?: GgufConverter;
  /** Whether and how each runtime runs here. By default only those that need no graphics card do, without one. */
  runtimeStates?: RuntimeStates;
  /** Returns the graphics cards of this machine; asks `nvidia-smi` by default. */
  listGpus?: () => Promise<readonly Gpu[]>;
  /** Returns the free space on the disk of a folder, in bytes. */
  freeBytes?: GetFreeBytes;
  /** Counters of requests and calls of this process. By default new ones, which start at 0. */
  traffic?: TrafficCounters;
  /** What traces requests; nothing by default. */
  tracing?: Tracing | null;
  /** Counters of the database's queries. None by default. */
  queries?: QueryStats;
  /** Returns how the database's connections are used; there are none by default. */
  readPool?: () => PoolState;
};

const SITE = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** The options of a server with their defaults, without the installation's secret. */
export type CompleteOptions = Omit<ReturnType<typeof completeOptions>, "secret">;

/** Returns the options with the defaults of those that are missing. */
export function completeOptions(options: ServerOptions) {
  const { db, clock = systemClock, engineSandbox = { state: "off" } } = options;
  return {
    ...options,
    clock,
    engineSandbox,
    ids: options.ids ?? randomIds,
    replicas: options.replicas ?? LONE_REPLICA,
    moduleService: options.moduleService ?? null,
    databaseNow: options.databaseNow ?? readDatabaseNow(db),
    secret: options.secret ?? randomBytes(32),
    restart: options.restart ?? null,
    passwords: options.passwords ?? createPasswordHasher(),
    contract: options.contract ?? loadContract(),
    validators: options.validators ?? createValidators(),
    siteFolder: options.siteFolder ?? SITE,
    checkResponses: options.checkResponses ?? false,
    runtimeProcesses: options.runtimeProcesses ?? {},
    runtimeStates: options.runtimeStates ?? RUNTIMES_WITHOUT_GPU,
    converter: options.converter ?? NO_CONVERTER,
    listGpus: options.listGpus ?? createGpuReader(clock),
    traffic: options.traffic ?? new TrafficCounters(),
    tracing: options.tracing ?? null,
    queries: options.queries ?? new QueryStats(),
    readPool: options.readPool ?? (() => ({ inUse: 0, idle: 0, waiting: 0 })),
  };
}
