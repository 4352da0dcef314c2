import { createHmac } from "node:crypto";

/** Returns the header `stripe-signature` of a webhook, as https://docs.stripe.com/webhooks describes it. */
export function signWebhook(payload: string, secret: string, seconds: number): string {
  const signature = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}
