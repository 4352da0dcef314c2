import type { BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { answerBuffered } from "../downstream/buffered.ts";
import { answerFile } from "../downstream/file.ts";
import { answerStream } from "../downstream/streamed.ts";
import { answerWhole } from "../downstream/whole.ts";
import type { Timeouts } from "../upstream/dispatch.ts";

/** Gets the answer from one of the call's backends and sends it: vectors or scores, a file, a stream or a complete answer. */
export function answerCall(call: ResolvedCall, registry: BackendRegistry, timeouts: Timeouts): Promise<Outcome> {
  const { format, body } = call;
  if ("toWhole" in format) return answerWhole(call, format, registry, timeouts);
  if ("toContentType" in format) return answerFile(call, format, registry, timeouts);
  return body.stream
    ? answerStream(call, format, registry, timeouts)
    : answerBuffered(call, format, registry, timeouts);
}
