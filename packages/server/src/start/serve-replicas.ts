import type { FastifyInstance } from "fastify";
import type { Modules } from "../modules.ts";
import type { ReplicaListener } from "../replicas/replica-listener.ts";

/**
 * Answers the other replicas of the database. Forwarded requests are answered as if they had arrived at the public port of
 * `server`.
 */
export function serveReplicas(
  listener: ReplicaListener,
  { peerToken: token, peerAnswers, forwarding, api, log }: Modules,
  server: FastifyInstance,
): void {
  const answerForwarded = (...exchange: unknown[]) => void server.server.emit("request", ...exchange);
  const { registry } = api.backends;
  listener.serve({ token, peerAnswers, registry, forwarding, answerForwarded, log });
}
