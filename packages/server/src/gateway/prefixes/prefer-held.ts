import { hash } from "node:crypto";
import { countHeld, type HeldPrefixes } from "./held-prefixes.ts";
import type { PromptBlocks } from "./prompt-blocks.ts";

/** What the choice of a backend depends on. */
type Candidate = {
  name: string;
  weight: number;
  inFlight: number;
  /** Milliseconds since 1970 until which no call should go to it; 0 for a healthy one. */
  circuitOpenUntil: number;
  /** Whether it could not be reached when its models were last read. */
  isUnreachable: boolean;
  prefixes: HeldPrefixes;
};

/** What a call in flight costs the next one, in blocks of its prompt. */
const BLOCKS_PER_CALL = 2;
/** What a backend that no call has gone to may cost more and still gets the prompt that hashing gives it, in blocks. */
const HOME_BLOCKS = 16;
/** The share of earlier calls that each new one leaves: about the last 200 count. */
const KEPT_SHARE = 1 - 1 / 200;
/** Hexadecimal digits of a hash that a number holds exactly. */
const HASH_DIGITS = 12;
/** The recent calls of a backend, compared with the mean of all, up to which they do not matter. */
const TOLERATED_LOAD = 1.15;
/** The recent calls of a backend, compared with the mean, at which another one evaluates a whole prompt in its place. */
const MAX_LOAD = 1.3;

/**
 * Returns the backends for a prompt, best first: the one that has the least to do until it answers. That is the part of the
 * prompt that it does not hold, those of the calls before it, and a little for each answer that it is writing. While several
 * calls run at once, a backend that has got far more of the recent ones than others counts as further from the answer. A
 * prompt of which none holds anything prefers a backend by its opening, so that all processes of the server choose the same one.
 * Backends with an open circuit and unreachable ones stay last, as they are sorted. `nowMs` is in milliseconds since 1970.
 */
export function preferHeld<B extends Candidate>(
  backends: readonly B[],
  { hashes, opening }: PromptBlocks,
  nowMs: number,
): B[] {
  const isUsable = ({ circuitOpenUntil, isUnreachable }: B) => circuitOpenUntil <= nowMs && !isUnreachable;
  const usable = backends.filter(isUsable);
  if (usable.length < 2) return [...backends];
  const group = describeGroup(usable);
  const rated = usable.map((backend) => {
    const held = countHeld(backend.prefixes, hashes);
    return { backend, held, cost: hashes.length - held + costOfLoad(backend, hashes.length, group) };
  });
  if (rated.every(({ held }) => held === 0)) {
    const home = rated.reduce((best, one) =>
      scoreOf(opening, one.backend) < scoreOf(opening, best.backend) ? one : best,
    );
    home.cost -= HOME_BLOCKS;
  }
  for (const { prefixes } of usable) prefixes.recentCalls *= KEPT_SHARE;
  const sorted = rated.sort((a, b) => a.cost - b.cost).map(({ backend }) => backend);
  return usable.length === backends.length ? sorted : [...sorted, ...backends.filter((backend) => !isUsable(backend))];
}

/** Means of the backends that may answer, and how busy they are together: from 0, idle, to 1. */
type Group = { weight: number; recentCalls: number; busy: number };

function describeGroup(backends: readonly Candidate[]): Group {
  let weight = 0;
  let recentCalls = 0;
  let inFlight = 0;
  for (const backend of backends) {
    weight += backend.weight;
    recentCalls += backend.prefixes.recentCalls;
    inFlight += backend.inFlight;
  }
  const count = backends.length;
  return { weight: weight / count, recentCalls: recentCalls / count, busy: Math.min(1, inFlight / count) };
}

function costOfLoad({ weight, inFlight, prefixes }: Candidate, promptBlocks: number, group: Group): number {
  const share = group.weight / weight;
  const waiting = (prefixes.waitingBlocks + inFlight * BLOCKS_PER_CALL) * share;
  if (group.recentCalls === 0) return waiting;
  const load = (prefixes.recentCalls * share) / group.recentCalls;
  const excess = Math.max(0, load - TOLERATED_LOAD) / (MAX_LOAD - TOLERATED_LOAD);
  return waiting + excess * group.busy * promptBlocks;
}

/**
 * Rendezvous hashing by weight: the backend with the lowest number gets the prompt, in the long run as often as its weight
 * says. With one backend more or less, only the prompts of that one move.
 */
function scoreOf(opening: string, { name, weight }: Candidate): number {
  const digits = hash("sha1", `${name}\0${opening}`).slice(0, HASH_DIGITS);
  return -Math.log((Number.parseInt(digits, 16) + 1) / 16 ** HASH_DIGITS) / weight;
}
