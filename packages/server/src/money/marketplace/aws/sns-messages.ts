import { type KeyObject, verify, X509Certificate } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import { MARKETPLACE_NAMES } from "../../billing/index.ts";

const text = z.string().max(300_000);
const signedFields = { MessageId: text, TopicArn: text, Message: text, Timestamp: text };
const signature = { SignatureVersion: z.enum(["1", "2"]), Signature: text, SigningCertURL: text };
const messageSchema = z.discriminatedUnion("Type", [
  z.object({ Type: z.literal("Notification"), ...signedFields, ...signature, Subject: text.nullish() }),
  z.object({
    Type: z.enum(["SubscriptionConfirmation", "UnsubscribeConfirmation"]),
    ...signedFields,
    ...signature,
    Token: text,
    SubscribeURL: text,
  }),
]);
/** A message of Amazon SNS. */
export type SnsMessage = z.infer<typeof messageSchema>;
type Confirmation = Extract<SnsMessage, { SubscribeURL: string }>;

type Connection = {
  fetch: Outgoing["fetch"];
  /** Address of a stand-in, of which files are fetched in place of Amazon's. */
  apiBase?: string | undefined;
};

/** The hosts of Amazon SNS. Certificates from elsewhere prove nothing. */
const SNS_HOST = /^sns\.[a-z0-9-]{3,32}\.amazonaws\.com$/;
const MAX_CERTIFICATE_BYTES = 20_000;
const DIGESTS = { "1": "sha1", "2": "sha256" } as const;

/** Returns the function that fetches the public key of a certificate of Amazon SNS, and keeps it for a day. */
export function createCertificates(connection: Connection) {
  const keys = new LRUCache<string, KeyObject>({ max: 20, ttl: DAY_MS });
  return async (url: string): Promise<KeyObject> => {
    const known = keys.get(url);
    if (known) return known;
    const key = new X509Certificate(await fetchText(connection, toSnsUrl(url, /\.pem$/))).publicKey;
    keys.set(url, key);
    return key;
  };
}

/**
 * Returns a message whose signature is right and whose topic is one of these. Throws `marketplace.notification_refused`, and
 * `marketplace.unavailable` when the certificate cannot be fetched.
 */
export async function verifyMessage(
  body: unknown,
  topics: readonly string[],
  getKey: (url: string) => Promise<KeyObject>,
): Promise<SnsMessage> {
  const message = messageSchema.safeParse(body).data;
  if (!message) throw errors.marketplace.notificationRefused("The body is no message of Amazon SNS.");
  if (!topics.includes(message.TopicArn))
    throw errors.marketplace.notificationRefused("The topic is not one of FEATHER_AWS_MARKETPLACE_TOPICS.");
  const key = await getKey(message.SigningCertURL);
  const digest = DIGESTS[message.SignatureVersion];
  if (!verify(digest, Buffer.from(toSignedText(message)), key, Buffer.from(message.Signature, "base64")))
    throw errors.marketplace.notificationRefused("The signature does not belong to the message.");
  return message;
}

/** Returns the text that Amazon SNS signs: names and values of the fields by name, each on a line of its own. */
function toSignedText(message: SnsMessage): string {
  const { Type, MessageId, TopicArn, Message, Timestamp } = message;
  const fields: Record<string, string> =
    "Token" in message
      ? { Message, MessageId, SubscribeURL: message.SubscribeURL, Timestamp, Token: message.Token, TopicArn, Type }
      : { Message, MessageId, ...(message.Subject && { Subject: message.Subject }), Timestamp, TopicArn, Type };
  return Object.entries(fields)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join("");
}

/** Confirms the subscription of this server to a topic. Throws `marketplace.unavailable`: the message comes again. */
export async function confirmSubscription({ SubscribeURL }: Confirmation, connection: Connection): Promise<void> {
  await fetchText(connection, toSnsUrl(SubscribeURL, /^\/$/));
}

/** Returns an address of Amazon SNS as such. Throws `marketplace.notification_refused` for any other. */
function toSnsUrl(address: string, path: RegExp): URL {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" || url.port !== "" || !SNS_HOST.test(url.hostname) || !path.test(url.pathname))
    throw errors.marketplace.notificationRefused("An address in the message is not one of Amazon SNS.");
  return url;
}

async function fetchText({ fetch, apiBase }: Connection, url: URL): Promise<string> {
  const target = apiBase === undefined ? url : new URL(url.pathname + url.search, apiBase);
  const response = await fetch(target).catch(() => null);
  const content = response?.ok ? await response.text().catch(() => null) : null;
  if (content === null || content.length > MAX_CERTIFICATE_BYTES)
    throw errors.marketplace.unavailable({ marketplace: MARKETPLACE_NAMES.aws });
  return content;
}
