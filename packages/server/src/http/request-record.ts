import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { type Actor, toLogFields } from "../platform/core/auth/actor.ts";
import { isOpenAIPath } from "../platform/core/errors/envelopes.ts";
import type { TrafficCounters } from "../platform/core/metrics/traffic-counters.ts";
import type { Span } from "../platform/core/tracing.ts";

/** A request whose response has ended, or whose caller has disconnected. */
export type EndedRequest = {
  id: string;
  /** The caller; undefined if it is unknown. */
  actor: Actor | undefined;
  /** The status of the response; 0 if the caller disconnected before it. */
  status: number;
  /** When the request arrived, in milliseconds of the monotonic clock. */
  startedAt: number;
  /** Whether its duration is a measure of the server's speed: not for streams and calls to models. */
  isTimed: boolean;
  /** The span of the request, which ends with it. */
  span: Span | null;
};
/** Counts and logs a request of a route, which is an operation of the contract or a part of the server. */
export type RecordRequest = (route: string, request: EndedRequest) => void;

type Deps = {
  traffic: Pick<TrafficCounters, "countRequest">;
  /** Whether each request is logged. */
  logsRequests: boolean;
  /** The duration in milliseconds from which a request is logged as slow; infinity for never. */
  slowMs: number;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
};

/** Creates the record of requests, which requests with and without Fastify share. It logs neither URLs nor bodies. */
export function createRequestRecord({ traffic, logsRequests, slowMs, log }: Deps): RecordRequest {
  return (route, { id, actor, status, startedAt, isTimed, span }) => {
    const durationMs = performance.now() - startedAt;
    if (span !== null) endRequestSpan(span, { id, actor, status });
    traffic.countRequest(route, status, isTimed ? durationMs / 1000 : null);
    const isSlow = isTimed && durationMs > slowMs;
    if (!isSlow && !logsRequests) return;
    const duration = Math.round(durationMs);
    const fields = { request_id: id, ...toLogFields(actor), operation: route, status, duration_ms: duration };
    if (isSlow) log.warn(fields, "a slow request");
    else log.info(fields, "a request");
  };
}

/** Ends the span of a request. A status of 400 to 499 is the caller's error and no failure of the server. */
function endRequestSpan(span: Span, { id, actor, status }: Pick<EndedRequest, "id" | "actor" | "status">): void {
  const { organization_id, api_key_id } = toLogFields(actor);
  span.set({
    "http.response.status_code": status === 0 ? undefined : status,
    "feather.request.id": id,
    "feather.organization.id": organization_id,
    "feather.api_key.id": api_key_id,
  });
  span.end(status >= 500 ? String(status) : undefined);
}

/** Returns the status of a response; 0 if none was sent. */
export const statusOf = (response: ServerResponse): number => (response.headersSent ? response.statusCode : 0);

/**
 * Records a request of Fastify when its response has ended or its caller has disconnected. If another replica answered it,
 * that one records it.
 */
export function recordEndOf(request: FastifyRequest, reply: FastifyReply, record: RecordRequest): void {
  const startedAt = performance.now();
  const response = reply.raw;
  response.once("close", () => {
    const { id, actor, operation } = request;
    if (request.isAnsweredElsewhere) return;
    record(operation?.operationId ?? "site", {
      id,
      actor,
      status: statusOf(response),
      startedAt,
      span: request.span ?? null,
      isTimed: operation?.followsEvents !== true && !isCallToModel(request),
    });
  });
}

function isCallToModel({ method, url }: FastifyRequest): boolean {
  return method === "POST" && isOpenAIPath(url);
}
