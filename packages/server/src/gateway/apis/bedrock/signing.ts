import type { SignableRequest } from "../api.ts";

/** The parts of a key with which requests are signed. */
type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/** A key of the form `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, with `:SESSION_TOKEN` behind it if it is temporary. */
const CREDENTIALS = /^(\w{16,128}):([^:\s]+)(?::(\S+))?$/;
/** The region in the host of an address, such as `bedrock-runtime.eu-central-1.amazonaws.com`. */
const REGION = /(?:^|\.)bedrock(?:-runtime)?(?:-fips)?\.([a-z0-9-]+)\./;
/** The region of addresses that name none, such as that of a proxy. */
const DEFAULT_REGION = "us-east-1";

/** Returns the parts of a key that signs; null for a key of Bedrock's own, which is sent. */
export function readCredentials(apiKey: string | undefined): Credentials | null {
  const [, accessKeyId, secretAccessKey, sessionToken] = CREDENTIALS.exec(apiKey ?? "") ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Returns the region that an address names. */
export function readRegion(url: string): string {
  return REGION.exec(new URL(url).hostname)?.[1] ?? DEFAULT_REGION;
}

/**
 * Returns the headers that sign a request by AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). They are valid for five minutes.
 */
export async function signRequest(
  credentials: Credentials,
  { method, url, headers: given, body }: SignableRequest,
): Promise<Record<string, string>> {
  // Loaded with the first signature: most servers have no backend that needs it, and it takes megabytes of memory.
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/core/checksum"),
  ]);
  const signer = new SignatureV4({ credentials, region: readRegion(url), service: "bedrock", sha256: Sha256 });
  const { protocol, host, hostname, pathname: path, searchParams } = new URL(url);
  const contentType = given["content-type"];
  const headers = { host, ...(contentType !== undefined && { "content-type": contentType }) };
  const query = Object.fromEntries(searchParams);
  const signed = await signer.sign({ method, protocol, hostname, path, query, headers, body });
  const { host: _host, "content-type": _type, ...signature } = signed.headers;
  return signature;
}
