import type { Feather } from "@feather/sdk";
import { readCache, writeCache } from "../cache.ts";
import type { Values } from "../command.ts";
import { readConfig } from "../config/file.ts";
import type { Context } from "../context.ts";
import type { Candidate, Source } from "./complete.ts";

/** Cached lists older than this are fetched again. */
const FRESH = 5 * 60_000;
/** Longest wait for the server; after it the cached list is used. */
const PATIENCE = 800;
const MOST = 100;

type Thing = { readonly id: string; readonly name?: string };
type Read = (client: Feather, signal: AbortSignal, start: string) => PromiseLike<{ readonly items: readonly Thing[] }>;

/** The calls that list names on the server. */
const READ: Partial<Record<Values, Read>> = {
  models: (client, signal, start) =>
    client.models.list({ perPage: MOST, ...(start !== "" && { search: start }) }, { signal, maxRetries: 0 }),
  keys: (client, signal) => client.apiKeys.list({ perPage: MOST }, { signal, maxRetries: 0 }),
  deployments: (client, signal) => client.deployments.list({ perPage: MOST }, { signal, maxRetries: 0 }),
  "private-models": (client, signal) => client.privateModels.list({ signal, maxRetries: 0 }),
  apps: (client, signal) => client.applications.list({ signal, maxRetries: 0 }),
  plans: (client, signal) => client.subscription.plans({ signal, maxRetries: 0 }),
};

/** Creates a source of names from the server (cached for five minutes) and from this machine. Returns no names on errors. */
export function createSource(context: Context): Source {
  return async (values, start) => {
    if (values === "profiles") return profiles(context);
    if (values === "paths") return paths();
    if (values === "pages") return pages();
    const read = READ[values];
    if (read === undefined) return [];
    const first = await fromServer(context, values, read, "");
    // The catalogue has several pages: a model that matches may be on another one.
    const isThere = first.some(({ value }) => value.toLowerCase().startsWith(start.toLowerCase()));
    return isThere || values !== "models" ? first : fromServer(context, values, read, start);
  };
}

async function fromServer(context: Context, values: Values, read: Read, start: string): Promise<readonly Candidate[]> {
  const { io, now, settings, client } = context;
  const { baseUrl, profile } = settings();
  const key = [baseUrl, profile, io.env.apiKey ?? io.env.token ?? "", values, start];
  const kept = readCache<readonly Candidate[]>(io.env.cacheDir, key);
  if (kept !== undefined && now().getTime() - kept.at < FRESH) return kept.value;
  try {
    const { items } = await read(await client(), AbortSignal.timeout(PATIENCE), start);
    const found = items.map(({ id, name = "" }) => ({ value: id, note: name === id ? "" : name }));
    writeCache(io.env.cacheDir, key, { at: now().getTime(), value: found });
    return found;
  } catch {
    return kept?.value ?? [];
  }
}

function profiles({ io }: Context): readonly Candidate[] {
  const { profiles } = readConfig(io.env.configDir);
  return Object.entries(profiles).map(([value, { baseUrl = "" }]) => ({ value, note: baseUrl }));
}

async function pages(): Promise<readonly Candidate[]> {
  const { PAGE_NAMES } = await import("../commands/open/open.ts");
  return PAGE_NAMES.map((value) => ({ value, note: "" }));
}

async function paths(): Promise<readonly Candidate[]> {
  const { ROUTES } = await import("@feather/sdk");
  const all = Object.values(ROUTES).map((route) => (route.split(" ")[1] ?? "").replace(/\{.*/, ""));
  return [...new Set(all)].map((value) => ({ value, note: "" }));
}
