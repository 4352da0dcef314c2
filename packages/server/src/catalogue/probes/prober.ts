import PQueue from "p-queue";
import type { Logger } from "pino";
import type { Backend, BackendRegistry, ProbeLimits } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { applyAbilities } from "./apply-abilities.ts";
import { createCallBackend } from "./call-backend.ts";
import { costsMoney, type ProbePlace } from "./costs-money.ts";
import { type ProbedModel, type ProbeEnd, probeModel } from "./probe-model.ts";
import { findChatModels, findObstacle, listPlaces, takePlaces } from "./probe-places.ts";
import type { AbilityOutcome } from "./probe-question.ts";
import type { ProbesRepository, RunEnd } from "./probes.repository.ts";
import type { Spending } from "./spending.ts";
import type { Ability } from "./verdict.ts";

type Deps = {
  db: Database;
  registry: Pick<BackendRegistry, "candidates" | "chooseKey" | "lastAnswerAt" | "list">;
  probesRepository: ProbesRepository;
  spending: Spending;
  clock: Clock;
  log: Pick<Logger, "info">;
  dailyCents: number;
  limits: ProbeLimits;
  /** Returns the calls in flight at a backend that other processes have sent there. */
  countCallsOfOthers(backend: string): Promise<number>;
  invalidateModels(): void;
};
type Context = Deps & {
  /** Asks one model at a time. */
  queue: PQueue;
};

/** How often it is checked whether a caller's call has come to the backend, in milliseconds. */
const CHECK_MS = 100;
/** How often other processes are asked for theirs, in milliseconds. */
const CHECK_OTHERS_MS = 1_000;

/** Why a run was stopped, and whether it is tried again with the next run of the job. */
const STOPS = {
  caller: "A caller's call came first.",
  removed: "The backend no longer runs the model.",
  stopping: "The server stopped.",
} as const;

/** Creates what asks models for their abilities, one at a time. */
export function createProber(deps: Deps) {
  const context: Context = { ...deps, queue: new PQueue({ concurrency: 1 }) };
  return bind(context, { probeDue, probeRequested });
}

export type Prober = ReturnType<typeof createProber>;

/** Asks the models that are due, until all have been asked, the budget is used up, or the signal aborts. */
async function probeDue(context: Context, stopping: AbortSignal): Promise<void> {
  const places = takePlaces(await listDue(context));
  let isBudgetGone = false;
  for (const place of places) {
    if (stopping.aborted) return;
    if (isBudgetGone && costsMoney(place)) continue;
    const end = await context.queue.add(() => probePlace(context, place, stopping));
    isBudgetGone ||= end === "unaffordable";
  }
}

/** Asks the models that administrators have asked for. Those whose backend answers a caller stay for the next time. */
async function probeRequested(context: Context, stopping: AbortSignal): Promise<void> {
  const { registry, probesRepository, clock } = context;
  for (const { modelKey, backend: name } of await probesRepository.listRequested()) {
    if (stopping.aborted) return;
    const backend = registry.list().find((other) => other.name === name);
    const obstacle = backend ? findObstacle(context, { backend, modelKey }) : STOPS.removed;
    if (backend && obstacle === null) {
      await context.queue.add(() => probePlace(context, { backend, modelKey }, stopping));
      continue;
    }
    const place = { modelKey, backend: name };
    if (await probesRepository.claim(place, clock.now()))
      await probesRepository.end(place, { note: obstacle, dueAt: null }, clock.now());
  }
}

async function listDue(context: Context): Promise<ProbePlace[]> {
  const { probesRepository, clock } = context;
  const places = listPlaces(context);
  const keysByBackend = Map.groupBy(places, ({ backend }) => backend.name);
  const notDue = new Map<string, ReadonlySet<string>>();
  for (const [name, ofBackend] of keysByBackend) {
    const keys = ofBackend.map(({ modelKey }) => modelKey);
    notDue.set(name, await probesRepository.listNotDue(name, keys, clock.now()));
  }
  return places.filter(({ backend, modelKey }) => notDue.get(backend.name)?.has(modelKey) !== true);
}

/**
 * Asks a model at a backend, unless the backend answers a caller, or another process asks it. Stops as soon as a caller's call
 * comes to the backend. Returns how it has ended; null if it was not begun.
 */
