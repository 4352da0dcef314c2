import type { RuntimeName } from "./runtime-list.ts";

/** A model that can be loaded on this machine. */
export type HostedModel = {
  id: string;
  /** The program that runs it; the engine by default. */
  runtime?: RuntimeName;
  /** The path of its file; for vLLM, of the folder with its files. */
  file: string;
  /** Whether its file is not on this machine because it runs on a remote host; false by default. */
  isElsewhere?: boolean;
  /** Whether its file was converted on this machine, so that the hub does not have it; false by default. */
  isConverted?: boolean;
  /** The names of the files in its folder; undefined for a model with one file. */
  folderFiles?: readonly string[];
  /** The name of its file in its repository. */
  fileName: string;
  size: number;
  contextLength: number;
  /** Memory of one token of context, in bytes. */
  bytesPerToken: number;
  /** Memory of each sequence in addition to its tokens, in bytes; 0 by default. */
  bytesPerSequence?: number;
  /** Memory of a large vocabulary, in bytes; 0 by default. */
  vocabularyBytes?: number;
  /** The path of its projector file; absent without one, or if it runs on a remote host. */
  projector?: string;
  /** The size of its projector file in bytes, with which it reads images; absent or 0 without one. */
  projectorBytes?: number;
  /** Whether it was made to order texts; false by default. */
  isReranker?: boolean;
  /** The repository of the hub that its file was downloaded from; absent without one. */
  repository?: string;
  /** The commit of its file; absent if it is unknown. */
  revision?: string;
  /** The runtime's name for the format of its tool calls; absent if it is unknown. */
  toolParser?: string;
  /** The runtime's name for the format of its reasoning; absent if it is unknown. */
  reasoningParser?: string;
  /** Whether it is loaded at start and never evicted. */
  pinned?: boolean;
};
