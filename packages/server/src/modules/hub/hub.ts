/** A file of a repository. */
export type HubFile = {
  path: string;
  size: number;
  /** Of the content; null for small files, whose checksum the hub does not tell. */
  sha256: string | null;
};

/** What a model hub tells about a repository at one commit. */
export type HubModel = {
  /** As the hub spells it. */
  id: string;
  /** The commit that was read. */
  revision: string;
  gated: boolean;
  private: boolean;
  task: string | null;
  /** In a month; null where the hub does not count them. */
  downloads: number | null;
  license: string | null;
  tags: readonly string[];
  languages: readonly string[];
  baseModel: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  files: readonly HubFile[];
  /** The model's `config.json`; null where there is none, or it may not be read. */
  config: Readonly<Record<string, unknown>> | null;
  /** The model card without its front matter, made safe to show by `safeMarkdown`. */
  readme: string | null;
  /** Number of parameters by data type, where the hub knows them. */
  parameters: Readonly<Record<string, number>> | null;
};

export type HubDownload = {
  /** Size of the whole file. */
  size: number;
  sha256: string | null;
  /** The commit that the file belongs to. */
  revision: string | null;
  /** Where `body` begins: the `from` asked for, or 0 where the hub cannot continue. */
  from: number;
  body: AsyncIterable<Uint8Array>;
};

type Access = { token?: string | undefined; revision?: string | undefined; signal?: AbortSignal | undefined };

/**
 * A model hub. What goes wrong is an AppError: `hub.not_found` (404), `hub.gated` (403: the token may not read it),
 * `hub.token_refused` (403), `hub.unavailable` (503: not reached, or its fault), `hub.bad_answer` (502).
 */
export type Hub = {
  model(id: string, access?: Access): Promise<HubModel>;
  /** A file from byte `from` on. Checking its size and checksum is up to the caller, who keeps the bytes. */
  download(id: string, path: string, access?: Access & { from?: number }): Promise<HubDownload>;
  /** Refuses unless the token may read the files; answers whose it is. */
  verifyAccess(id: string, token: string, signal?: AbortSignal): Promise<{ user: string | null }>;
};
