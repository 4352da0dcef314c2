/** A record that was taken. */
export type MeteredRecord = {
  productCode: string | undefined;
  accountId: string;
  licenseArn: string | undefined;
  dimension: string;
  quantity: number;
  /** Seconds since 1970. */
  timestamp: number;
};
/** What the stand-in knows about metering. */
export type MeteringStore = {
  records: MeteredRecord[];
  dimensions: Set<string>;
  /** AWS accounts and ARNs of licenses that are not subscribed any more. */
  unsubscribed: Set<string>;
  /** How many of the next records are returned as unprocessed. */
  unprocessed: number;
};
type InputRecord = {
  Timestamp: number;
  CustomerAWSAccountId: string;
  Dimension: string;
  Quantity?: number;
  LicenseArn?: string;
};

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const GRACE_S = 6 * HOUR_S;
const MAX_RECORDS = 25;

/** Returns the response of BatchMeterUsage, or the name of its error, at a time in milliseconds since 1970. */
export function meterBatch(
  store: MeteringStore,
  input: Record<string, unknown>,
  now: number,
): { body: object } | { error: string } {
  const productCode = input.ProductCode as string | undefined;
  const records = input.UsageRecords as InputRecord[];
  const error = records.length > MAX_RECORDS ? "ValidationException" : findError(store, productCode, records, now);
  if (error !== undefined) return { error };
  const Results: object[] = [];
  const UnprocessedRecords: object[] = [];
  for (const record of records) {
    if (store.unprocessed > 0) {
      store.unprocessed--;
      UnprocessedRecords.push(record);
    } else Results.push({ UsageRecord: record, ...take(store, productCode, record) });
  }
  return { body: { Results, UnprocessedRecords } };
}

function findError(
  { dimensions }: MeteringStore,
  productCode: string | undefined,
  records: readonly InputRecord[],
  now: number,
): string | undefined {
  for (const { Timestamp, Dimension, LicenseArn } of records) {
    if ((LicenseArn === undefined) === (productCode === undefined)) return "InvalidProductCodeException";
    if (!dimensions.has(Dimension)) return "InvalidUsageDimensionException";
    if (isOutOfBounds(Timestamp, now / 1000)) return "TimestampOutOfBoundsException";
  }
  return undefined;
}

/** AWS takes the last 24 hours, but no earlier month after 06:00 UTC of its first day. */
function isOutOfBounds(timestamp: number, now: number): boolean {
  const date = new Date(now * 1000);
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
  return timestamp > now || now - timestamp >= DAY_S || (timestamp < monthStart && now >= monthStart + GRACE_S);
}

function take(store: MeteringStore, productCode: string | undefined, record: InputRecord): object {
  const { CustomerAWSAccountId: accountId, LicenseArn: licenseArn, Dimension: dimension, Quantity = 0 } = record;
  const hour = Math.floor(record.Timestamp / HOUR_S);
  if (store.unsubscribed.has(licenseArn ?? accountId)) return { Status: "CustomerNotSubscribed" };
  const at = store.records.findIndex(
    (one) =>
      one.accountId === accountId &&
      one.licenseArn === licenseArn &&
      one.productCode === productCode &&
      one.dimension === dimension &&
      Math.floor(one.timestamp / HOUR_S) === hour,
  );
  const earlier = store.records[at];
  if (earlier && earlier.quantity !== Quantity) return { Status: "DuplicateRecord" };
  if (earlier) return { Status: "Success", MeteringRecordId: `record-${at}` };
  const { Timestamp: timestamp } = record;
  store.records.push({ productCode, accountId, licenseArn, dimension, quantity: Quantity, timestamp });
  return { Status: "Success", MeteringRecordId: `record-${store.records.length - 1}` };
}
