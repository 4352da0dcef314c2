import type { Feather } from "@feather/sdk";
import { readCache, writeCache } from "../../cache.ts";
import type { ValueKind } from "../../command-line.ts";
import { readConfig } from "../../config/config-file.ts";
import type { Context } from "../../context.ts";
import { type Candidate, type CandidateSource, isHarmless } from "./candidates.ts";

/** Cached lists older than this are fetched again. */
const CACHE_TTL_MS = 5 * 60_000;
/** Longest wait for the server; after it the cached list is used. */
const TIMEOUT_MS = 800;
const PAGE_SIZE = 100;

type NamedItem = { readonly id: string; readonly name?: string };
type ListReader = (
  client: Feather,
  signal: AbortSignal,
  start: string,
) => PromiseLike<{ readonly items: readonly NamedItem[] }>;

/** The calls that list names on the server. */
const LIST_READERS: Partial<Record<ValueKind, ListReader>> = {
  models: (client, signal, start) =>
    client.models.list({ perPage: PAGE_SIZE, ...(start !== "" && { search: start }) }, { signal, maxRetries: 0 }),
  keys: (client, signal) => client.apiKeys.list({ perPage: PAGE_SIZE }, { signal, maxRetries: 0 }),
  deployments: (client, signal) => client.deployments.list({ perPage: PAGE_SIZE }, { signal, maxRetries: 0 }),
  "admin-deployments": (client, signal) =>
    client.admin.deployments.list({ perPage: PAGE_SIZE }, { signal, maxRetries: 0 }),
  "private-models": (client, signal) => client.privateModels.list({ signal, maxRetries: 0 }),
  apps: (client, signal) => client.applications.list({ signal, maxRetries: 0 }),
  plans: (client, signal) => client.subscription.plans({ signal, maxRetries: 0 }),
};

/** Kinds whose commands take names too, and how their ids begin. */
const ID_PREFIXES: Partial<Record<ValueKind, string>> = { keys: "key_", apps: "app_", deployments: "dep_" };

/**
 * Returns what a command takes for each item: its name, or its id where the command takes only that, where an id is being
 * typed, and where the name belongs to several or a shell could interpret it.
 */
function toCandidates(items: readonly NamedItem[], values: ValueKind, start: string): readonly Candidate[] {
  const prefix = ID_PREFIXES[values];
  const takesNames = prefix !== undefined && !start.startsWith(prefix);
  const isUnique = (name: string) => items.filter((item) => item.name === name).length === 1;
  return items.map(({ id, name = "" }) =>
    takesNames && isHarmless(name) && isUnique(name)
      ? { value: name, note: id }
      : { value: id, note: name === id ? "" : name },
  );
}

/** Creates a source of names from the server (cached for five minutes) and from this machine. Returns no names on errors. */
export function createCandidateSource(context: Context): CandidateSource {
  return async (values, start) => {
    if (values === "profiles") return profiles(context);
    if (values === "paths") return paths();
    if (values === "pages") return pages();
    const read = LIST_READERS[values];
    if (read === undefined) return [];
    const first = await readFromServer(context, values, read, "");
    // The catalogue has several pages: a model that matches may be on another one.
    const hasMatch = first.some(({ id }) => id.toLowerCase().startsWith(start.toLowerCase()));
    const items = hasMatch || values !== "models" ? first : await readFromServer(context, values, read, start);
    return toCandidates(items, values, start);
  };
}

async function readFromServer(
  context: Context,
  values: ValueKind,
  read: ListReader,
  start: string,
): Promise<readonly NamedItem[]> {
  const { io, now, settings, createClient } = context;
  const { baseUrl, profile, secret } = settings();
  const key = ["names", baseUrl, profile, io.env.apiKey ?? io.env.token ?? "", values, start];
  const cached = readCache<readonly NamedItem[]>(io.env.cacheDir, key);
  if (cached !== undefined && now().getTime() - cached.at < CACHE_TTL_MS) return cached.value;
  try {
    // Not renewed when it has expired: that may take long, and must not be left halfway.
    const { items } = await read(await createClient(secret), AbortSignal.timeout(TIMEOUT_MS), start);
    const found = items.map(({ id, name }) => ({ id, ...(name !== undefined && { name }) }));
    writeCache(io.env.cacheDir, key, { at: now().getTime(), value: found });
    return found;
  } catch {
    return cached?.value ?? [];
  }
}

function profiles({ io }: Context): readonly Candidate[] {
  const { profiles } = readConfig(io.env.configDir);
  return Object.entries(profiles).map(([value, { baseUrl = "" }]) => ({ value, note: baseUrl }));
}

async function pages(): Promise<readonly Candidate[]> {
  const { PAGE_NAMES } = await import("../open/open.ts");
  return PAGE_NAMES.map((value) => ({ value, note: "" }));
}

async function paths(): Promise<readonly Candidate[]> {
  const { OPERATIONS } = await import("@feather/sdk");
  const all = Object.values(OPERATIONS).map(({ path }) => path.replace(/\{.*/, ""));
  return [...new Set(all)].map((value) => ({ value, note: "" }));
}
