/** A file of a repository. */
export type HubFile = {
  path: string;
  size: number;
  /** SHA-256 of the content; null for small files, whose checksum the hub does not publish. */
  sha256: string | null;
};

/** A repository of a model hub at one commit. */
export type HubModel = {
  /** The id in the hub's spelling. */
  id: string;
  /** The commit that was read. */
  revision: string;
  gated: boolean;
  private: boolean;
  task: string | null;
  /** Downloads per month; null if the hub does not count them. */
  downloads: number | null;
  /** The number of users of the hub who like it; null if the hub does not state it. */
  likes: number | null;
  license: string | null;
  tags: readonly string[];
  languages: readonly string[];
  baseModel: string | null;
  /** The model whose quantized weights these are; null if the weights are its own. */
  quantizedFrom: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  files: readonly HubFile[];
  /** The model's `config.json`; null if it is missing or must not be read. */
  config: Readonly<Record<string, unknown>> | null;
  /** The model card without its front matter, sanitized by `sanitizeMarkdown`. A sentence if it is too complex. */
  readme: string | null;
  /** The first sentences of the readme; empty if it has none. */
  summary: string;
  /** The architecture in its GGUF files; null if it has none or the hub does not state it. */
  ggufArchitecture: string | null;
  /** The number of parameters by data type; null if it is unknown to the hub. */
  parameters: Readonly<Record<string, number>> | null;
};

/** A file of the hub as a stream. */
export type HubDownload = {
  /** The size of the whole file, in bytes. */
  size: number;
  sha256: string | null;
  /** The commit that the file belongs to. */
  revision: string | null;
  /** The byte offset at which `body` begins: the requested one, or 0 if the hub cannot start there. */
  from: number;
  /** The byte offset at which `body` ends, exclusive: the requested one, or the size if the hub cannot stop there. */
  to: number;
  /** The hub's ETag of this content; null without a strong one. */
  etag: string | null;
  body: AsyncIterable<Uint8Array>;
};

/** A repository that the hub found. */
export type HubMatch = {
  id: string;
  /** Downloads per month; null if the hub does not count them. */
  downloads: number | null;
};

type HubAccess = {
  token?: string | undefined;
  revision?: string | undefined;
  signal?: AbortSignal | undefined;
  /**
   * The account that a request is made for; absent for the server itself. It limits the number of cards that are parsed at
   * the same time.
   */
  account?: string | undefined;
};

/** The bytes of a file from `from` up to but not including `to`; all by default. */
export type HubRange = { from?: number; to?: number };

/**
 * A model hub. All methods throw AppErrors: `hub.not_found` (404), `hub.gated` (403: the token may not read it),
 * `hub.token_refused` (403), `hub.unavailable` (503: not reached, or its fault), `hub.rate_limited` (503: `retry-after` says for how long), `hub.invalid_response` (502).
 * `model` throws `parsing.busy` (429) too.
 */
export type Hub = {
  /** Whether the hub has all public models and counts their downloads, so that a model that it lacks no longer exists. */
  isComplete: boolean;
  model(id: string, access?: HubAccess): Promise<HubModel>;
  /** Returns repositories with GGUF files of a model's weights, the most downloaded first, at most 20. */
  findQuantized(id: string, signal?: AbortSignal): Promise<HubMatch[]>;
  /** Downloads the bytes of a file from `from` up to `to`. The caller must check size, checksum, and both offsets. */
  download(id: string, path: string, access?: HubAccess & HubRange): Promise<HubDownload>;
  /** Throws unless the token may read the files. Returns the token's user. */
  verifyAccess(id: string, token: string, signal?: AbortSignal): Promise<{ user: string | null }>;
};
