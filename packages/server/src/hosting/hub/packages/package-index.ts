import { readLimited } from "../../../platform/core/http/read-limited.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import { hubInvalidResponse, hubUnavailable } from "../hub.errors.ts";

/** Both forms of a page of an index: https://packaging.python.org/en/latest/specifications/simple-repository-api/ */
const ACCEPTED = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";
const TIMEOUT_MS = 20 * SECOND_MS;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const LINK = /<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/**
 * Returns the address of a file of a project in a Python package index. Throws `hub.unavailable` if the index cannot be
 * reached, and `hub.invalid_response` if it does not list the file.
 */
export async function findPackageFile(
  outgoing: Pick<Outgoing, "fetch">,
  indexUrl: string,
  { project, filename }: { project: string; filename: string },
): Promise<string> {
  const page = `${indexUrl.replace(/\/+$/, "")}/${project}/`;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const init = { headers: { accept: ACCEPTED }, redirect: "follow", signal } as const;
  const response = await outgoing.fetch(page, init).catch((error: unknown) => {
    throw hubUnavailable(error);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw hubUnavailable(`status ${response.status} of ${page}`);
  }
  const text = (await readLimited(response.body, MAX_PAGE_BYTES)).toString("utf8");
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const links = isJson ? readJsonLinks(text) : readHtmlLinks(text);
  const address = links
    .map((link) => resolve(link, response.url || page))
    .find((url) => url !== null && isFile(url, filename));
  if (address === undefined || address === null) throw hubInvalidResponse(`a list of files with ${filename}`);
  address.hash = "";
  return address.href;
}

function isFile({ pathname }: URL, filename: string): boolean {
  return pathname.endsWith(`/${filename}`);
}

function resolve(link: string, base: string): URL | null {
  return URL.canParse(link, base) ? new URL(link, base) : null;
}

function readJsonLinks(text: string): string[] {
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    if (!Array.isArray(files)) return [];
    return files.flatMap((file: { url?: unknown } | null) => (typeof file?.url === "string" ? [file.url] : []));
  } catch {
    return [];
  }
}

function readHtmlLinks(text: string): string[] {
  return [...text.matchAll(LINK)].map(([, double, single]) => (double ?? single ?? "").replaceAll("&amp;", "&"));
}
