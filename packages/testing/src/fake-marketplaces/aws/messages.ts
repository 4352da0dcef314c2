import { sign } from "node:crypto";
import { SIGNER } from "../../certificate.ts";

/** A message to sign. */
export type MessageOptions = {
  id: string;
  topic: string;
  text: string;
  timestamp: string;
  certificateUrl: string;
  type?: "Notification" | "SubscriptionConfirmation";
  subject?: string;
  version?: "1" | "2";
  /** Signs with another key than that of the certificate. */
  key?: string;
  subscribeUrl?: string;
};

const DIGESTS = { "1": "sha1", "2": "sha256" } as const;
const TOKEN = "confirm-me";

/** Returns a message of Amazon SNS with its signature. */
export function signMessage(options: MessageOptions): Record<string, string> & { Type: string } {
  const { id, topic, text, timestamp, certificateUrl, type = "Notification", subject, version = "2", key } = options;
  const subscribeUrl =
    options.subscribeUrl ??
    `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${TOKEN}`;
  const shared = { Type: type, MessageId: id, TopicArn: topic, Message: text, Timestamp: timestamp };
  const message: Record<string, string> & { Type: string } =
    type === "Notification"
      ? { ...shared, ...(subject !== undefined && { Subject: subject }) }
      : { ...shared, Token: TOKEN, SubscribeURL: subscribeUrl };
  const names =
    type === "Notification"
      ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
      : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const signedText = names
    .filter((name) => name in message)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
  const signature = sign(DIGESTS[version], Buffer.from(signedText), key ?? SIGNER.key).toString("base64");
  return { ...message, SignatureVersion: version, Signature: signature, SigningCertURL: certificateUrl };
}
