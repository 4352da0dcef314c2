import { Agent, request } from "undici";
import { bind } from "../bind.ts";
import { AppError } from "../errors/index.ts";
import type { OtherReplica, Replicas } from "../replicas/replicas.ts";
import {
  fromPeerError,
  isVersionRefusal,
  leaderHasOtherVersion,
  leaderUnavailable,
  type PeerCall,
} from "./peer-call.ts";

/** The answers of the other replicas, the ids of those that answered, and the number of those that did not. */
export type PeerAnswers<Output> = { answers: Output[]; replicaIds: string[]; missing: number };

/** Sends calls to the other replicas of this database. */
export type PeerClient = {
  /**
   * Calls all other replicas at the same time, or those for which `includes` returns true. Never throws: those that do not
   * answer in time are counted as missing.
   */
  askOthers<Input, Output>(
    call: PeerCall<Input, Output>,
    input: Input,
    includes?: (replica: OtherReplica) => boolean,
  ): Promise<PeerAnswers<Output>>;
  /** Calls the leader. Throws the leader's errors for callers, and `unavailable` if it does not respond or there is none. */
  askLeader<Input, Output>(call: PeerCall<Input, Output>, input: Input): Promise<Output>;
  close(): Promise<void>;
};

type Deps = { replicas: Pick<Replicas, "others" | "leader">; token: string };
type Context = Deps & { agent: Agent };

const CONNECT_TIMEOUT_MS = 1_000;
/** The number of connections to one replica. Further calls wait for one. */
const MAX_CONNECTIONS = 64;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Creates the client for calls to other replicas. */
export function createPeerClient(deps: Deps): PeerClient {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const context: Context = { ...deps, agent };
  return {
    askOthers: (call, input, includes = () => true) => askOthers(context, call, input, includes),
    askLeader: (call, input) => askLeader(context, call, input),
    ...bind(context, { close: closeAgent }),
  };
}

async function askOthers<Input, Output>(
  context: Context,
  call: PeerCall<Input, Output>,
  input: Input,
  includes: (replica: OtherReplica) => boolean,
): Promise<PeerAnswers<Output>> {
  const others = context.replicas.others().filter(includes);
  const results = await Promise.allSettled(others.map((other) => ask(context, other, call, input)));
  const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const replicaIds = others.filter((_, at) => results[at]?.status === "fulfilled").map(({ id }) => id);
  return { answers, replicaIds, missing: results.length - answers.length };
}

async function askLeader<Input, Output>(
  context: Context,
  call: PeerCall<Input, Output>,
  input: Input,
): Promise<Output> {
  const leader = context.replicas.leader();
  if (leader === null) throw leaderUnavailable();
  return ask(context, leader, call, input).catch((error: unknown) => {
    throw error instanceof AppError ? error : leaderUnavailable(error);
  });
}

async function ask<Input, Output>(
  { agent, token }: Context,
  { address }: OtherReplica,
  { name, output, timeoutMs }: PeerCall<Input, Output>,
  input: Input,
): Promise<Output> {
  const { statusCode, headers, body } = await request(`${address}/peer/${name}`, {
    method: "POST",
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (isVersionRefusal(statusCode, headers)) {
    await body.dump();
    throw leaderHasOtherVersion();
  }
  const answer = await body.json();
  if (statusCode === 200) return output.parse(answer);
  throw fromPeerError(answer) ?? new Error(`The replica at ${address} answered ${name} with ${statusCode}.`);
}

function closeAgent({ agent }: Context): Promise<void> {
  return agent.destroy();
}
