import { errors } from "../../../platform/core/errors/index.ts";
import type { Fields } from "../fields.ts";
import type { WholeCall } from "../format.ts";
import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { toTranscription } from "./format.ts";
import { createTranscriptFormat } from "./stream.ts";

/** The forms of an answer that are no JSON. */
const TEXT_FORMS: ReadonlySet<unknown> = new Set(["text", "srt", "vtt"]);

/** Reads a request to write down speech, which backends accept unchanged. Throws if its answer cannot be streamed. */
export function readTranscriptionRequest(body: CallBody, requestId: string): ParsedRequest {
  const request = readRequest("transcription", body);
  if (body.stream !== true) return request;
  if ((body.response_format ?? "json") !== "json")
    throw errors.unsupportedParameter("A stream has the text alone. Send response_format: json, or leave out stream.", {
      param: "stream",
    });
  return { ...request, body: { ...request.body, stream: true }, format: createTranscriptFormat(requestId) };
}

/** Reads a request to write down speech in English, which backends accept unchanged. */
export const readTranslationRequest = (body: CallBody): ParsedRequest => readRequest("translation", body);

function readRequest(kind: "transcription" | "translation", { stream, file, ...body }: CallBody): ParsedRequest {
  const isText = TEXT_FORMS.has(body.response_format);
  const toWhole = (_call: WholeCall, raw: Fields) => toTranscription(raw, isText);
  return { kind, body, ...(file instanceof File && { file }), ignored: [], format: { isText, toWhole } };
}