async function probePlace(
  context: Context,
  { backend, modelKey }: ProbePlace,
  stopping: AbortSignal,
): Promise<ProbeEnd["end"] | null> {
  const { db, probesRepository, clock } = context;
  const model = (await findChatModels(db, [modelKey])).get(modelKey);
  const place = { modelKey, backend: backend.name };
  if (model !== undefined && (backend.inFlight > 0 || (await countOfOthers(context, backend)) > 0)) return null;
  if (!(await probesRepository.claim(place, clock.now()))) return null;
  if (model === undefined) {
    await probesRepository.end(place, { note: "It does not chat, or is disabled.", dueAt: null }, clock.now());
    return "failed";
  }
  const watch = watchPlace(context, { backend, modelKey }, stopping);
  try {
    const ended = await probeAbilities(context, { backend, modelKey, signal: watch.signal }, model);
    await probesRepository.end(place, toRunEnd(ended, watch.signal, clock.now()), clock.now());
    return ended.end;
  } finally {
    watch.end();
  }
}

/** Returns a signal that aborts when a caller's call comes to the backend, the backend is removed, or the server stops. */
function watchPlace(context: Context, { backend, modelKey }: ProbePlace, stopping: AbortSignal) {
  const { registry } = context;
  const stop = new AbortController();
  const check = () => {
    if (stopping.aborted) stop.abort(STOPS.stopping);
    else if (backend.inFlight > 0) stop.abort(STOPS.caller);
    else if (!registry.list().includes(backend) || !backend.models.has(modelKey)) stop.abort(STOPS.removed);
  };
  const checkOthers = async () => {
    if ((await countOfOthers(context, backend)) > 0) stop.abort(STOPS.caller);
  };
  const timers = [setInterval(check, CHECK_MS), setInterval(() => void checkOthers(), CHECK_OTHERS_MS)];
  stopping.addEventListener("abort", check);
  return {
    signal: stop.signal,
    end: () => {
      for (const timer of timers) clearInterval(timer);
      stopping.removeEventListener("abort", check);
    },
  };
}

/** Calls to this server's own engines pass through this process, and a provider has room for others. */
function countOfOthers({ countCallsOfOthers }: Context, { source, hosted, name }: Backend): Promise<number> {
  return source === "engine" || hosted === "elsewhere" ? Promise.resolve(0) : countCallsOfOthers(name);
}

async function probeAbilities(
  context: Context,
  place: ProbePlace & { signal: AbortSignal },
  model: ProbedModel,
): Promise<ProbeEnd> {
  const { probesRepository, log } = context;
  const { backend, modelKey } = place;
  const call = createCallBackend(context, place);
  const ended = await probeModel(call, backend, modelKey, model, (ability, outcome) =>
    saveAbility(context, place, ability, outcome),
  );
  await applyAbilities({ ...context, listResults: probesRepository.listResults }, modelKey);
  log.info({ model: modelKey, backend: backend.name, ...ended }, "a model was asked what it can do");
  return ended;
}

async function saveAbility(
  { probesRepository, clock }: Context,
  { backend, modelKey }: ProbePlace,
  ability: Ability,
  { verdict, figures }: AbilityOutcome,
): Promise<void> {
  if (verdict === null) return;
  await probesRepository.save({
    model_id: modelKey,
    backend: backend.name,
    ability,
    ...verdict,
    prompt_tokens: figures?.promptTokens ?? null,
    first_token_ms: figures?.firstTokenMs ?? null,
    tokens_per_second: figures?.tokensPerSecond ?? null,
    duration_ms: figures?.durationMs ?? 0,
    cost_nano_usd: String(figures?.costNano ?? 0n),
    checked_at: clock.now(),
  });
}

/** What has failed is tried again on the next day, what was stopped with the next run, and without budget when it is renewed. */
function toRunEnd({ end, reason }: ProbeEnd, { reason: stop }: AbortSignal, now: Date): RunEnd {
  if (end === "stopped") return { note: String(stop), dueAt: now };
  if (end === "unaffordable") {
    const tomorrow = new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
    return { note: "The daily budget has no room for it.", dueAt: tomorrow };
  }
  return { note: end === "failed" ? reason : null, dueAt: null };
}
