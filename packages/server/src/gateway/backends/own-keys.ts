import type { components } from "@feather/openapi/schema";
import type { BackendKey } from "./backend-keys.ts";

/** Whether organizations may use keys of their own at a backend, as the contract describes it. */
export type OwnKeyMode = components["schemas"]["OwnKeys"];

/** An organization's own key for a provider. */
export type OwnKey = {
  /** Name of the provider. */
  readonly provider: string;
  /** The key as calls are sent with it. It never rests, so that each call finds out whether it works again. */
  readonly key: BackendKey;
  /** Notes that the provider has refused it, and why, for those who manage it. Never throws. */
  noteRefusal(error: string): void;
};

/** The keys of an organization, by the id of the provider. Never changed: a call goes on with those it began with. */
export type OwnKeys = ReadonlyMap<string, OwnKey>;

/** Finds the keys of an organization; a promise of them only when they have to be read from the database. */
export type FindOwnKeys = (organizationId: string) => OwnKeys | Promise<OwnKeys>;

/** Returns the own key of an organization for a provider of this name. */
export function toOwnKey(provider: string, secret: string, noteRefusal: OwnKey["noteRefusal"]): OwnKey {
  const key = { label: "own key", weight: 1, secret, inFlight: 0, position: 0, rest: null, rests: 0 };
  return { provider, key, noteRefusal };
}

/** The keys of an organization without any. */
export const NO_OWN_KEYS: OwnKeys = new Map();

/** Returns the key of the caller's organization with which calls to a backend are sent; null if it has none for it. */
export function findOwnKey(
  { ownKeys }: { ownKeys?: OwnKeys },
  { ownKeys: mode, provider }: { ownKeys: OwnKeyMode; provider?: string | null },
): OwnKey | null {
  if (mode === "off" || ownKeys === undefined || !provider) return null;
  return ownKeys.get(provider) ?? null;
}
