import { HubApiError, listFiles, listModels, modelInfo, whoAmI } from "@huggingface/hub";
import { bind } from "../../platform/core/bind.ts";
import { AppError, errors } from "../../platform/core/errors/index.ts";
import { BodyTooLongError, readLimited } from "../../platform/core/http/read-limited.ts";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import type { Outgoing, OutgoingResponse } from "../../platform/core/network/outgoing.ts";
import { HOUR_S, SECOND_MS } from "../../platform/core/time.ts";
import { hubInvalidResponse, hubRateLimited, hubUnavailable } from "./hub.errors.ts";
import type { Hub, HubDownload, HubFile, HubMatch, HubModel, HubRange } from "./hub.ts";
import { parseConfig, toCardFacts } from "./model-card.ts";
import { type ReadCard, toShownReadme } from "./read-card.ts";

const ADDITIONAL_FIELDS = ["cardData", "createdAt", "safetensors", "sha", "tags"] as const;
/** A field with facts from the headers of GGUF files. The library returns it, but its types lack it. */
const GGUF_FIELD = "gguf" as (typeof ADDITIONAL_FIELDS)[number];
/** The time limit of all requests of `model` together, and of `verifyAccess`, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;
const DEFAULT_RETRY_AFTER_S = 60;
const MAX_RETRY_AFTER_S = HOUR_S;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** The largest response of its API, which is parsed at once, in bytes. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 10_000;
/** The longest path of a file. Files with longer ones are left out. */
const MAX_PATH_LENGTH = 1_000;
/** The longest tag. */
const MAX_TAG_LENGTH = 200;
const MAX_MATCHES = 20;
/** The prefix of the hub's tag of a repository whose weights are quantized from another one. */
const QUANTIZED_TAG = "base_model:quantized:";
const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;
const WEIGHTS_CHECKSUM = /^"?([0-9a-f]{64})"?$/;

type HubAccess = {
  token?: string | undefined;
  revision?: string | undefined;
  signal?: AbortSignal | undefined;
  account?: string | undefined;
};
type Context = { hubUrl: string; outgoing: Outgoing; readCard: ReadCard };

/**
 * Creates the client of the Hugging Face Hub, or of one with the same API. Every request goes through `outgoing`, including
 * redirects.
 */
export function createHuggingFace({
  baseUrl,
  ...deps
}: {
  baseUrl: string;
  outgoing: Outgoing;
  readCard: ReadCard;
}): Hub {
  const context: Context = { hubUrl: baseUrl.replace(/\/+$/, ""), ...deps };
  return {
    isComplete: true,
    ...bind(context, { model: readModel, findQuantized, verifyAccess }),
    download: (id, path, access) =>
      downloadFile(context, id, path, access).catch((error: unknown) => {
        throw toAppError(error);
      }),
  };
}

async function readModel(
  context: Context,
  id: string,
  { token, revision, signal, account }: HubAccess = {},
): Promise<HubModel> {
  const { hubUrl } = context;
  assertWellFormed(id, token);
  const timeoutSignal = AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  const fetch = createFetch(context, `model ${id}`, token, timeoutSignal);
  try {
    const info = await modelInfo({
      name: id,
      hubUrl,
      fetch,
      additionalFields: [...ADDITIONAL_FIELDS, GGUF_FIELD],
      ...(revision !== undefined && { revision }),
      ...toCredentials(token),
    });
    const { sha } = info;
    if (typeof sha !== "string" || typeof info.name !== "string") throw hubInvalidResponse("a model");
    const files = await listRepositoryFiles(context, info.name, sha, token, fetch);
    const access = { token, revision: sha, signal: timeoutSignal };
    const [card, config] = await Promise.all([
      readText(context, info.name, "README.md", files, access),
      readText(context, info.name, "config.json", files, access),
    ]);
    const shown = card === null ? null : await readReadme(context, info.name, card, { signal: timeoutSignal, account });
    const { baseModelRelation: _, ...facts } = toCardFacts(info.cardData);
    const tags = Array.isArray(info.tags) ? info.tags.filter(isTag) : facts.tags;
    return {
      ...facts,
      id: info.name,
      revision: sha,
      gated: Boolean(info.gated),
      private: Boolean(info.private),
      task: info.task ?? null,
      downloads: Number.isSafeInteger(info.downloads) ? info.downloads : null,
      likes: Number.isSafeInteger(info.likes) ? info.likes : null,
      tags,
      quantizedFrom: tags.find((tag) => tag.startsWith(QUANTIZED_TAG))?.slice(QUANTIZED_TAG.length) ?? null,
      createdAt: parseDate(info.createdAt),
      updatedAt: parseDate(info.updatedAt),
      files,
      config: parseConfig(config),
      readme: shown?.readme ?? null,
      summary: shown?.summary ?? "",
      ggufArchitecture: readGgufArchitecture(info),
      parameters: info.safetensors?.parameters ?? null,
    };
  } catch (error) {
    throw toAppError(error);
  }
}

