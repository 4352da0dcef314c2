import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { answerPeerCall, type PeerAnswer, type PeerCall } from "../../platform/core/peers/peer-call.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { ResumableStream } from "./resumable-stream.ts";
import { createTakenError, type ResumableStreams } from "./resumable-streams.ts";

/** Relays a request of a reader to another replica, byte for byte, and resolves when the response has ended. */
type Relay = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What forwards requests to other replicas. */
export type StreamForwarding = {
  /** Returns whether another replica has forwarded a request to this one. */
  isForwarded(request: IncomingMessage): boolean;
  forwardTo(replicaId: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
};

type StreamName = { owner: string; id: string };

/** The resumable streams of all replicas. */
export type SharedStreams = {
  /**
   * Finds a stream here, or the replica that has it. Throws `streams.not_found`, and `unavailable` if a replica does not respond
   * that may have it.
   */
  find(name: StreamName, request: IncomingMessage): Promise<{ stream: ResumableStream } | { forward: Relay }>;
  /**
   * Throws `invalid_request` for an id that its owner has used at another replica, and `unavailable` if one does not respond. Two
   * calls that begin with the same id at two replicas within the same moment are both accepted.
   */
  refuseTaken(name: StreamName): Promise<void>;
  /** Stops the call of a stream. Throws as `find` does. */
  stop(name: StreamName): Promise<void>;
  /** The answers to other replicas. */
  peerAnswers: readonly PeerAnswer[];
};

type Deps = {
  streams: Pick<ResumableStreams, "find" | "isTaken">;
  peers: Pick<PeerClient, "askOthers">;
  forwarding: StreamForwarding;
};

const TIMEOUT_MS = 500;
const RETRY_AFTER_SECONDS = 2;

const input = z.object({ owner: z.string(), id: z.string() });
const output = z.object({ isHere: z.boolean() });
const FIND_STREAM: PeerCall<StreamName, { isHere: boolean }> = {
  name: "find-stream",
  input,
  output,
  timeoutMs: TIMEOUT_MS,
};
const IS_TAKEN: PeerCall<StreamName, { isHere: boolean }> = { ...FIND_STREAM, name: "is-stream-taken" };
const STOP_STREAM: PeerCall<StreamName, { isHere: boolean }> = { ...FIND_STREAM, name: "stop-stream" };

/** Creates the lookup of the streams of all replicas, and the handlers with which others find those of this one. */
export function createSharedStreams(deps: Deps): SharedStreams {
  const { streams, forwarding } = deps;
  const stopHere = ({ owner, id }: StreamName): boolean => {
    const stream = streams.find(owner, id);
    stream?.stop(errors.requestStopped());
    return stream !== undefined;
  };
  return {
    async find(name, request) {
      const stream = streams.find(name.owner, name.id);
      if (stream !== undefined) return { stream };
      if (forwarding.isForwarded(request)) throw errors.streams.notFound();
      const replicaId = await askOthers(deps, FIND_STREAM, name);
      return { forward: (...exchange) => forwarding.forwardTo(replicaId, ...exchange) };
    },
    async refuseTaken(name) {
      const { answers, missing } = await deps.peers.askOthers(IS_TAKEN, name);
      if (answers.some(({ isHere }) => isHere)) throw createTakenError();
      if (missing > 0) throw createMissingError();
    },
    async stop(name) {
      if (!stopHere(name)) await askOthers(deps, STOP_STREAM, name);
    },
    peerAnswers: [
      answerPeerCall(FIND_STREAM, ({ owner, id }) => ({ isHere: streams.find(owner, id) !== undefined })),
      answerPeerCall(IS_TAKEN, ({ owner, id }) => ({ isHere: streams.isTaken(owner, id) })),
      answerPeerCall(STOP_STREAM, (name) => ({ isHere: stopHere(name) })),
    ],
  };
}

/** Returns the id of the other replica that has a stream. Throws `streams.not_found` or `unavailable`. */
async function askOthers({ peers }: Deps, call: typeof FIND_STREAM, name: StreamName): Promise<string> {
  const { answers, replicaIds, missing } = await peers.askOthers(call, name);
  const replicaId = replicaIds[answers.findIndex(({ isHere }) => isHere)];
  if (replicaId !== undefined) return replicaId;
  if (missing === 0) throw errors.streams.notFound();
  throw createMissingError();
}

function createMissingError(): AppError {
  return errors.unavailable("Not all servers of this installation answered, and the stream may be at one of those.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
