/** The path below which a replica relays requests to its engines. */
export const ENGINES_PATH = "/engines/";

/** Returns the base URL at which a replica relays requests to the engine that runs a model. */
export function toEngineBaseUrl(replicaAddress: string, modelKey: string): string {
  return `${replicaAddress}${ENGINES_PATH}${encodeURIComponent(modelKey)}/v1`;
}

/** Returns the model of a URL below `ENGINES_PATH`, and the path at the model's engine; null for any other URL. */
export function parseEngineUrl(url: string): { modelKey: string; path: string } | null {
  const [, encodedKey, path] = /^\/engines\/([^/]+)(\/.*)$/.exec(url) ?? [];
  if (encodedKey === undefined || path === undefined) return null;
  try {
    return { modelKey: decodeURIComponent(encodedKey), path };
  } catch {
    return null;
  }
}