async function readReadme(
  { hubUrl, readCard }: Context,
  id: string,
  text: string,
  options: Pick<HubAccess, "signal" | "account">,
): Promise<{ readme: string; summary: string }> {
  const base = `${hubUrl}/${id}/blob/main/`;
  const card = await readCard({ text, hasFrontMatter: true, base }, options);
  return { readme: toShownReadme(card, `${base}README.md`), summary: card.summary };
}

function readGgufArchitecture(info: object): string | null {
  const gguf = "gguf" in info && typeof info.gguf === "object" ? info.gguf : null;
  const architecture = gguf !== null && "architecture" in gguf ? gguf.architecture : null;
  return typeof architecture === "string" ? architecture : null;
}

async function findQuantized(context: Context, id: string, signal?: AbortSignal): Promise<HubMatch[]> {
  const { hubUrl } = context;
  assertWellFormed(id, undefined);
  const timeoutSignal = AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  const fetch = createFetch(context, `model ${id}`, undefined, timeoutSignal);
  const search = { tags: ["gguf", QUANTIZED_TAG + id] };
  const matches: HubMatch[] = [];
  try {
    for await (const { name, downloads } of listModels({
      search,
      sort: "downloads",
      limit: MAX_MATCHES,
      hubUrl,
      fetch,
    }))
      if (isModelId(name)) matches.push({ id: name, downloads: Number.isSafeInteger(downloads) ? downloads : null });
    return matches;
  } catch (error) {
    throw toAppError(error);
  }
}

async function verifyAccess(
  context: Context,
  id: string,
  token: string,
  signal?: AbortSignal,
): Promise<{ user: string | null }> {
  const { hubUrl } = context;
  assertWellFormed(id, token);
  const timeoutSignal = AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  try {
    const fetch = createFetch(context, `model ${id}`, token, timeoutSignal);
    const account = await whoAmI({ accessToken: token, hubUrl, fetch });
    await sendRequest(
      context,
      `model ${id}`,
      `${hubUrl}/api/models/${id}/auth-check`,
      { headers: { authorization: `Bearer ${token}` }, signal: timeoutSignal },
      token,
    );
    return { user: typeof account.name === "string" ? account.name : null };
  } catch (error) {
    throw toAppError(error);
  }
}

/**
 * Sends a request. Returns only successful responses, and throws for all others, so that the library never interprets them.
 */
async function sendRequest(
  { outgoing }: Context,
  id: string,
  url: string,
  init: RequestInit,
  token: string | undefined,
): Promise<OutgoingResponse> {
  const response = await outgoing.fetch(url, { ...(init as object), redirect: "follow" }).catch((error: unknown) => {
    throw error instanceof AppError ? error : hubUnavailable(error);
  });
  if (response.ok) return response;
  await response.body?.cancel();
  throw toHubError(response, id, token);
}

function createFetch(context: Context, id: string, token: string | undefined, signal: AbortSignal) {
  return (async (url: string, init: RequestInit = {}) => {
    const response = await sendRequest(context, id, url, { ...init, signal }, token);
    const { status, headers } = response;
    return new Response(await readAnswer(response), { status, headers: [...headers] });
  }) as unknown as typeof fetch;
}

/** Returns the body of an answer of the API; throws `hub.invalid_response` if it is too large to be parsed at once. */
function readAnswer({ body }: OutgoingResponse): Promise<Buffer<ArrayBuffer>> {
  return readLimited(body, MAX_JSON_BYTES).catch((error: unknown) => {
    throw error instanceof BodyTooLongError ? hubInvalidResponse(`at most ${MAX_JSON_BYTES} bytes`) : error;
  });
}

const isTag = (tag: unknown): tag is string => typeof tag === "string" && tag.length <= MAX_TAG_LENGTH;

async function listRepositoryFiles(
  { hubUrl }: Context,
  id: string,
  revision: string,
  token: string | undefined,
  fetch: typeof globalThis.fetch,
) {
  const files: HubFile[] = [];
  for await (const { type, path, size, lfs } of listFiles({
    repo: { type: "model", name: id },
    recursive: true,
    revision,
    hubUrl,
    fetch,
    ...toCredentials(token),
  })) {
    if (type === "file" && path.length <= MAX_PATH_LENGTH)
      files.push({ path, size: lfs?.size ?? size, sha256: lfs?.oid ?? null });
    if (files.length > MAX_FILES) throw hubInvalidResponse(`a model: ${id} has more than ${MAX_FILES} files`);
  }
  return files;
}

