import { createPrivateKey } from "node:crypto";
import { toRecord } from "../../formats/fields.ts";

/** The key of a service account, of which access tokens are had. */
export type ServiceAccount = { email: string; privateKey: string };

/** Where access tokens come from. A file that names another address could have the signed requests sent to anybody. */
const TOKEN_URIS: readonly unknown[] = [
  "https://oauth2.googleapis.com/token",
  "https://accounts.google.com/o/oauth2/token",
];

/** Returns the service account in the JSON of its key, as Google's console gives it; null if it is none. */
export function readServiceAccount(text: string): ServiceAccount | null {
  if (findServiceAccountProblem(text) !== null) return null;
  const { client_email, private_key } = parseObject(text);
  return { email: String(client_email), privateKey: String(private_key) };
}

/** Returns what is wrong with the JSON of a service account's key, as a sentence about it; null if nothing is. */
export function findServiceAccountProblem(text: string): string | null {
  const { type, client_email: email, private_key: key, token_uri: address } = parseObject(text);
  if (type === undefined)
    return "The key must be the JSON of a service account's key, as the Google Cloud console gives it.";
  if (type !== "service_account") return "The JSON is not of a service account: its type must be service_account.";
  if (typeof email !== "string" || !email.includes("@")) return "The service account has no client_email.";
  if (typeof key !== "string" || !isPrivateKey(key)) return "The private_key of the service account cannot be read.";
  return TOKEN_URIS.includes(address) ? null : "The token_uri of the service account must be Google's.";
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    return {};
  }
}
