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
 * Refuses a write that another site made a browser send. Browsers say where a request comes from (`Sec-Fetch-Site`, or
 * `Origin` in old ones); programs say neither. Only requests that carry the session cookie need this check.
 */
export function refuseCrossSiteWrite(request: CrossSiteSources): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { secFetchSite, origin } = request;
  if (secFetchSite !== undefined) {
    if (secFetchSite === "same-origin" || secFetchSite === "none") return;
    throw crossSite();
  }
  if (origin !== undefined && origin !== ownOrigin(request)) throw crossSite();
}

/** The public URL's origin for requests to its host: a proxy in front of us may hide that they came encrypted. */
function ownOrigin({ host, protocol, publicUrl }: CrossSiteSources): string {
  const site = new URL(publicUrl);
  return host === site.host ? site.origin : `${protocol}://${host}`;
}

function crossSite(): AppError {
  return new AppError(403, "cross_site_request", "This request came from another site and was refused.");
}
