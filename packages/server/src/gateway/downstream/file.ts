import { AppError } from "../../platform/core/errors/index.ts";
import type { BackendLease, BackendRegistry } from "../backends/registry.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { waitForDrain } from "../caller-streams/wait-for-drain.ts";
import type { FileFormat } from "../formats/format.ts";
import { toFailedOutcomeName } from "../outcomes.ts";
import { logOwnFailure, type Timeouts, toUpstreamError, toUpstreamRequest, tryBackends } from "../upstream/dispatch.ts";
import { openUpstreamFile, type UpstreamFile } from "../upstream/upstream-file.ts";
import { upstreamError, upstreamTimeout } from "../upstream-errors.ts";
import { invalidAnswer, parseAnswer } from "./buffered.ts";
import { setIgnoredParamsHeader } from "./completion-meta.ts";
import { estimateUsage } from "./whole.ts";

/** A file whose first bytes have arrived, and its size in bytes; null if the backend does not say it. */
type BegunFile = UpstreamFile & { first: Buffer; parts: AsyncIterator<Buffer>; size: number | null };

/**
 * Passes a file on as it arrives. Before its first byte, another backend may take over; after a later failure the connection
 * is closed before the response is complete, which callers notice.
 */
export async function answerFile(
  call: ResolvedCall,
  format: FileFormat,
  registry: BackendRegistry,
  timeouts: Timeouts,
): Promise<Outcome> {
  const dispatched = await tryBackends(call, registry, timeouts, (chosen) => beginFile(call, chosen, format, timeouts));
  using lease = dispatched.lease;
  const file = dispatched.result;
  const { exchange, signal } = call;
  const { name: backend } = lease.backend;
  const answered = { backend, firstByteMs: Math.floor(call.elapsedMs()), usage: estimateUsage(call), deltas: 0 };
  setIgnoredParamsHeader(call, lease.backend, { headers: file.headers });
  try {
    await sendFile(call, file, format, timeouts);
    return { ...answered, outcome: "completed", status: 200, errorCode: null };
  } catch (error) {
    file.bytes.destroy();
    exchange.response.destroy();
    const isCallerGone = signal.aborted && !(signal.reason instanceof AppError);
    if (isCallerGone) return { ...answered, outcome: "aborted", status: 499, errorCode: "client_closed" };
    const failure = toUpstreamError(signal.aborted ? signal.reason : error);
    if (failure.code === "internal_error") logOwnFailure(call, failure);
    else if (!signal.aborted) registry.recordFailure(lease.backend, failure.code);
    return { ...answered, outcome: toFailedOutcomeName(signal), status: 200, errorCode: failure.code };
  }
}

/** Waits for the first bytes; until then nothing is sent to the caller. */
async function beginFile(
  call: ResolvedCall,
  lease: BackendLease,
  { maxBytes, toContentType }: FileFormat,
  timeouts: Timeouts,
): Promise<BegunFile> {
  const opened = await openUpstreamFile(toUpstreamRequest(call, lease, timeouts), toContentType);
  if ("response" in opened) {
    parseAnswer(opened.response, call, lease.backend); // throws the refusal that it may be
    throw invalidAnswer();
  }
  const { file } = opened;
  const size = readSize(file);
  const parts = file.bytes[Symbol.asyncIterator]();
  try {
    if (size !== null && size > maxBytes) throw tooLarge();
    const first = await readPart(file, parts, timeouts.firstByteMs);
    if (first === null) throw invalidAnswer();
    return { ...file, first, parts, size };
  } catch (error) {
    file.bytes.destroy();
    throw error;
  }
}

function readSize({ headers }: UpstreamFile): number | null {
  const { "content-length": size, "content-encoding": encoding } = headers;
  return size === undefined || encoding !== undefined ? null : Number(size);
}

/** Returns the next bytes of a file; null at its end. Throws `upstream_timeout` if none arrive in time. */
async function readPart(
  { bytes }: UpstreamFile,
  parts: AsyncIterator<Buffer>,
  timeoutMs: number,
): Promise<Buffer | null> {
  const timer = setTimeout(
    () => bytes.destroy(upstreamTimeout("The backend stopped in the middle of the answer.")),
    timeoutMs,
  );
  try {
    const next = await parts.next();
    return next.done === true ? null : next.value;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends a file as fast as the caller reads it. The time that the caller takes is not the backend's fault. */
async function sendFile(
  { exchange: { response, responseHeaders }, signal }: ResolvedCall,
  file: BegunFile,
  { maxBytes }: FileFormat,
  { idleMs, stalledMs }: Timeouts,
): Promise<void> {
  responseHeaders["content-type"] = file.contentType;
  responseHeaders["x-accel-buffering"] = "no";
  if (file.size !== null) responseHeaders["content-length"] = file.size;
  response.writeHead(200, responseHeaders);
  let sent = 0;
  for (let part: Buffer | null = file.first; part !== null; part = await readPart(file, file.parts, idleMs)) {
    sent += part.length;
    if (sent > maxBytes) throw tooLarge();
    if (!response.write(part)) await waitForDrain(response, { stalledMs, signal });
    signal.throwIfAborted();
  }
  response.end();
}

function tooLarge(): AppError {
  return upstreamError("The backend's answer is too large.");
}
