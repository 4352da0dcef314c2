import type { UsageRecord, UsageRecordResult } from "@aws-sdk/client-marketplace-metering";
import { DAY_MS, HOUR_MS } from "../../../platform/core/time.ts";
import type { UsageOutcome, UsageReport } from "../marketplace-driver.ts";
import type { AwsClient } from "./aws-client.ts";
import { parseReference } from "./aws-reference.ts";

/** AWS takes usage of the last 24 hours, and of an earlier month until 06:00 UTC on the first day of the next. */
const MAX_AGE_MS = DAY_MS;
const MONTH_GRACE_MS = 6 * HOUR_MS;

const REFUSALS: Readonly<Record<string, string>> = {
  CustomerNotSubscribed: "CustomerNotSubscribed: the customer has no subscription any more.",
  DuplicateRecord: "DuplicateRecord: another quantity was reported for this hour before.",
  InvalidCustomerIdentifierException: "InvalidCustomerIdentifier: AWS does not know the customer.",
  InvalidLicenseException: "InvalidLicense: the license is not the customer's, or was not active at that time.",
  InvalidProductCodeException: "InvalidProductCode: the product is not the seller's.",
  InvalidUsageDimensionException: "InvalidUsageDimension: the product has no such dimension.",
  TimestampOutOfBoundsException: "TimestampOutOfBounds: AWS takes no usage of that time any more.",
};
const UNPROCESSED: UsageOutcome = { status: "later", reason: "AWS did not process the record." };

/** Returns whether usage is too old for AWS. */
export function isTooLateForAws({ startedAt }: Pick<UsageReport, "startedAt">, now: Date): boolean {
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const isOfEarlierMonth = startedAt.getTime() < monthStart;
  return (
    now.getTime() - startedAt.getTime() >= MAX_AGE_MS ||
    (isOfEarlierMonth && now.getTime() >= monthStart + MONTH_GRACE_MS)
  );
}

/**
 * Reports usage by BatchMeterUsage. Records of licenses go together, and those without one by product. The same record is
 * taken once, however often it is sent.
 */
export async function meterAtAws(client: AwsClient, reports: readonly UsageReport[]): Promise<UsageOutcome[]> {
  const groups = Map.groupBy(reports, productOf);
  const outcomes = new Map<string, UsageOutcome>();
  for (const [productCode, group] of groups)
    for (const [id, outcome] of await meterGroup(client, productCode, group)) outcomes.set(id, outcome);
  return reports.map(({ id }) => outcomes.get(id) ?? UNPROCESSED);
}

/** Returns the product of a report; undefined where its license says it. */
function productOf({ reference }: UsageReport): string | undefined {
  const { productCode, licenseId } = parseReference(reference);
  return licenseId === null ? productCode : undefined;
}

async function meterGroup(
  client: AwsClient,
  productCode: string | undefined,
  reports: readonly UsageReport[],
): Promise<[string, UsageOutcome][]> {
  const answer = await client.meterUsage(productCode, reports.map(toRecord));
  if (!("error" in answer)) return reports.map((report) => [report.id, toOutcome(report, answer.Results ?? [])]);
  const [first] = reports;
  if (first && reports.length === 1) return [[first.id, toRefusal(answer.error)]];
  // One record makes AWS refuse all of them, so each goes alone.
  const outcomes: [string, UsageOutcome][] = [];
  for (const report of reports) outcomes.push(...(await meterGroup(client, productCode, [report])));
  return outcomes;
}

function toRecord({ reference, usageId, dimension, units, startedAt }: UsageReport): UsageRecord {
  const { accountId, licenseId } = parseReference(reference);
  return {
    Timestamp: startedAt,
    CustomerAWSAccountId: accountId,
    Dimension: dimension,
    Quantity: units,
    ...(licenseId !== null && { LicenseArn: usageId }),
  };
}

function toOutcome(report: UsageReport, results: readonly UsageRecordResult[]): UsageOutcome {
  const sent = toRecord(report);
  const result = results.find(
    ({ UsageRecord: record }) =>
      record?.CustomerAWSAccountId === sent.CustomerAWSAccountId &&
      record?.LicenseArn === sent.LicenseArn &&
      record?.Dimension === sent.Dimension &&
      toSeconds(record?.Timestamp) === toSeconds(sent.Timestamp),
  );
  if (result?.Status === undefined) return UNPROCESSED;
  return result.Status === "Success" ? { status: "accepted" } : toRefusal(result.Status);
}

/** AWS returns times in whole seconds. */
const toSeconds = (time: Date | undefined) => Math.floor((time?.getTime() ?? 0) / 1000);

const toRefusal = (name: string): UsageOutcome => ({ status: "refused", reason: REFUSALS[name] ?? name });