async function downloadFile(
  context: Context,
  id: string,
  path: string,
  access: HubAccess & HubRange = {},
): Promise<HubDownload> {
  const { token, revision = "main", signal } = access;
  assertWellFormed(id, token);
  const url = `${context.hubUrl}/${id}/resolve/${encodeURIComponent(revision)}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const init = { headers: toDownloadHeaders(access), ...(signal && { signal }) };
  const response = await sendRequest(context, `file ${path} in ${id}`, url, init, token);
  const range = readRange(response);
  if (!response.body || range === null) throw hubInvalidResponse("a file with a size");
  const etag = response.headers.get("etag");
  const checksum = response.headers.get("x-linked-etag") ?? etag ?? "";
  return {
    ...range,
    sha256: WEIGHTS_CHECKSUM.exec(checksum)?.[1] ?? null,
    etag: etag?.startsWith("W/") ? null : etag,
    revision: response.headers.get("x-repo-commit"),
    body: response.body,
  };
}

function toDownloadHeaders({ token, from = 0, to }: HubAccess & HubRange): Record<string, string> {
  return {
    "accept-encoding": "identity", // the size is that of the file
    ...((from > 0 || to !== undefined) && { range: `bytes=${from}-${to === undefined ? "" : to - 1}` }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
}

/** Returns the size of the file, and which bytes of it the response has; null if it does not say the size. */
function readRange({ status, headers }: OutgoingResponse): { size: number; from: number; to: number } | null {
  const [, start, end, total] = CONTENT_RANGE.exec(headers.get("content-range") ?? "") ?? [];
  const isPart = status === 206 && total !== undefined;
  const size = Number(isPart ? total : (headers.get("content-length") ?? Number.NaN));
  if (!Number.isSafeInteger(size)) return null;
  return isPart ? { size, from: Number(start), to: Number(end) + 1 } : { size, from: 0, to: size };
}

/** Returns a small text file; null if it is missing or too large, or the token may not read it. */
async function readText(
  context: Context,
  id: string,
  path: string,
  files: readonly HubFile[],
  access: HubAccess,
): Promise<string | null> {
  const file = files.find((known) => known.path === path);
  if (!file || file.size > MAX_TEXT_BYTES) return null;
  try {
    const parts: Uint8Array[] = [];
    let read = 0;
    for await (const part of (await downloadFile(context, id, path, access)).body) {
      read += part.length;
      if (read > MAX_TEXT_BYTES) return null;
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  } catch (error) {
    if (error instanceof AppError && (error.status === 403 || error.status === 404)) return null;
    throw error instanceof AppError ? error : hubUnavailable(error);
  }
}

/** Throws for ids and tokens that are not well-formed, since they become parts of URLs and headers. */
function assertWellFormed(id: string, token: string | undefined): void {
  if (!isModelId(id)) throw errors.hub.notFound({ subject: `model ${id}` });
  if (token !== undefined && !/^hf_\w+$/.test(token)) throw errors.hub.tokenRefused();
}

const toCredentials = (token: string | undefined) => (token === undefined ? {} : { accessToken: token });

/** Maps the hub's status and `X-Error-Code` to an error. Without a token, the hub responds 401 for a missing repository. */
function toHubError(response: OutgoingResponse, what: string, token: string | undefined): AppError {
  const { status } = response;
  const code = response.headers.get("x-error-code");
  if (code === "GatedRepo") return errors.hub.gated({ model: what.replace(/^.* /, "") });
  if (code?.endsWith("NotFound") || status === 404) return errors.hub.notFound({ subject: what });
  if (status === 401) return token === undefined ? errors.hub.notFound({ subject: what }) : errors.hub.tokenRefused();
  if (status === 403) return errors.hub.gated({ model: what.replace(/^.* /, "") });
  if (status === 429) return hubRateLimited(readRetryAfter(response));
  if (status >= 500) return hubUnavailable(`status ${status}`);
  return hubInvalidResponse(what, `status ${status}`);
}

/**
 * Returns the number of seconds for which the hub wants no request. Its header has a number, or a date, which is compared
 * with the hub's own clock.
 */
function readRetryAfter({ headers }: OutgoingResponse): number {
  const value = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(headers.get("date") ?? "")) / SECOND_MS);
  return Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER_S : Math.min(Math.max(seconds, 1), MAX_RETRY_AFTER_S);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof SyntaxError || error instanceof HubApiError) return hubInvalidResponse("JSON", error);
  if (error instanceof TypeError && error.cause === undefined && !/fetch|terminated/.test(error.message))
    return hubInvalidResponse("a model", error);
  return hubUnavailable(error);
}

function parseDate(value: unknown): Date | null {
  const date = new Date(value as string);
  return Number.isNaN(date.getTime()) ? null : date;
}
