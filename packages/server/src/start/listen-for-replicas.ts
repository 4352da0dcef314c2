import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "../core/time.ts";
import type { Platform } from "../modules.ts";
import { startReplicaListener } from "../replicas/replica-listener.ts";

/**
 * Listens for the other replicas of the database; what they forward is answered as if it had come to the public port of
 * `server`. Port 0 is any that is free. Rejects if it cannot listen there.
 */
export async function listenForReplicas(
  { peerToken: token, peerAnswers, forwarding, api, settings, log }: Platform,
  server: FastifyInstance,
  address: { host: string; port: number },
) {
  const answerForwarded = (...exchange: unknown[]) => void server.server.emit("request", ...exchange);
  const { registry } = api.backends;
  const deps = { token, peerAnswers, registry, forwarding, answerForwarded, log };
  const { port, close } = await startReplicaListener(deps, address);
  return {
    port,
    /** Takes no new requests, and ends those that exceed the drain timeout, or still run once `forced` aborts. */
    close: (forced: AbortSignal): Promise<void> =>
      close(AbortSignal.any([forced, AbortSignal.timeout(settings.server.drainTimeoutSeconds * SECOND_MS)])),
  };
}
