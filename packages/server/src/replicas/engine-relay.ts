import type { IncomingMessage, ServerResponse } from "node:http";
import type { Backend, BackendRegistry } from "../gateway/index.ts";
import { parseEngineUrl } from "../platform/core/peers/engine-address.ts";
import { listRelayedHeaders, relay } from "../platform/core/peers/relay.ts";

type Registry = Pick<BackendRegistry, "candidates" | "chooseKey" | "acquire" | "recordSuccess">;

/** Headers that apply to the connection between replicas. */
const OWN_HEADERS = new Set(["host", "authorization"]);

/**
 * Returns whether a backend is an engine that this process itself hosts, on a socket or in pods. Backends that lead to the
 * leader's engines are not relayed to.
 */
const isOfThisProcess = ({ source, basePath }: Backend) => source === "engine" && parseEngineUrl(basePath) === null;

/**
 * Relays a request of another replica to the engine that runs the model here. It counts as a call in flight at that engine.
 * Rejects if the engine does not respond. Returns null if no engine runs the model.
 */
export function relayToEngine(
  registry: Registry,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | null {
  const called = parseEngineUrl(request.url ?? "");
  const engine = called && registry.candidates(called.modelKey).find(isOfThisProcess);
  if (!engine) return null;
  const headers = listRelayedHeaders(request);
  const relayed = headers.filter((_, at) => !OWN_HEADERS.has((headers[at - (at % 2)] ?? "").toLowerCase()));
  const key = registry.chooseKey(engine);
  if (key !== null) relayed.push("authorization", `Bearer ${key.secret}`);
  const target = {
    dispatcher: engine.agent,
    origin: engine.origin,
    headers: relayed,
    path: engine.basePath.replace(/\/v1$/, "") + called.path,
  };
  const lease = registry.acquire(engine, key);
  const onStart = (status: number) => status < 500 && registry.recordSuccess(engine, called.modelKey);
  return relay(request, response, target, { onStart }).finally(() => lease[Symbol.dispose]());
}
