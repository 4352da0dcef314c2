import { z } from "zod";
import type { MarketplaceNotification } from "../marketplace-driver.ts";
import { formatReference, parseLicenseId } from "./aws-reference.ts";

/** What EventBridge sends of a license. */
const licenseEventSchema = z.object({
  id: z.string(),
  source: z.literal("aws.agreement-marketplace"),
  "detail-type": z.string().regex(/^License /),
  detail: z.object({
    product: z.object({ code: z.string() }),
    license: z.object({ arn: z.string() }),
    acceptor: z.object({ accountId: z.string() }),
  }),
});
/** What products that were listed before June 2026 send. */
const productNotificationSchema = z.object({
  action: z.string(),
  "customer-identifier": z.string(),
  "product-code": z.string(),
});

/** Returns which purchase an event is about; null for one that nothing follows from, or of another product. */
export function readAwsEvent(
  { MessageId, Message }: { MessageId: string; Message: string },
  products: readonly string[],
): MarketplaceNotification | null {
  const event = parseJson(Message);
  const license = licenseEventSchema.safeParse(event).data;
  if (license) {
    const { product, acceptor, license: granted } = license.detail;
    if (!products.includes(product.code)) return null;
    const licenseId = parseLicenseId(granted.arn);
    const reference = formatReference({ productCode: product.code, accountId: acceptor.accountId, licenseId });
    // EventBridge may deliver an event twice, as two messages.
    return { id: license.id, type: license["detail-type"], reference, customerId: null };
  }
  const change = productNotificationSchema.safeParse(event).data;
  if (!change || !products.includes(change["product-code"])) return null;
  return { id: MessageId, type: change.action, reference: null, customerId: change["customer-identifier"].trim() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
