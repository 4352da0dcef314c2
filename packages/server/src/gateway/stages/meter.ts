import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import { isWholeKind } from "../formats/parsed-request.ts";
import { countAnswers } from "../formats/token-estimates.ts";
import { estimateLength, NO_SOUND } from "../formats/transcriptions/length.ts";
import type { CallableModel, CallerPlan, CreditReservations, Price, PriceLookup } from "../ports.ts";
import { calculateCostNano, takePercent } from "../usage/cost.ts";
import type { UsageRow } from "../usage/usage-writer.ts";
import { keepAboveCost, soldBelowCost } from "./price-floor.ts";
import { usesOnlyOwnKeys } from "./usable-backends.ts";

/**
 * The price that a metered call is charged at, and its numbers of images and of characters that are read aloud. `audioMs` is
 * the estimated length of its sound, for backends that do not report it. With an own key of the organization it costs
 * `ownKeyFeePercent` of the price. Calls on flat plans have none.
 */
export type Metering = {
  /** The backends to which the call may go at this price. */
  backends: Backend[];
  price: Price | null;
  images: number;
  characters: number;
  audioMs: number;
  ownKeyFeePercent: number;
};

/** Tokens reserved for an answer without `max_tokens`. */
const DEFAULT_ANSWER_TOKENS = 4096;
/** A low estimate, so that enough is reserved. A chat template adds some tokens to the prompt. */
const BYTES_PER_TOKEN = 3;
const TEMPLATE_TOKENS = 16;

/** Returns whether the calls of a plan are charged one by one. */
export function isMetered({ plan }: CallerPlan): boolean {
  return plan.billing_mode === "request_pricing";
}

/** Creates the stage that reserves credits before a call on a metered plan is sent to a backend. */
export function createCreditsStage(prices: PriceLookup, reservations: CreditReservations) {
  return {
    /** Throws `price_below_cost`, `insufficient_credits` or `budget_exceeded`. */
    async reserve(call: ResolvedCall): Promise<Metering> {
      const price = await prices.findPrice(call.model);
      const backends = call.refusesBelowCost === true ? keepAboveCost(call, call.model, price) : call.backends;
      if (backends.length === 0) throw soldBelowCost(call.model.id);
      const { images, ...tokens } = estimateMaxTokens(call);
      const characters = countCharacters(call);
      const sound = call.file === undefined ? NO_SOUND : await estimateLength(call.file);
      const { credential, organizationId, userId } = call.actor;
      const { ownKeyFeePercent = 0 } = call;
      const highest =
        price === null ? 0n : calculateCostNano(price, { ...tokens, images, characters, audioMs: sound.longestMs });
      await reservations.reserve({
        requestId: call.id,
        organizationId,
        userId,
        apiKeyId: credential.type === "key" ? credential.id : null,
        amountNano: usesOnlyOwnKeys({ ...call, backends }) ? takePercent(highest, ownKeyFeePercent) : highest,
      });
      return { backends, price, images, characters, audioMs: sound.likelyMs, ownKeyFeePercent };
    },

    /** Takes back what `reserve` has reserved for a call. */
    release: ({ id }: ResolvedCall) => reservations.release(id),
  };
}

export type CreditsStage = ReturnType<typeof createCreditsStage>;

/**
 * Returns the usage row with the cost of the call. Completed calls are charged, and aborted ones that generated text or
 * sound; failed calls are free.
 */
export function withCost(row: UsageRow, metering: Metering | null): UsageRow {
  if (metering === null) return row;
  const { price, characters } = metering;
  const images = row.images ?? metering.images;
  if (price === null) return { ...row, billing_mode: "request_pricing", cost_status: "unavailable" };
  // Sound has no tokens of its own: once it has begun, the row has those of the text.
  const generated = row.kind === "speech" ? row.prompt_tokens : row.completion_tokens;
  const answered = row.outcome === "completed" || (row.outcome === "aborted" && (generated ?? 0) > 0);
  const consumed = {
    promptTokens: row.prompt_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    images,
    characters,
    audioMs: row.audio_ms ?? metering.audioMs,
  };
  const cost = answered ? calculateCostNano(price, consumed) : 0n;
  const isEstimated = answered && metering.audioMs > 0 && row.audio_ms === undefined && Number(price.audio_second) > 0;
  return {
    ...row,
    ...(isEstimated && { audio_ms: metering.audioMs, estimated: true }),
    billing_mode: "request_pricing",
    cost_status: "final",
    cost_nano_usd: String(row.own_key ? takePercent(cost, metering.ownKeyFeePercent) : cost),
    ...(row.own_key && { own_key_fee_percent: metering.ownKeyFeePercent }),
    price_id: price.id,
    images,
    characters,
    prompt_price: price.prompt,
    completion_price: price.completion,
    image_price: price.image,
    audio_second_price: price.audio_second,
    character_price: price.character,
    request_price: price.request,
  };
}

/** Returns the number of characters of a text that is read aloud; 0 for other calls. */
function countCharacters({ kind, body }: Pick<ResolvedCall, "kind" | "body">): number {
  return kind === "speech" && typeof body.input === "string" ? Array.from(body.input).length : 0;
}

/** Returns the highest number of tokens that a call is expected to use, estimated from its body. */
export function estimateMaxTokens({ body, model, kind }: Pick<ResolvedCall, "body" | "model" | "kind">) {
  const { bytes, images } = measurePrompt(body);
  const promptTokens = Math.ceil(bytes / BYTES_PER_TOKEN) + TEMPLATE_TOKENS;
  if (kind === "image") return { promptTokens, completionTokens: 0, images: countAnswers(body) };
  if (isWholeKind(kind)) return { promptTokens, completionTokens: 0, images };
  const completionTokens = estimateMaxAnswerTokens(model, promptTokens, body.max_tokens) * countAnswers(body);
  return { promptTokens, completionTokens: Math.ceil(completionTokens), images };
}

/** Returns the highest number of tokens of one answer: the requested or default number, limited by the model's context. */
export function estimateMaxAnswerTokens(
  { contextLength }: Pick<CallableModel, "contextLength">,
  promptTokens: number,
  maxTokens: number | null | undefined,
): number {
  return Math.min(
    maxTokens ?? DEFAULT_ANSWER_TOKENS,
    Math.max(1, (contextLength ?? Number.POSITIVE_INFINITY) - promptTokens),
  );
}

/** Returns the size of the prompt in bytes without images, and the number of images. */
function measurePrompt({ messages, prompt, input, query, documents, tools }: ResolvedCall["body"]): {
  bytes: number;
  images: number;
} {
  let images = 0;
  const text = JSON.stringify(
    [messages, prompt, input ?? documents, tools].concat(query ?? []),
    (key, value: unknown) => {
      if (key !== "image_url") return value;
      images += 1;
      return undefined;
    },
  );
  return { bytes: Buffer.byteLength(text), images };
}
