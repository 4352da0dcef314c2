const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The parts of a request that tell which site it comes from. */
export type CrossSiteSources = {
  method: string;
  secFetchSite: string | undefined;
  origin: string | undefined;
  host: string | undefined;
  /** Scheme of the request as far as it is known: `http` or `https`. */
  protocol: string;
  publicUrl: string;
};

/**
 * Whether another site made a browser send a write. Browsers name the origin of a request (`Sec-Fetch-Site`, or
 * `Origin` in old ones); other programs send neither. Only requests with the session cookie need this check.
 */
export function isCrossSiteWrite(request: CrossSiteSources): boolean {
  if (SAFE_METHODS.has(request.method)) return false;
  const { secFetchSite, origin } = request;
  if (secFetchSite !== undefined) return secFetchSite !== "same-origin" && secFetchSite !== "none";
  return origin !== undefined && origin !== getOwnOrigin(request);
}

/**
 * The public URL's origin for requests to its host: a proxy may terminate TLS, so the scheme of the request is not
 * enough.
 */
function getOwnOrigin({ host, protocol, publicUrl }: CrossSiteSources): string {
  const site = new URL(publicUrl);
  return host === site.host ? site.origin : `${protocol}://${host}`;
}
