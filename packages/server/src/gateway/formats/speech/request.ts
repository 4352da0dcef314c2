import type { CallBody, ParsedRequest } from "../parsed-request.ts";

const DEFAULT_FORMAT = "mp3";
/** The content type of each `response_format`, for backends that do not say it. */
const CONTENT_TYPES: ReadonlyMap<unknown, string> = new Map([
  [DEFAULT_FORMAT, "audio/mpeg"],
  ["opus", "audio/ogg"],
  ["aac", "audio/aac"],
  ["flac", "audio/flac"],
  ["wav", "audio/wav"],
  ["pcm", "audio/pcm"],
]);
const AUDIO_TYPE = /^audio\/[\w.+-]{1,64}(; ?[\w.+-]{1,32}="?[\w.+-]{1,32}"?){0,4}$/i;
/** What backends send that do not know what their bytes are. */
const UNKNOWN_TYPE = /^(audio\/|(application|binary)\/octet-stream|application\/ogg)/i;

/** Room for a long pause at the beginning. */
const MIN_LIMIT_BYTES = 8 * 1024 * 1024;
/** More than uncompressed stereo at 48 kHz has for a character that is read four times slower than usual. */
const MAX_BYTES_PER_CHARACTER = 64 * 1024;
const MAX_LIMIT_BYTES = 1024 * 1024 * 1024;

/** Reads a request to read a text aloud, which backends accept unchanged. The answer always has the bytes of the sound. */
export function readSpeechRequest({ stream, stream_format, ...body }: CallBody): ParsedRequest {
  const characters = typeof body.input === "string" ? body.input.length : 0;
  const maxBytes = Math.min(MAX_LIMIT_BYTES, MIN_LIMIT_BYTES + characters * MAX_BYTES_PER_CHARACTER);
  const format = { maxBytes, toContentType: (given: string | undefined) => toContentType(given, body.response_format) };
  return { kind: "speech", body, ignored: stream === true ? ["stream"] : [], format };
}

/** Returns the content type of an answer; null if a backend says that it is no sound. */
function toContentType(given: string | undefined, format: unknown): string | null {
  if (given !== undefined && AUDIO_TYPE.test(given)) return given;
  if (given !== undefined && !UNKNOWN_TYPE.test(given)) return null;
  return CONTENT_TYPES.get(format ?? DEFAULT_FORMAT) ?? "application/octet-stream";
}
