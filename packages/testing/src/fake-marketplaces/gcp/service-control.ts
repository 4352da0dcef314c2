import type { RecordedRequest } from "../../http-server.ts";
import type { Entitlement } from "./entitlements.ts";

type Operation = {
  operationId: string;
  consumerId: string;
  startTime: string;
  endTime: string;
  metricValueSets?: { metricName: string; metricValues: { int64Value: string }[] }[];
};
/** An operation that was taken. */
export type ReportedOperation = { operationId: string; consumerId: string; metricName: string; value: number };
/** What the stand-in knows about usage. */
export type UsageStore = {
  service: string;
  operations: ReportedOperation[];
  metrics: Set<string>;
  entitlements: Map<string, Entitlement>;
  /** How many of the next operations fail to be processed. */
  unprocessed: number;
};
type Reply = { status: number; body: object };

const PATH = /^\/v1\/services\/([^/:]+):(check|report)$/;

/** Carries out a request of the Service Control API; null where the address is of another API. */
export function control(request: RecordedRequest, store: UsageStore): Reply | null {
  const { pathname } = new URL(request.url, "http://gcp.test");
  const [, service, verb] = PATH.exec(pathname) ?? [];
  if (service === undefined) return null;
  if (service !== store.service)
    return {
      status: 404,
      body: { error: { code: 404, message: `Service "${service}" not found.`, status: "NOT_FOUND" } },
    };
  const input = JSON.parse(request.body) as { operation: Operation; operations: Operation[] };
  if (verb === "check") return check(input.operation, store);
  return { status: 200, body: { reportErrors: input.operations.flatMap((operation) => report(operation, store)) } };
}

function check({ operationId, consumerId }: Operation, { entitlements }: UsageStore): Reply {
  const entitlement = [...entitlements.values()].find((one) => one.usageReportingId === consumerId);
  const checkErrors = [];
  if (!entitlement) checkErrors.push({ code: "CONSUMER_INVALID", detail: "The consumer is not known." });
  else if (entitlement.state === "ENTITLEMENT_CANCELLED" || entitlement.state === "ENTITLEMENT_SUSPENDED")
    checkErrors.push({ code: "SERVICE_NOT_ACTIVATED", detail: "The service is not activated for the consumer." });
  return { status: 200, body: { operationId, ...(checkErrors.length > 0 && { checkErrors }) } };
}

function report(operation: Operation, store: UsageStore): object[] {
  const { operationId, consumerId, metricValueSets = [] } = operation;
  const fail = (code: number, message: string) => [{ operationId, status: { code, message } }];
  if (store.unprocessed > 0) {
    store.unprocessed--;
    return fail(14, "The service is currently unavailable.");
  }
  if (operation.endTime < operation.startTime) return fail(3, "endTime is before startTime.");
  for (const { metricName, metricValues } of metricValueSets) {
    if (!store.metrics.has(metricName)) return fail(3, `Metric ${metricName} is not defined.`);
    // The same operation is counted once.
    if (store.operations.some((one) => one.operationId === operationId)) continue;
    store.operations.push({ operationId, consumerId, metricName, value: Number(metricValues[0]?.int64Value) });
  }
  return [];
}
