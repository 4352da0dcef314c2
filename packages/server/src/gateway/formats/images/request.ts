import type { Fields } from "../fields.ts";
import type { WholeCall } from "../format.ts";
import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { countAnswers } from "../token-estimates.ts";
import { toImages } from "./format.ts";

/** Reads a request for pictures, which backends accept unchanged. It is not streamed. */
export function readImageRequest({ stream, ...body }: CallBody): ParsedRequest {
  const toWhole = (_call: WholeCall, raw: Fields) => toImages(raw, countAnswers(body));
  return { kind: "image", body, ignored: stream === true ? ["stream"] : [], format: { toWhole } };
}
