import { z } from "zod";
import { type AppError, createError, type ErrorCode, errors, isErrorCode } from "../errors/index.ts";
import { PEER_VERSION_HEADER } from "./peer-token.ts";

const RETRY_AFTER_SECONDS = 3;
/**
 * The status with which a replica of another version refuses requests. A backend with this status is not used for a while.
 */
export const VERSION_REFUSAL_STATUS = 503;

/** A call between replicas: its name, and its input and output, which both sides validate. */
export type PeerCall<Input, Output> = {
  name: string;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** How long the calling replica waits, in milliseconds. */
  timeoutMs: number;
};

/** The handler of a call from other replicas, from JSON to JSON. Throws a ZodError for invalid input. */
export type PeerAnswer = { name: string; answer(input: unknown): Promise<unknown> };

/** Returns the handler of a call to the leader. It throws `unavailable` while this process does not lead. */
export function answerAsLeader<Input, Output>(
  call: PeerCall<Input, Output>,
  { isLeader }: { isLeader(): boolean },
  answer: (input: Input) => Promise<Output> | Output,
): PeerAnswer {
  return answerPeerCall(call, (input) => {
    if (!isLeader()) throw leaderUnavailable();
    return answer(input);
  });
}

/** Returns the error for a request that only the leader can answer, if the leader does not respond. */
export function leaderUnavailable(cause?: unknown): AppError {
  return errors.unavailable(
    "The leading server of this installation does not respond. Another one takes over within seconds: try again.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
  );
}

/** Returns the error for a request that only the leader can answer, if the leader runs another version. */
export function leaderHasOtherVersion(): AppError {
  return errors.unavailable(
    "The leading server of this installation runs another version than the server that you reached: an upgrade is in progress. Try again when it is done.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Returns whether a replica refused a request because it has another version. */
export const isVersionRefusal = (status: number, headers: Readonly<Record<string, unknown>>): boolean =>
  status === VERSION_REFUSAL_STATUS && headers[PEER_VERSION_HEADER] !== undefined;

/** Returns the handler of a call. */
export function answerPeerCall<Input, Output>(
  { name, input }: PeerCall<Input, Output>,
  answer: (input: Input) => Promise<Output> | Output,
): PeerAnswer {
  return { name, answer: async (body) => answer(input.parse(body)) };
}

const peerError = z.object({
  error: z.object({
    status: z.number().int().min(400).max(599),
    code: z.custom<ErrorCode>((code) => typeof code === "string" && isErrorCode(code)),
    message: z.string(),
    headers: z.record(z.string(), z.string()),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** Returns an error for callers in the form in which replicas send it to each other. */
export function toPeerError({ status, code, message, headers, details }: AppError): object {
  return { error: { status, code, message, headers, ...(details && { details }) } };
}

/** Returns the error for callers that another replica has sent; null if the body is not an error. */
export function fromPeerError(body: unknown): AppError | null {
  const { success, data } = peerError.safeParse(body);
  if (!success) return null;
  const { status, code, message, headers, details } = data.error;
  return createError(code, message, { status, headers, ...(details && { details }) });
}
