import type { IncomingHttpHeaders } from "node:http";
import {
  type Context,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Span, SpanAttributes, Tracing } from "../../../platform/core/tracing.ts";

type Deps = { tracer: Tracer; acceptsContext: boolean; passesContext: boolean };

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Creates spans with OpenTelemetry's tracer. */
export function createTracing(deps: Deps): Tracing {
  return {
    startRequest(method, route, headers) {
      const parent = deps.acceptsContext ? readParent(headers) : null;
      const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      const attributes = { "http.request.method": method, "http.route": route };
      return startSpan(deps, `${method} ${route}`, { kind: SpanKind.SERVER, attributes, context });
    },
  };
}

type Start = { kind: SpanKind; attributes: SpanAttributes; context: Context };

function startSpan(deps: Deps, name: string, { kind, attributes, context }: Start): Span {
  const span = deps.tracer.startSpan(name, { kind, attributes: { ...attributes } }, context);
  let isOpen = true;
  return {
    set: (more) => void span.setAttributes({ ...more }),
    startChild: (childName, childKind, childAttributes) =>
      startSpan(deps, childName, {
        kind: KINDS[childKind],
        attributes: childAttributes,
        context: trace.setSpan(context, span),
      }),
    traceparent: () => (deps.passesContext ? toTraceparent(span) : null),
    end(errorType) {
      if (!isOpen) return;
      isOpen = false;
      if (errorType !== undefined) span.setAttribute("error.type", errorType).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Returns the caller's span from the header `traceparent` (W3C Trace Context). Null without a valid one. */
function readParent({ traceparent }: IncomingHttpHeaders): SpanContext | null {
  const [, traceId = "", spanId = "", flags = "0"] = TRACEPARENT.exec(String(traceparent)) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? parent : null;
}

function toTraceparent(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
