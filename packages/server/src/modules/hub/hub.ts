/** A file of a repository. */
export type HubFile = {
  path: string;
  size: number;
  /** SHA-256 of the content; null for small files, whose checksum the hub does not publish. */
  sha256: string | null;
};

/** A repository of a model hub at one commit. */
export type HubModel = {
  /** As the hub spells it. */
  id: string;
  /** The commit that was read. */
  revision: string;
  gated: boolean;
  private: boolean;
  task: string | null;
  /** Downloads per month; null if the hub does not count them. */
  downloads: number | null;
  /** Users of the hub who like it; null if the hub does not say. */
  likes: number | null;
  license: string | null;
  tags: readonly string[];
  languages: readonly string[];
  baseModel: string | null;
  /** The model whose weights these are in fewer bits; null if they are weights of their own. */
  quantizedFrom: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  files: readonly HubFile[];
  /** The model's `config.json`; null if there is none or it may not be read. */
  config: Readonly<Record<string, unknown>> | null;
  /** The model card without its front matter, sanitized by `sanitizeMarkdown`; a sentence if it is too complex. */
  readme: string | null;
  /** The first sentences of the readme; empty if it has none. */
  summary: string;
  /** The architecture that its GGUF files name; null if it has none or the hub does not say. */
  ggufArchitecture: string | null;
  /** Number of parameters by data type; null if the hub does not know them. */
  parameters: Readonly<Record<string, number>> | null;
};

/** A file of the hub as a stream. */
export type HubDownload = {
  /** Size of the whole file. */
  size: number;
  sha256: string | null;
  /** The commit that the file belongs to. */
  revision: string | null;
  /** Byte offset at which `body` begins: the requested one, or 0 if the hub cannot continue there. */
  from: number;
  /** Byte offset before which `body` ends: the requested one, or the size if the hub cannot stop there. */
  to: number;
  /** The hub's ETag for this content; null if it has none that compares bytes. */
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
  /** Who asks, if it is not the server itself: few cards are parsed for each account at a time. */
  account?: string | undefined;
};

/** The bytes of a file from `from` up to `to`, which is not among them; by default all. */
export type HubRange = { from?: number; to?: number };

/**
 * A model hub. All methods throw AppErrors: `hub.not_found` (404), `hub.gated` (403: the token may not read it),
 * `hub.token_refused` (403), `hub.unavailable` (503: not reached, or its fault), `hub.rate_limited` (503: `retry-after` says for how long), `hub.invalid_response` (502).
 * `model` throws `parsing.busy` (429) too.
 */
export type Hub = {
  /** Whether it has all public models and counts their downloads, so that one that it lacks does not exist any more. */
  isComplete: boolean;
  model(id: string, access?: HubAccess): Promise<HubModel>;
  /** Returns repositories with GGUF files of a model's weights, the most downloaded first, at most 20. */
  findQuantized(id: string, signal?: AbortSignal): Promise<HubMatch[]>;
  /** Downloads a file from byte `from` on, up to byte `to`. The caller must check size, checksum, and where it begins and ends. */
  download(id: string, path: string, access?: HubAccess & HubRange): Promise<HubDownload>;
  /** Throws unless the token may read the files; returns the token's user. */
  verifyAccess(id: string, token: string, signal?: AbortSignal): Promise<{ user: string | null }>;
};
