import type { SamplingOptions } from "../../chat/answer.ts";

/** Options of `feather chat`. */
export type ChatOptions = {
  readonly model?: string;
  readonly system?: string;
  readonly prompt: string;
  /** Texts and documents to send with the prompt. */
  readonly files: readonly string[];
  /** Pictures to send with it: paths or URLs. */
  readonly images: readonly string[];
  /** Names or ids of collections that are searched for passages to answer from. */
  readonly collections: readonly string[];
  readonly sampling: SamplingOptions;
  readonly stream: boolean;
  /** File with the JSON Schema that the answer has to follow. */
  readonly schema?: string;
  /** Names of tools of servers that the model may call. */
  readonly tools?: readonly string[];
  /** Whether the last conversation is continued. */
  readonly continues: boolean;
  /** What is taken from the library of prompts. */
  readonly library?: {
    readonly prompt?: string;
    readonly persona?: string;
    /** Values of the prompt's variables. */
    readonly variables: Readonly<Record<string, string>>;
  };
  readonly queue?: number;
  /** Seconds to wait for a model that has to be loaded first. */
  readonly waitForModel?: number;
};
