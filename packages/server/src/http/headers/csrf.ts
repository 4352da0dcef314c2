const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The parts of a request that identify the site that it comes from. */
export type CrossSiteSources = {
  method: string;
  secFetchSite: string | undefined;
  origin: string | undefined;
  host: string | undefined;
  /** The scheme of the request, `http` or `https`, as far as it is known. */
  protocol: string;
  publicUrl: string;
};

/**
 * Returns whether another site made a browser send a write. Browsers send the origin of a request (`Sec-Fetch-Site`, or
 * `Origin` in old ones); other programs send neither. Only requests with the session cookie need this check.
 */
export function isCrossSiteWrite(request: CrossSiteSources): boolean {
  if (SAFE_METHODS.has(request.method)) return false;
  const { secFetchSite, origin } = request;
  if (secFetchSite !== undefined) return secFetchSite !== "same-origin" && secFetchSite !== "none";
  return origin !== undefined && origin !== getOwnOrigin(request);
}

/**
 * Returns the origin for comparison: for requests to the public URL's host, that of the public URL, because a proxy may
 * terminate TLS, so that the scheme of the request differs.
 */
function getOwnOrigin({ host, protocol, publicUrl }: CrossSiteSources): string {
  const site = new URL(publicUrl);
  return host === site.host ? site.origin : `${protocol}://${host}`;
}
