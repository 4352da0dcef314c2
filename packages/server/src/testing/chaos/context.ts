import type { BillingServer, Buyer } from "../billing.ts";
import type { Answer } from "../server.ts";

/** Deterministic random numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** State and helpers for the random calls in `calls.ts`. */
export type ChaosContext = {
  server: BillingServer;
  people: Buyer[];
  admins: Buyer[];
  random(): number;
  /** A random item; undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined;
  person(): Buyer;
  admin(): Buyer;
  /** A unique name. */
  uniqueName(prefix: string): string;
  get(who: Buyer, path: string): Promise<Answer>;
  send(who: Buyer, method: string, path: string, body?: object): Promise<Answer>;
  /** Ids (or codes) of the items in a list. */
  ids(who: Buyer, path: string): Promise<string[]>;
  /** Number of responses by status, and descriptions of 5xx responses in `failures`. */
  statuses: Map<string, number>;
  failures: string[];
};

/** Creates the state for one run; the same seed makes the same random choices. */
export function createChaosContext(server: BillingServer, seed: number): ChaosContext {
  const random = seededRandom(seed);
  let counter = 0;
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const pickPerson = (items: readonly Buyer[]): Buyer => {
    const found = pick(items);
    if (!found) throw new Error("Nobody is left.");
    return found;
  };
  const context: ChaosContext = {
    server,
    people: [],
    admins: [],
    statuses: new Map(),
    failures: [],
    random,
    pick,
    person: () => pickPerson(context.people),
    admin: () => pickPerson(context.admins),
    uniqueName: (prefix) => `${prefix}-${++counter}`,
    get: (who, path) => context.send(who, "GET", path),
    async send(who, method, path, body) {
      const answer = await server.call(path, { method, token: who.token, ...(body && { body }) });
      const outcome = answer.text.includes("changed_meanwhile") ? "409 changed_meanwhile" : String(answer.status);
      context.statuses.set(outcome, (context.statuses.get(outcome) ?? 0) + 1);
      if (answer.status >= 500) context.failures.push(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    },
    async ids(who, path) {
      const { body } = await context.get(who, path);
      const items = (body as { items?: { id?: string; code?: string }[] }).items ?? [];
      return items.flatMap(({ id, code }) => id ?? code ?? []);
    },
  };
  return context;
}
