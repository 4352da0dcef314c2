import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { z } from "zod";
import type { BackendRegistry } from "../gateway/index.ts";
import { createHttpServer, MAX_HEADER_BYTES, MAX_UNACCEPTED_CONNECTIONS } from "../http/connections/connections.ts";
import { createEarlyAnswers, type EarlyAnswers } from "../http/connections/early-answers.ts";
import { AppError, errors } from "../platform/core/errors/index.ts";
import { ENGINES_PATH } from "../platform/core/peers/engine-address.ts";
import { type PeerAnswer, toPeerError, VERSION_REFUSAL_STATUS } from "../platform/core/peers/peer-call.ts";
import { PEER_VERSION_HEADER, type PeerToken } from "../platform/core/peers/peer-token.ts";
import { PEER_VERSION } from "../platform/core/replicas/peer-version.ts";
import { relayToEngine } from "./engine-relay.ts";
import { FORWARD_PATH } from "./forwarding.ts";

/** The services of this process for other replicas. */
export type ReplicaServices = {
  token: PeerToken;
  peerAnswers: readonly PeerAnswer[];
  /** The backends of this process. Requests are relayed to the engines among them. */
  registry: BackendRegistry;
  forwarding: { receive(request: IncomingMessage): void };
  /** Answers a forwarded request as if it had arrived at the public port. */
  answerForwarded(request: IncomingMessage, response: ServerResponse): void;
  log: Pick<Logger, "error" | "warn">;
};

/** An address to listen on. Port 0 means any free port. */
type Address = { host: string; port: number };

/** The listener for other replicas. */
export type ReplicaListener = {
  port: number;
  /** Starts answering requests. */
  serve(services: ReplicaServices): void;
  /** Stops accepting requests, and resolves when the running ones have ended. Aborts them when `forced` aborts. */
  close(forced: AbortSignal): Promise<void>;
};

const PEER_PATH = "/peer/";
const MAX_PEER_BODY_BYTES = 64 * 1024;
/** The bytes of the headers that replicas add to those of callers: the token and the caller's address. */
const OWN_HEADER_BYTES = 1_024;
/** The number of connections. Each call to an engine and each forwarded request needs one. */
const MAX_CONNECTIONS = 20_000;
/** After this long without data, TCP checks whether the other side still exists, in milliseconds. */
const KEEP_ALIVE_PROBE_MS = 10_000;
const IDLE_CHECK_MS = 100;

/**
 * Listens for the other replicas of the database, on a separate address that callers need not reach: for their calls, for
 * forwarded requests, and for calls to the engines of this process. Refuses requests without the installation's token, and
 * all requests before `serve` is called. Rejects if it cannot listen on the address.
 */
export async function openReplicaListener({ host, port }: Address): Promise<ReplicaListener> {
  let context: Context | null = null;
  const earlyAnswers = createEarlyAnswers();
  let running = 0;
  const server = createHttpServer(
    (request, response) => {
      running += 1;
      response.once("close", () => {
        running -= 1;
      });
      if (context === null) refuse(earlyAnswers, response, 503);
      else answerRequest(context, request, response);
    },
    {
      maxHeaderSize: MAX_HEADER_BYTES + OWN_HEADER_BYTES,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = 0; // node would drop further headers silently; the replica that took the call has checked them
  server.listen({ port, host, backlog: MAX_UNACCEPTED_CONNECTIONS });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    serve(services) {
      context = {
        ...services,
        earlyAnswers,
        otherVersions: new Set(),
        answers: new Map(services.peerAnswers.map(({ name, answer }) => [name, answer])),
      };
    },
    close: (forced) => closeListener(server, () => running, forced),
  };
}

type Context = ReplicaServices & {
  answers: ReadonlyMap<string, PeerAnswer["answer"]>;
  earlyAnswers: EarlyAnswers;
  /** The addresses of replicas of another version that were logged. */
  otherVersions: Set<string>;
};

function answerRequest(context: Context, request: IncomingMessage, response: ServerResponse): void {
  const { url = "", headers } = request;
  const caller = context.token.check(headers.authorization);
  if (caller === "invalid") refuse(context.earlyAnswers, response, 401);
  else if (caller === "other_version") refuseVersion(context, request, response);
  else if (url.startsWith(`${FORWARD_PATH}/`)) answerForwarded(context, request, response);
  else if (url.startsWith(ENGINES_PATH)) answerEngineCall(context, request, response);
  else void answerPeerCall(context, request, response);
}

/** Refuses a request of another version, whose content might be misread, and sends this replica's version. */
function refuseVersion(
  { earlyAnswers, otherVersions, log }: Context,
  { socket: { remoteAddress: address = "" } }: IncomingMessage,
  response: ServerResponse,
): void {
  if (!otherVersions.has(address)) log.warn({ address }, "a replica of another version calls; it is refused");
  otherVersions.add(address);
  response.setHeader(PEER_VERSION_HEADER, PEER_VERSION);
  refuse(earlyAnswers, response, VERSION_REFUSAL_STATUS);
}

function answerForwarded(
  { forwarding, answerForwarded: answer }: Context,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  forwarding.receive(request);
  answer(request, response);
}

async function answerPeerCall(
  { answers, earlyAnswers, log }: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = "" } = request;
  const answer = url.startsWith(PEER_PATH) ? answers.get(url.slice(PEER_PATH.length)) : undefined;
  if (answer === undefined || method !== "POST") return refuse(earlyAnswers, response, 404);
  try {
    sendJson(response, 200, await answer(await readJson(request)));
  } catch (error) {
    earlyAnswers.prepare(request, response); // a body that is too large
    if (error instanceof AppError) return sendJson(response, error.status, toPeerError(error));
    const isBadInput = error instanceof z.ZodError || error instanceof SyntaxError;
    if (!isBadInput) log.error({ err: error, call: url }, "a call of another replica failed");
    refuse(earlyAnswers, response, isBadInput ? 400 : 500);
  }
}

function answerEngineCall(
  { registry, earlyAnswers, log }: Context,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const relayed = relayToEngine(registry, request, response);
  if (relayed === null) refuse(earlyAnswers, response, 503);
  else
    relayed.catch((error: unknown) => {
      log.warn({ err: error }, "an engine does not answer another replica");
      refuse(earlyAnswers, response, 502);
    });
}

/** Reads a small JSON body. Throws a SyntaxError for invalid JSON, and `payload_too_large`. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_PEER_BODY_BYTES) throw errors.payloadTooLarge("A call between replicas is too large.");
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Responds without details, and closes the connection, because the request may not have been read. */
function refuse(earlyAnswers: EarlyAnswers, response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  earlyAnswers.prepare(response.req, response);
  response.writeHead(status, { connection: "close", "content-length": 0 }).end();
}

/** Stops accepting requests, and closes all connections when no request is running, or when `forced` aborts. */
async function closeListener(server: Server, countRunning: () => number, forced: AbortSignal): Promise<void> {
  const closed = once(server, "close");
  server.close();
  while (countRunning() > 0 && !forced.aborted)
    await sleep(IDLE_CHECK_MS, undefined, { signal: forced }).catch(() => {});
  server.closeAllConnections();
  await closed;
}
