import { z } from "zod";
import { type AppError, createError, type ErrorCode, errors, isErrorCode } from "../errors/index.ts";
import { PEER_VERSION_HEADER } from "./peer-token.ts";

const RETRY_AFTER_SECONDS = 3;
/** The status of a replica that speaks another version: for a call to one of its engines, that of a backend to leave alone. */
export const VERSION_REFUSAL_STATUS = 503;

/** A call that one replica makes to another: its name, and what it sends and gets, which both sides check. */
export type PeerCall<Input, Output> = {
  name: string;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** How long the asking replica waits, in milliseconds. */
  timeoutMs: number;
};

/** How this process answers a call of other replicas: returns JSON for JSON. Throws a ZodError for what is not valid. */
export type PeerAnswer = { name: string; answer(input: unknown): Promise<unknown> };

/** Returns how a call to the leader is answered; with `unavailable` while this process does not lead. */
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

/** The error for a caller whose request only the leader can answer, while it does not. */
export function leaderUnavailable(cause?: unknown): AppError {
  return errors.unavailable(
    "The server of this installation that does this does not answer just now; another one takes over within seconds. Try again.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
  );
}

/** The error for a caller whose request only the leader can answer, while that runs another version. */
export function leaderHasOtherVersion(): AppError {
  return errors.unavailable(
    "The server of this installation that does this runs another version than the one that you reached: an upgrade is under way. Try again when it is done.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Whether a replica refuses a request because it speaks another version. */
export const isVersionRefusal = (status: number, headers: Readonly<Record<string, unknown>>): boolean =>
  status === VERSION_REFUSAL_STATUS && headers[PEER_VERSION_HEADER] !== undefined;

/** Returns how a call is answered. */
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

/** Returns an error for callers as one replica sends it to another. */
export function toPeerError({ status, code, message, headers, details }: AppError): object {
  return { error: { status, code, message, headers, ...(details && { details }) } };
}

/** Returns the error for callers that another replica sent; null if it is none. */
export function fromPeerError(body: unknown): AppError | null {
  const { success, data } = peerError.safeParse(body);
  if (!success) return null;
  const { status, code, message, headers, details } = data.error;
  return createError(code, message, { status, headers, ...(details && { details }) });
}
