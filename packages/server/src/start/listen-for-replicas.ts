import type { FastifyInstance } from "fastify";
import type { Platform } from "../modules.ts";
import { startReplicaListener } from "../replicas/replica-listener.ts";

/**
 * Listens for the other replicas of the database; what they forward is answered as if it had come to the public port of
 * `server`. Port 0 is any that is free. Rejects if it cannot listen there.
 */
export function listenForReplicas(
  { peerToken: token, peerAnswers, forwarding, api, log }: Platform,
  server: FastifyInstance,
  address: { host: string; port: number },
) {
  const answerForwarded = (...exchange: unknown[]) => void server.server.emit("request", ...exchange);
  const { registry } = api.backends;
  return startReplicaListener({ token, peerAnswers, registry, forwarding, answerForwarded, log }, address);
}
