import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import { type ChunkReader, type CompletionMeta, createChunkReader } from "../formats/chunks.ts";
import { createTranscriptReader } from "../formats/transcriptions/stream.ts";

/** Creates the reader of a backend's streamed answer to a call. */
export function createAnswerReader({ kind }: ResolvedCall, { api }: Backend, meta: CompletionMeta): ChunkReader {
  if (kind === "transcription") return createChunkReader("chat", meta, createTranscriptReader());
  return createChunkReader(kind === "completion" ? "completion" : "chat", meta, api.createEventReader(kind));
}
