import { z } from "zod";
import { DAY_MS } from "../../../platform/core/time.ts";
import { toUnavailable } from "../http/json-requests.ts";
import type { UsageOutcome, UsageReport } from "../marketplace-driver.ts";
import type { AzureClient } from "./azure-client.ts";

/** Azure takes usage of the last 24 hours. */
const MAX_AGE_MS = DAY_MS;
const BATCH_PATH = "/batchUsageEvent";

const resultSchema = z.object({
  status: z.string(),
  resourceId: z.string().nullish(),
  dimension: z.string().nullish(),
  effectiveStartTime: z.string().nullish(),
  error: z
    .object({
      message: z.string().nullish(),
      additionalInfo: z.object({ acceptedMessage: z.object({ quantity: z.number().nullish() }).nullish() }).nullish(),
    })
    .nullish(),
});
type Result = z.infer<typeof resultSchema>;
const batchSchema = z.object({ result: z.array(resultSchema) });

const REFUSALS: Readonly<Record<string, string>> = {
  Expired: "Expired: Azure takes no usage of that time any more.",
  Duplicate: "Duplicate: another quantity was reported for this hour before.",
  ResourceNotFound: "ResourceNotFound: Azure does not know the subscription.",
  ResourceNotAuthorized: "ResourceNotAuthorized: the subscription is not of this seller.",
  InvalidDimension: "InvalidDimension: the plan has no such dimension.",
  InvalidQuantity: "InvalidQuantity: Azure does not take this quantity.",
  BadArgument: "BadArgument: Azure does not take the report.",
};
/** Statuses after which the same report may be taken later. */
const LATER: Readonly<Record<string, string>> = {
  Error: "Error: Azure failed to process the report.",
  ResourceNotActive: "ResourceNotActive: the subscription is suspended or over.",
};

/** Returns whether usage is too old for Azure. */
export function isTooLateForAzure({ startedAt }: Pick<UsageReport, "startedAt">, now: Date): boolean {
  return now.getTime() - startedAt.getTime() >= MAX_AGE_MS;
}

/** Reports usage in a batch. Azure takes one event for each subscription, dimension and hour. */
export async function meterAtAzure(client: AzureClient, reports: readonly UsageReport[]): Promise<UsageOutcome[]> {
  const { status, body } = await client("POST", BATCH_PATH, { json: { request: reports.map(toEvent) } });
  if (status === 400) return refuseOrSplit(client, reports, body);
  const answer = batchSchema.safeParse(body).data;
  if (status >= 300 || !answer) throw toUnavailable("azure");
  return reports.map((report) => toOutcome(report, answer.result));
}

/** Sends each report alone when Azure refuses a batch as a whole, which it does for one event. */
async function refuseOrSplit(
  client: AzureClient,
  reports: readonly UsageReport[],
  body: Readonly<Record<string, unknown>> | null,
): Promise<UsageOutcome[]> {
  if (reports.length === 1) return [{ status: "refused", reason: `BadArgument: ${messageOf(body)}` }];
  const outcomes: UsageOutcome[] = [];
  for (const report of reports) outcomes.push(...(await meterAtAzure(client, [report])));
  return outcomes;
}

const messageOf = (body: Readonly<Record<string, unknown>> | null) =>
  typeof body?.message === "string" ? body.message : "Azure does not take the report.";

function toEvent({ usageId, offer, dimension, units, startedAt }: UsageReport) {
  return {
    resourceId: usageId,
    planId: offer,
    dimension,
    quantity: units,
    effectiveStartTime: startedAt.toISOString(),
  };
}

function toOutcome({ usageId, dimension, startedAt, units }: UsageReport, results: readonly Result[]): UsageOutcome {
  const result = results.find(
    (one) =>
      one.resourceId === usageId &&
      one.dimension === dimension &&
      Date.parse(one.effectiveStartTime ?? "") === startedAt.getTime(),
  );
  const status = result?.status ?? "Error";
  const accepted = result?.error?.additionalInfo?.acceptedMessage;
  if (status === "Accepted" || (status === "Duplicate" && accepted?.quantity === units)) return { status: "accepted" };
  const later = LATER[status];
  if (later !== undefined) return { status: "later", reason: later };
  return { status: "refused", reason: REFUSALS[status] ?? `${status}: ${result?.error?.message ?? "no reason given"}` };
}
