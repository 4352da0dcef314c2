import { z } from "zod";
import { DAY_MS } from "../../../platform/core/time.ts";
import { toUnavailable } from "../http/json-requests.ts";
import type { UsageOutcome, UsageReport } from "../marketplace-driver.ts";
import type { GcpClient } from "./gcp-client.ts";

/** Google names no limit. A report that fails for this long is given up. */
const MAX_AGE_MS = 30 * DAY_MS;

/** Numbers of gRPC that stand for a report which stays wrong: invalid argument, not found, failed precondition. */
const LASTING_CODES = [3, 5, 9];

const checkSchema = z.object({
  checkErrors: z.array(z.object({ code: z.string(), detail: z.string().nullish() })).nullish(),
});
const reportSchema = z.object({
  reportErrors: z
    .array(
      z.object({
        operationId: z.string().nullish(),
        status: z.object({ code: z.number().nullish(), message: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

/** Returns service and consumer as one text. */
export function formatUsageId(service: string, consumerId: string): string {
  return `${service}/${consumerId}`;
}

function parseUsageId(usageId: string): { service: string; consumerId: string } {
  const at = usageId.indexOf("/");
  return { service: usageId.slice(0, at), consumerId: usageId.slice(at + 1) };
}

/** Returns whether a report of usage is given up. */
export function isTooLateForGcp({ startedAt }: Pick<UsageReport, "startedAt">, now: Date): boolean {
  return now.getTime() - startedAt.getTime() >= MAX_AGE_MS;
}

/** Reports usage by Service Control: each report is checked and then sent. The id of an operation is taken once. */
export async function meterAtGcp(client: GcpClient, reports: readonly UsageReport[]): Promise<UsageOutcome[]> {
  const outcomes: UsageOutcome[] = [];
  for (const report of reports) outcomes.push((await check(client, report)) ?? (await send(client, report)));
  return outcomes;
}

/** Asks whether usage can be reported. Returns null where it can. What Google finds wrong may be settled by its customer. */
async function check({ serviceControl }: GcpClient, report: UsageReport): Promise<UsageOutcome | null> {
  const { service } = parseUsageId(report.usageId);
  const { status, body } = await serviceControl("POST", `/${encodeURIComponent(service)}:check`, {
    json: { operation: toOperation(report) },
  });
  if (isRefusal(status)) return toRefusal(status, body);
  const [error] = readBody(checkSchema, body).checkErrors ?? [];
  return error ? { status: "later", reason: `${error.code}: ${error.detail ?? "Google gave no reason."}` } : null;
}

async function send({ serviceControl }: GcpClient, report: UsageReport): Promise<UsageOutcome> {
  const { service } = parseUsageId(report.usageId);
  const { dimension, units } = report;
  const metricValueSets = [{ metricName: dimension, metricValues: [{ int64Value: String(units) }] }];
  const { status, body } = await serviceControl("POST", `/${encodeURIComponent(service)}:report`, {
    json: { operations: [{ ...toOperation(report), metricValueSets }] },
  });
  if (isRefusal(status)) return toRefusal(status, body);
  const [error] = readBody(reportSchema, body).reportErrors ?? [];
  if (!error) return { status: "accepted" };
  const reason = error.status?.message ?? "Google gave no reason.";
  return { status: LASTING_CODES.includes(error.status?.code ?? 0) ? "refused" : "later", reason };
}

function toOperation({ id, usageId, startedAt, endedAt }: UsageReport) {
  return {
    operationId: id,
    operationName: "Hourly usage",
    consumerId: parseUsageId(usageId).consumerId,
    startTime: startedAt.toISOString(),
    endTime: endedAt.toISOString(),
  };
}

const isRefusal = (status: number) => status === 400 || status === 404;

function toRefusal(status: number, body: Readonly<Record<string, unknown>> | null): UsageOutcome {
  const message = z.object({ error: z.object({ message: z.string() }) }).safeParse(body).data?.error.message;
  return { status: "refused", reason: message ?? `Google answered with status ${status}.` };
}

function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw toUnavailable("gcp");
  return parsed.data;
}
