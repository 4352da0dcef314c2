import { z } from "zod";
import { answerPeerCall, type PeerCall } from "../../platform/core/peers/peer-call.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { BackendRegistry } from "../backends/registry.ts";

type Deps = { registry: Pick<BackendRegistry, "list">; peers: Pick<PeerClient, "askOthers"> };

const COUNT_CALLS: PeerCall<{ backend: string }, { inFlight: number }> = {
  name: "calls-at-backend",
  input: z.object({ backend: z.string() }),
  output: z.object({ inFlight: z.number() }),
  timeoutMs: 500,
};

/**
 * Creates the count of the calls in flight at a backend, by its name, that the other processes have sent there. One that does
 * not respond within half a second is left out.
 */
export function createCallsAtBackend({ registry, peers }: Deps) {
  return {
    async countOfOthers(backend: string): Promise<number> {
      const { answers } = await peers.askOthers(COUNT_CALLS, { backend });
      return answers.reduce((sum, { inFlight }) => sum + inFlight, 0);
    },
    peerAnswers: [
      answerPeerCall(COUNT_CALLS, ({ backend }) => ({
        inFlight: registry.list().find(({ name }) => name === backend)?.inFlight ?? 0,
      })),
    ],
  };
}
