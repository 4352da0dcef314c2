import { AppError } from "../shared/errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type CrossSiteSources = {
  method: string;
  secFetchSite: string | undefined;
  origin: string | undefined;
  host: string | undefined;
};

/**
 * Refuses a write that another site made a browser send. Browsers say where a request comes from (`Sec-Fetch-Site`, or
 * `Origin` in old ones); programs say neither. Only requests that carry the session cookie need this check.
 */
export function refuseCrossSiteWrite(request: CrossSiteSources): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { secFetchSite, origin, host } = request;
  if (secFetchSite !== undefined) {
    if (secFetchSite === "same-origin" || secFetchSite === "none") return;
    throw crossSite();
  }
  if (origin !== undefined && hostOf(origin) !== host) throw crossSite();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function crossSite(): AppError {
  return new AppError(403, "cross_site_request", "This request came from another site and was refused.");
}
