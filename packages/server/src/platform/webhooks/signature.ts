import { createHmac, randomBytes } from "node:crypto";
import type { RandomBytes } from "../core/secrets/secrets.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns a new secret as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(random: RandomBytes = randomBytes): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString("base64");
}

/** The parts of a webhook that are signed. */
export type SignedParts = { id: string; timestampSeconds: number; body: string };

/** Returns the header `webhook-signature` of Standard Webhooks, with a signature for each secret. */
export function signWebhook(secrets: readonly string[], { id, timestampSeconds, body }: SignedParts): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return secrets.map((secret) => `v1,${computeHmac(secret, content)}`).join(" ");
}

function computeHmac(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}
