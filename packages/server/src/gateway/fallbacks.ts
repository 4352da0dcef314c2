import { AppError } from "../platform/core/errors/index.ts";
import type { Exchange } from "../platform/core/http/exchange.ts";

/** A model that a call tries, and the alias that stands for it; null if the caller names the model itself. */
export type NamedModel = { readonly id: string; readonly alias: string | null };

/** A model of a call that did not answer, and the code of the error that says why. */
export type PassedOver = { model: string; reason: string };

/** Which of the models of a call is tried now. `startedAt` and `startMark` are those of the first one. */
export type ModelAttempt = {
  /** Whether it is the first one, and the caller named it itself: one of an alias is the operator's choice. */
  isFirstChoice: boolean;
  isLast: boolean;
  passedOver: readonly PassedOver[];
  startedAt: Date;
  /** The start in milliseconds of `performance.now()`. */
  startMark: number;
};

/** Says that a model cannot answer for a reason for which the next one is tried. */
export class NextModelError extends Error {
  readonly failure: AppError;
  /** Writes the usage row of the failed call; null if it was refused before it was sent to a backend. */
  readonly settle: (() => void) | null;

  constructor(failure: AppError, settle: (() => void) | null) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.settle = settle;
  }
}

/** The header that names the models that were passed over, each with the reason: `owner/name=upstream_error`. */
const HEADER = "x-models-passed-over";

/** Errors for which the next model is tried: the model cannot be had, or the prompt is too long for it. */
const REASONS: ReadonlySet<string> = new Set([
  "capacity_exhausted",
  "context_length_exceeded",
  "model_loading",
  "no_matching_place",
]);
/** Errors of backends for which the next model is tried. */
const ANSWER_REASONS: ReadonlySet<string> = new Set([
  ...REASONS,
  "content_refused",
  "rate_limit_exceeded",
  "upstream_error",
  "upstream_timeout",
]);
/** Errors for which a model is passed over that is not the caller's first choice: it lacks what the call needs. */
const LACKS: ReadonlySet<string> = new Set(["unsupported_modality", "unsupported_parameter"]);

/** Returns whether another model may answer if this one does not. */
export function hasNextModel({ attempt }: { attempt?: ModelAttempt | undefined }): boolean {
  return attempt !== undefined && !attempt.isLast;
}

/**
 * Returns what says that the next model is tried after a call was refused before it was sent to a backend; null if the caller
 * gets the error. A model that is not the caller's first choice is passed over whatever the reason, as one that the caller may
 * not call.
 */
export function toNextModelBeforeAnswer(attempt: ModelAttempt | undefined, error: unknown): NextModelError | null {
  if (attempt === undefined || !(error instanceof AppError)) return null;
  const isPassedOver = attempt.isFirstChoice
    ? !attempt.isLast && REASONS.has(error.code)
    : error.status < 500 || !attempt.isLast;
  return isPassedOver ? new NextModelError(error, null) : null;
}

/** Returns what says that the next model is tried after a backend has failed; null if the caller gets the error. */
export function toNextModelAfterFailure(
  attempt: ModelAttempt | undefined,
  error: unknown,
  settle: () => void,
): NextModelError | null {
  if (attempt === undefined || attempt.isLast || !(error instanceof AppError)) return null;
  const isReason = ANSWER_REASONS.has(error.code) || (!attempt.isFirstChoice && LACKS.has(error.code));
  return isReason ? new NextModelError(error, settle) : null;
}

/** The models of a call in the order in which they are tried, and when the call began. */
type Fallbacks = {
  models: readonly NamedModel[];
  exchange: Exchange;
  startedAt: Date;
  startMark: number;
  /** Returns whether the caller has disconnected from a call that ends with its connection. */
  isCallerGone(): boolean;
};

/**
 * Runs a call on the first of its models that can answer. Throws the error of the last one that was asked. If those after the
 * first were all passed over unasked, it throws the error of the first.
 */
export async function runWithFallbacks(
  { models, exchange, startedAt, startMark, isCallerGone }: Fallbacks,
  run: (model: NamedModel, attempt: ModelAttempt) => Promise<void>,
): Promise<void> {
  const passedOver: PassedOver[] = [];
  let failed: NextModelError | null = null;
  for (const [index, model] of models.entries()) {
    if (isCallerGone()) break; // no caller to answer
    const isLast = index === models.length - 1;
    try {
      const isFirstChoice = index === 0 && model.alias === null;
      await run(model, { isFirstChoice, isLast, passedOver: [...passedOver], startedAt, startMark });
      return;
    } catch (error) {
      if (!(error instanceof NextModelError)) throw error;
      if (failed === null || error.settle !== null) failed = error;
      passedOver.push({ model: model.id, reason: error.failure.code });
      exchange.responseHeaders[HEADER] = passedOver.map(toText).join(", ");
    }
  }
  failed?.settle?.();
  if (failed !== null) throw failed.failure;
}

/** A name of the caller may hold what no header may. */
const toText = ({ model, reason }: PassedOver): string => `${model.replaceAll(/[^\w./:-]/g, "_")}=${reason}`;
