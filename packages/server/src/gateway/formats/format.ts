import type { AppError } from "../../platform/core/errors/index.ts";
import type { ReportedUsage } from "../usage/reported-usage.ts";
import type { Answer } from "./answers.ts";
import type { ToCallerFields } from "./caller-fields.ts";
import type { Chunk, CompletionMeta } from "./chunks.ts";

/** Renders a streamed answer as the text of server-sent events. */
export type StreamWriter = {
  chunk(chunk: Chunk): string;
  /** Returns the last events of a complete answer. */
  end(usage: ReportedUsage): string;
  /** Returns the last events of a failed answer. */
  error(error: AppError): string;
};

/** An answer that is sent as a whole. */
export type WholeAnswer = {
  /** A text is sent as it is, and an object as JSON. */
  answer: object | string;
  /** Null if the backend counted none, so that it is estimated. */
  usage: ReportedUsage | null;
  /** The number of pictures that were made; absent for other answers. */
  images?: number;
  /** The length of the sound that was heard, in milliseconds; absent for other answers, and if the backend does not say it. */
  audioMs?: number;
};

/** The format of an endpoint whose answers are neither generated texts nor streamed. */
export type WholeFormat = {
  /** Whether backends send a text in place of JSON, which `toWhole` then gets as its field `text`. */
  isText?: boolean;
  /** Returns the answer from a backend's JSON; null if that does not answer the call. */
  toWhole(call: WholeCall, raw: Record<string, unknown>): WholeAnswer | null;
  toCallerFields?: ToCallerFields;
};
/** What such an answer has of its call: the ids of the request and of the model. */
export type WholeCall = { id: string; model: { id: string } };

/** The format of an endpoint whose answer is a file, which is passed on as it arrives. */
export type FileFormat = {
  /** The largest file in bytes. */
  maxBytes: number;
  /** Returns the content type of the file from that of a backend's response; null if that does not answer the call. */
  toContentType(given: string | undefined): string | null;
  toCallerFields?: ToCallerFields;
};

/** Renders answers in the format of one endpoint, buffered or streamed. */
export type AnswerFormat = {
  buffered(answer: Answer, usage: ReportedUsage): object;
  stream(meta: CompletionMeta): StreamWriter;
  /** Replaces field names in messages of the engine by the caller's names; without it they are kept. */
  toCallerFields?: ToCallerFields;
};
