import {
  type Backend,
  type BackendRegistry,
  type ProbeBody,
  type ProbeLimits,
  type ProbeResult,
  sendProbe,
} from "../../gateway/index.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import { costsMoney } from "./costs-money.ts";
import { computeCost, computeHighestCost, type Spending, type StatedPrice } from "./spending.ts";

/** A model at a backend, with the signal that ends its calls. */
export type CalledPlace = { backend: Backend; modelKey: string; signal: AbortSignal };

/** The result of a call with its cost in nano-USD; `unaffordable` says that the budget has no room for it. */
export type PaidResult = (ProbeResult & { costNano: bigint }) | { kind: "unaffordable" };

/** Makes a call to a model at one backend. */
export type CallBackend = (body: ProbeBody, images: number) => Promise<PaidResult>;

type Deps = {
  registry: Pick<BackendRegistry, "chooseKey">;
  spending: Spending;
  /** The time limits of a call; `PROBE_LIMITS` outside of tests. */
  limits: ProbeLimits;
};

/** A backend that takes longer gives no result. */
export const PROBE_LIMITS: ProbeLimits = { totalMs: 120 * SECOND_MS, idleMs: 30 * SECOND_MS };

/** The programs by which a chat template gets the switch for thinking. Without thoughts, a short answer is complete. */
const PROGRAMS_WITH_SWITCH: ReadonlySet<string> = new Set(["engine", "llama-server", "ollama", "sglang", "vllm"]);

/** Returns a function that calls a model at a backend. It reserves the highest cost of each call before it, where it has one. */
export function createCallBackend({ registry, spending, limits }: Deps, place: CalledPlace): CallBackend {
  const { backend, modelKey } = place;
  const price = backend.places?.get(modelKey)?.price ?? null;
  const send = (body: ProbeBody) =>
    sendProbe(registry, { ...place, limits, body: hasSwitch(backend) ? withoutThinking(body) : body });
  return async (body, images) => {
    if (!costsMoney(place)) return { ...(await send(body)), costNano: 0n };
    if (price === null) return { kind: "unaffordable" };
    const reserved = await spending.reserve(computeHighestCost(price, body, images));
    if (reserved === null) return { kind: "unaffordable" };
    const result = await send(body);
    const costNano = computePaid(price, result, { images, reservedNano: reserved.nano });
    if (costNano !== reserved.nano) await spending.settle(reserved, costNano);
    return { ...result, costNano };
  };
}

/**
 * Returns what a call has cost in nano-USD. A refusal costs nothing; a call that was stopped, has failed or is not counted may
 * have cost all that was reserved for it.
 */
function computePaid(
  price: StatedPrice,
  result: ProbeResult,
  { images, reservedNano }: { images: number; reservedNano: bigint },
): bigint {
  if (result.kind === "refused") return 0n;
  const usage = result.kind === "answer" ? result.answer.usage : null;
  return usage === null ? reservedNano : computeCost(price, { ...usage, images });
}

function hasSwitch({ source, program = source === "engine" ? "engine" : "other" }: Backend): boolean {
  return PROGRAMS_WITH_SWITCH.has(program);
}

function withoutThinking(body: ProbeBody): ProbeBody {
  return { ...body, chat_template_kwargs: { enable_thinking: false, thinking: false } };
}
