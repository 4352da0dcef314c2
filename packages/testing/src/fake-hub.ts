import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type RecordedRequest, startHttpServer } from "./http-server.ts";

/** A repository of the fake hub. Files with `size` instead of content are large ones that tests do not read. */
export type FakeRepository = {
  id: string;
  sha?: string;
  private?: boolean;
  gated?: boolean;
  task?: string;
  tags?: string[];
  downloads?: number;
  likes?: number;
  createdAt?: string;
  cardData?: Record<string, unknown>;
  parameters?: Record<string, number>;
  /** The architecture that the hub reads from its GGUF files. */
  ggufArchitecture?: string;
  files: Record<string, Content>;
};
/** Larger files can be listed, but not downloaded. */
const MAX_MADE_BYTES = 2 ** 30;

type Content = string | Uint8Array | { size: number };
/** Sends a large file in place of the store, for example with faults. */
export type FakeStore = (request: RecordedRequest, response: ServerResponse, bytes: Buffer) => void;
/** The user of a token, and the private or gated repositories that it can read. */
export type FakeToken = { user: string; reads?: string[] };
/** A response that the hub sends to every request. */
type HubFailure = { status: number; headers?: Record<string, string>; body?: string };

const SHA = "0123456789abcdef0123456789abcdef01234567";
const FILES_ON_A_PAGE = 3;
const LARGE = 1024;

/**
 * A fake of the Hugging Face Hub, according to its documented HTTP API: model information, paginated trees, files with
 * checksums and redirects to a store for large ones, tokens, gated repositories, and error codes.
 */
