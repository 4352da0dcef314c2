/** A purchase at AWS Marketplace: the product, the buyer's AWS account, and the license, which old products do not have. */
export type AwsReference = { productCode: string; accountId: string; licenseId: string | null };

/** Returns a purchase as one text. */
export function formatReference({ productCode, accountId, licenseId }: AwsReference): string {
  return [productCode, accountId, ...(licenseId === null ? [] : [licenseId])].join("/");
}

/** Returns the purchase of such a text. */
export function parseReference(reference: string): AwsReference {
  const [productCode = "", accountId = "", licenseId = null] = reference.split("/");
  return { productCode, accountId, licenseId };
}

/**
 * Returns the id in the ARN of a license, such as `l-5f1d2a`; null without one. The ARN is not compared as a whole, since
 * events and calls of AWS do not spell it alike.
 */
export function parseLicenseId(arn: unknown): string | null {
  return typeof arn === "string" ? (/\bl-[0-9a-z]+$/i.exec(arn)?.[0].toLowerCase() ?? null) : null;
}
