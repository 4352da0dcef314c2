import { createHash, createHmac } from "node:crypto";
import type { RecordedRequest } from "../http-server.ts";

/** A key whose requests are signed. */
export type SigningKey = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/;
/** How old a signature may be, in milliseconds. */
const MAX_AGE_MS = 5 * 60 * 1000;

/** Returns what AWS says of a request whose signature is wrong; null if it is right, by AWS Signature Version 4. */
export function findSignatureProblem(request: RecordedRequest, key: SigningKey, now: Date): string | null {
  const { headers, body } = request;
  const [, accessKeyId, scope = "", names = "", signature] = AUTHORIZATION.exec(headers.authorization ?? "") ?? [];
  const date = String(headers["x-amz-date"]);
  if (signature === undefined) return "Missing Authentication Token";
  if (accessKeyId !== key.accessKeyId || headers["x-amz-security-token"] !== key.sessionToken)
    return "The security token included in the request is invalid.";
  if (Math.abs(now.getTime() - parseDate(date)) > MAX_AGE_MS) return "Signature expired";
  const signedHeaders = names.split(";");
  if (!signedHeaders.includes("host")) return "'Host' must be a 'SignedHeader' in the AWS Authorization.";
  const url = new URL(request.url, "http://localhost");
  const canonical = [
    request.method,
    url.pathname.split("/").map(encode).join("/"),
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...signedHeaders.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    hash(body),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope, hash(canonical)].join("\n");
  const signing = scope
    .split("/")
    .reduce<string | Buffer>((secret, part) => sign(secret, part), `AWS4${key.secretAccessKey}`);
  if (sign(signing, toSign).toString("hex") === signature) return null;
  return "The request signature we calculated does not match the signature you provided.";
}

/** Returns a date of the form `20260102T030405Z` in milliseconds since 1970. */
function parseDate(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function sign(secret: string | Buffer, text: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}
