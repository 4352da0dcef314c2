import { AppError } from "../shared/errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type CrossSiteSources = {
  method: string;
  secFetchSite: string | undefined;
  origin: string | undefined;
  host: string | undefined;
  /** Scheme by which the request came, as far as it is known: `http` or `https`. */
  protocol: string;
  publicUrl: string;
};

/**
 * Whether another site made a browser send a write, which is refused. Browsers say where a request comes from (`Sec-Fetch-Site`, or
 * `Origin` in old ones); programs say neither. Only requests that carry the session cookie need this check.
 */
export function isCrossSiteWrite(request: CrossSiteSources): boolean {
  if (SAFE_METHODS.has(request.method)) return false;
  const { secFetchSite, origin } = request;
  if (secFetchSite !== undefined) return secFetchSite !== "same-origin" && secFetchSite !== "none";
  return origin !== undefined && origin !== ownOrigin(request);
}

/** The public URL's origin for requests to its host: a proxy in front of us may hide that they came encrypted. */
function ownOrigin({ host, protocol, publicUrl }: CrossSiteSources): string {
  const site = new URL(publicUrl);
  return host === site.host ? site.origin : `${protocol}://${host}`;
}

export function crossSite(): AppError {
  return new AppError(403, "cross_site_request", "This request came from another site and was refused.");
}
