/** What a customer is entitled to. `expiresAt` is in milliseconds since 1970. */
export type Entitlement = {
  productCode: string;
  accountId: string;
  licenseArn?: string;
  dimension: string;
  value: { IntegerValue: number } | { BooleanValue: boolean };
  expiresAt?: number;
};

/** The service returns at most 25 at a time; fewer here, so that a client has to ask for more. */
const PAGE_SIZE = 2;

/** Returns the response of GetEntitlements: a page of those that fit the product and the filter. */
export function findEntitlements(entitlements: readonly Entitlement[], input: Record<string, unknown>) {
  const filter = (input.Filter ?? {}) as Record<string, string[]>;
  const found = entitlements.filter(
    ({ productCode, accountId, licenseArn, dimension }) =>
      productCode === input.ProductCode &&
      (filter.CUSTOMER_AWS_ACCOUNT_ID?.includes(accountId) ?? true) &&
      (filter.LICENSE_ARN?.includes(licenseArn ?? "") ?? true) &&
      (filter.DIMENSION?.includes(dimension) ?? true),
  );
  const start = Number(input.NextToken ?? 0);
  const end = start + PAGE_SIZE;
  return {
    Entitlements: found.slice(start, end).map(toModel),
    ...(end < found.length && { NextToken: String(end) }),
  };
}

function toModel({ productCode, accountId, licenseArn, dimension, value, expiresAt }: Entitlement) {
  return {
    ProductCode: productCode,
    CustomerAWSAccountId: accountId,
    Dimension: dimension,
    Value: value,
    ...(licenseArn !== undefined && { LicenseArn: licenseArn }),
    ...(expiresAt !== undefined && { ExpirationDate: expiresAt / 1000 }),
  };
}