export async function startFakeHub(repositories: FakeRepository[] = [], tokens: Record<string, FakeToken> = {}) {
  const repositoriesById = new Map(repositories.map((repository) => [repository.id.toLowerCase(), repository]));
  const newIds = new Map<string, string>();
  const requests: string[] = [];
  const state: { failure: HubFailure | null; storeUrl: string | null; store: FakeStore | null } = {
    failure: null,
    storeUrl: null,
    store: null,
  };

  const server = await startHttpServer((request, response) => {
    const url = new URL(request.url, "http://hub");
    requests.push(`${request.method} ${url.pathname}`);
    const { failure } = state;
    if (failure) return void response.writeHead(failure.status, failure.headers).end(failure.body ?? "");
    try {
      handleRequest(request, response, url);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      const headers = { "content-type": "application/json", ...(error.code && { "x-error-code": error.code }) };
      response.writeHead(error.status, headers).end(JSON.stringify({ error: error.message }));
    }
  });

  function handleRequest(request: RecordedRequest, response: ServerResponse, url: URL): unknown {
    const token = tokenOf(request);
    const json = (body: object, headers: Record<string, string> = {}) =>
      void response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (url.pathname === "/api/whoami-v2") {
      const auth = { type: "access_token", accessToken: { role: "read", createdAt: "2026-01-01T00:00:00.000Z" } };
      return json({ type: "user", name: token?.user ?? throwHubError(401, null), auth });
    }
    if (url.pathname === "/api/models") return json(listRepositories(url));
    const store = /^\/store\/([^/]+)\/([^/]+)\/(.+)$/.exec(url.pathname);
    if (store)
      return sendFile(request, response, findRepository(`${store[1]}/${store[2]}`, token), store[3] ?? "", false);
    const [, api = "", owner = "", name = "", rest = ""] =
      /^\/(api\/models\/)?([^/]+)\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? throwHubError(404, "RepoNotFound");
    const id = decodeURIComponent(`${owner}/${name}`);
    const repository = findRepository(newIds.get(id.toLowerCase()) ?? id, token);
    if (repository.id !== id) {
      const location = `/${api}${repository.id}${rest}${url.search}`; // other cases of an id and former ids redirect to the present one
      return void response.writeHead(307, { location }).end();
    }
    const [, kind, revision, path] = /^\/([a-z-]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(rest) ?? [];
    if (revision !== undefined && !["main", "HEAD", repository.sha ?? SHA].includes(decodeURIComponent(revision)))
      throwHubError(404, "RevisionNotFound");
    if (api && kind === "revision") return json(toModelInfo(repository));
    if (api && kind === "tree") return sendTree(repository, url, json);
    if (api && kind === "auth-check") {
      checkAccess(repository, token);
      return json({});
    }
    if (!api && kind === "resolve") {
      checkAccess(repository, token);
      return sendFile(request, response, repository, decodeURIComponent(path ?? ""), true);
    }
    throwHubError(404, null);
  }

  /** Repositories with all the tags of `filter`, the most downloaded first. */
  function listRepositories({ searchParams }: URL): object[] {
    const filters = searchParams.getAll("filter");
    return [...repositoriesById.values()]
      .filter(({ tags = [], private: isPrivate }) => !isPrivate && filters.every((filter) => tags.includes(filter)))
      .sort((a, b) => (b.downloads ?? 0) - (a.downloads ?? 0))
      .slice(0, Number(searchParams.get("limit") ?? 1000))
      .map(toModelInfo);
  }

  function findRepository(id: string, token: FakeToken | null): FakeRepository {
    const repository = repositoriesById.get(id.toLowerCase());
    const hidden = repository?.private && !token?.reads?.includes(repository.id);
    // Without a token it does not reveal whether the repository exists.
    if (!repository || hidden) return throwHubError(token ? 404 : 401, "RepoNotFound");
    return repository;
  }

  function sendTree(
    repository: FakeRepository,
    url: URL,
    json: (body: object, headers?: Record<string, string>) => void,
  ) {
    const files = Object.entries(repository.files);
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const next = from + FILES_ON_A_PAGE;
    const entries = files.slice(from, next).map(([path, content]) => {
      const size = sizeOf(content);
      const lfs = size >= LARGE ? { lfs: { oid: sha256(content), size, pointerSize: 134 } } : {};
      return { type: "file", oid: "a".repeat(40), size, path, ...lfs };
    });
    url.searchParams.set("cursor", String(next));
    const overrides = `<${baseUrl}${url.pathname}${url.search}>; rel="next"`;
    json(entries, next < files.length ? { link: overrides } : {});
  }

  function sendFile(
    request: RecordedRequest,
    response: ServerResponse,
    repository: FakeRepository,
    path: string,
    redirects: boolean,
  ): void {
    const content = repository.files[path] ?? throwHubError(404, "EntryNotFound");
    const commit = { "x-repo-commit": repository.sha ?? SHA };
    if (redirects && sizeOf(content) >= LARGE) {
      const location = `${state.storeUrl ?? baseUrl}/store/${repository.id}/${path}`;
      const etag = { "x-linked-etag": `"${sha256(content)}"`, "x-linked-size": String(sizeOf(content)) };
      return void response.writeHead(302, { location, ...commit, ...etag }).end();
    }
    const bytes = bytesOf(content);
    if (!redirects && state.store) {
      state.store(request, response, bytes);
      return;
    }
    const { start, end } = parseRange(request, bytes.length);
    const part = bytes.subarray(start, end);
    const isPart = request.headers.range !== undefined;
    const range = isPart ? { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` } : {};
    const etag = redirects ? {} : { etag: `"${sha256(content)}"` };
    response.writeHead(isPart ? 206 : 200, { "content-length": part.length, ...commit, ...etag, ...range }).end(part);
  }

  function tokenOf({ headers }: RecordedRequest): FakeToken | null {
    if (headers.authorization === undefined) return null;
    return tokens[headers.authorization.replace("Bearer ", "")] ?? throwHubError(401, null);
  }

  const baseUrl = server.url;

  return {
    baseUrl,
    /** Requests so far, as `GET /path`. */
    requests,
    state,
    add: (repository: FakeRepository) => repositoriesById.set(repository.id.toLowerCase(), repository),
    remove: (id: string) => repositoriesById.delete(id.toLowerCase()),
    /** From now on, the former id of a repository redirects to its present one. */
    rename: (formerId: string, presentId: string) => newIds.set(formerId.toLowerCase(), presentId),
    close: server.close,
  };
}

/** A running fake hub. */
export type FakeHub = Awaited<ReturnType<typeof startFakeHub>>;

/** A repository that can be served: Qwen3 8B in 16 bits under another name. */
export function createServableRepository(id: string, overrides: Partial<FakeRepository> = {}): FakeRepository {
  return {
    id,
    tags: ["conversational", "code", "license:apache-2.0"],
    task: "text-generation",
    downloads: 4321,
    createdAt: "2026-09-03T10:20:30.000Z",
    cardData: { license: "apache-2.0", language: ["en", "de"], base_model: "Qwen/Qwen3-8B" },
    parameters: { BF16: 8_190_735_360 },
    ...overrides,
    files: {
      "README.md": `---\nlicense: apache-2.0\n---\n# ${id}\n\nA model for tests. It is not there.\n`,
      "config.json": JSON.stringify({
        architectures: ["Qwen3ForCausalLM"],
        max_position_embeddings: 40_960,
        torch_dtype: "bfloat16",
      }),
      "model-00001-of-00002.safetensors": { size: 5000 },
      "model-00002-of-00002.safetensors": { size: 5000 },
      ...overrides.files,
    },
  };
}

/**
 * Returns the bytes that a request asks for, of a file of `size` bytes: from `start` up to, and not including, `end`.
 */
export function parseRange({ headers }: RecordedRequest, size: number): { start: number; end: number } {
  const [, start = "0", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
  return { start: Number(start), end: last === "" ? size : Math.min(Number(last) + 1, size) };
}

class HubError extends Error {
  readonly status: number;
  readonly code: string | null;
  constructor(status: number, code: string | null) {
    super(status === 401 ? "Invalid username or password." : "Not for you.");
    this.status = status;
    this.code = code;
  }
}

function throwHubError(status: number, code: string | null): never {
  throw new HubError(status, code);
}

function checkAccess(repository: FakeRepository, token: FakeToken | null): void {
  if (repository.gated && !token?.reads?.includes(repository.id)) throwHubError(token ? 403 : 401, "GatedRepo");
}

function toModelInfo(repository: FakeRepository) {
  return {
    _id: "65f0",
    id: repository.id,
    sha: repository.sha ?? SHA,
    private: repository.private ?? false,
    gated: repository.gated ? "manual" : false,
    pipeline_tag: repository.task,
    downloads: repository.downloads ?? 0,
    likes: repository.likes ?? 1,
    lastModified: "2026-09-05T00:00:00.000Z",
    createdAt: repository.createdAt ?? "2026-09-03T00:00:00.000Z",
    tags: repository.tags ?? [],
    cardData: repository.cardData ?? {},
    ...(repository.ggufArchitecture && { gguf: { total: 1, architecture: repository.ggufArchitecture } }),
    ...(repository.parameters && { safetensors: { parameters: repository.parameters, total: 1 } }),
  };
}

function bytesOf(content: Content): Buffer {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.alloc(content.size);
}

function sizeOf(content: Content): number {
  if (typeof content === "string") return Buffer.byteLength(content);
  return content instanceof Uint8Array ? content.length : content.size;
}

/** The checksum of a file; of one that is too large to be made, any that no other size has. */
function sha256(content: Content): string {
  const hashed = sizeOf(content) > MAX_MADE_BYTES ? String(sizeOf(content)) : bytesOf(content);
  return createHash("sha256").update(hashed).digest("hex");
}
