import { isPrivateModelKey } from "../models/model-keys.ts";
import { Histogram, type Series, toSeries } from "./series.ts";

/** The counted fields of an ended call to a model, from its usage row. Times are in milliseconds. */
export type CountedCall = {
  model_id: string;
  kind: string;
  outcome: string;
  streamed: boolean;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  queued_ms: number;
  first_byte_ms: number | null;
  duration_ms: number;
};

/** Models beyond this number are counted together as `other`. */
const MAX_MODELS = 100;
const STATUS_CLASSES = ["aborted", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;

type RouteCounts = { statuses: number[]; seconds: Histogram; isTimed: boolean };
/** The counts by outcome, and the times, of calls of one kind. */
type KindCounts = { outcomes: Map<string, number>; firstToken: Histogram; duration: Histogram };
type ModelCounts = { kinds: Map<string, KindCounts>; input: number; output: number; cached: number };

/**
 * Counts the requests and calls of one thread. It runs for each call, so it uses plain numbers that one look-up finds.
 * `snapshot` returns plain data, which `sumSeries` adds up over threads.
 */
export class TrafficCounters {
  readonly #routes = new Map<string, RouteCounts>();
  readonly #errors = new Map<string, number>();
  readonly #models = new Map<string, ModelCounts>();
  readonly #queue = new Histogram("queueSeconds");

  /**
   * Counts a request that has ended. `status` is 0 if the caller disconnected before a response. `seconds` is null if the
   * duration is not meaningful: for streams, and for calls to models, which `countCall` measures.
   */
  countRequest(route: string, status: number, seconds: number | null): void {
    let counts = this.#routes.get(route);
    if (counts === undefined) {
      counts = { statuses: STATUS_CLASSES.map(() => 0), seconds: new Histogram("requestSeconds"), isTimed: false };
      this.#routes.set(route, counts);
    }
    (counts.statuses[Math.floor(status / 100)] as number)++;
    if (seconds === null) return;
    counts.isTimed = true;
    counts.seconds.observe(seconds);
  }

  /** Counts an error response by its code, one of the contract's list. */
  countError(code: string): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }

  /** Counts a call to a model that reached a backend and has ended. */
  countCall(call: CountedCall): void {
    const counts = this.#models.get(call.model_id) ?? this.#countsOf(call.model_id);
    let kind = counts.kinds.get(call.kind);
    if (kind === undefined) {
      kind = {
        outcomes: new Map(),
        firstToken: new Histogram("firstTokenSeconds"),
        duration: new Histogram("callSeconds"),
      };
      counts.kinds.set(call.kind, kind);
    }
    kind.outcomes.set(call.outcome, (kind.outcomes.get(call.outcome) ?? 0) + 1);
    counts.input += call.prompt_tokens;
    counts.output += call.completion_tokens;
    counts.cached += call.cached_tokens;
    if (call.streamed && call.first_byte_ms !== null) kind.firstToken.observe(call.first_byte_ms / 1000);
    kind.duration.observe(call.duration_ms / 1000);
    this.#queue.observe(call.queued_ms / 1000);
  }

  snapshot(): Series[] {
    return [
      ...[...this.#routes].flatMap(([route, counts]) => toRouteSeries(route, counts)),
      ...[...this.#errors].map(([code, count]) => toSeries("errors", count, code)),
      ...[...this.#models].flatMap(([model, counts]) => toModelSeries(model, counts)),
      this.#queue.snapshot(),
    ];
  }

  /** Returns the counts of a model: its own, those of all private models, or those of `other` beyond `MAX_MODELS`. */
  #countsOf(key: string): ModelCounts {
    const name = isPrivateModelKey(key) ? "private" : this.#models.size < MAX_MODELS ? key : "other";
    const existing = this.#models.get(name);
    if (existing !== undefined) return existing;
    const counts: ModelCounts = { kinds: new Map(), input: 0, output: 0, cached: 0 };
    this.#models.set(name, counts);
    return counts;
  }
}

function toRouteSeries(route: string, { statuses, seconds, isTimed }: RouteCounts): Series[] {
  const counted = STATUS_CLASSES.flatMap((status, index) => {
    const count = statuses[index] ?? 0;
    return count === 0 ? [] : [toSeries("requests", count, route, status)];
  });
  return isTimed ? [...counted, seconds.snapshot(route)] : counted;
}

function toModelSeries(model: string, counts: ModelCounts): Series[] {
  return [
    ...[...counts.kinds].flatMap(([kind, { outcomes, firstToken, duration }]) => [
      ...[...outcomes].map(([outcome, count]) => toSeries("calls", count, model, kind, outcome)),
      firstToken.snapshot(model, kind),
      duration.snapshot(model, kind),
    ]),
    toSeries("tokens", counts.input, model, "input"),
    toSeries("tokens", counts.output, model, "output"),
    toSeries("tokens", counts.cached, model, "cached"),
  ];
}
