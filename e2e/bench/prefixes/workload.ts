import { setTimeout as sleep } from "node:timers/promises";

/** The model of all engines. */
export const MODEL = "bench/prefixes";

/** A message of a chat. */
export type Message = { role: "system" | "user" | "assistant"; content: string };
/** Sends a chat. Resolves, when its answer has ended, with the milliseconds until the first token. */
export type SendChat = (messages: readonly Message[]) => Promise<number>;

/** The characters of system prompts, of which the first ones are used most: about 750 to 5,000 tokens, as those of agents. */
const SYSTEM_CHARACTERS = [12_000, 6_000, 20_000, 3_000, 9_000];
const CONVERSATIONS = 60;
const TURNS = 6;
/** Milliseconds between the starts of two conversations, and between an answer and the next question, on average. */
const START_INTERVAL_MS = 400;
const THINKING_MS = 700;
const QUESTION_CHARACTERS = 500;
const ANSWER_CHARACTERS = 900;

/**
 * Runs chats of several turns that share system prompts, and begin one after the other. The same seed gives the same texts
 * and times. Resolves with the milliseconds until the first token of each answer.
 */
export async function runChats(send: SendChat, seed: number): Promise<number[]> {
  const random = createRandom(seed);
  const systems = SYSTEM_CHARACTERS.map((characters) => createText(characters, random));
  const firstTokens: number[] = [];
  const running: Promise<void>[] = [];
  for (let index = 0; index < CONVERSATIONS; index++) {
    // The squared number makes the first prompts the most frequent ones.
    const system = systems[Math.floor(random() ** 2 * systems.length)] ?? "";
    running.push(runChat(send, system, createRandom(seed * 1_000 + index), firstTokens));
    await sleep(START_INTERVAL_MS * 2 * random());
  }
  await Promise.all(running);
  return firstTokens;
}

async function runChat(send: SendChat, system: string, random: () => number, firstTokens: number[]): Promise<void> {
  const messages: Message[] = [{ role: "system", content: system }];
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: "user", content: createText(QUESTION_CHARACTERS, random) });
    firstTokens.push(await send(messages));
    messages.push({ role: "assistant", content: createText(ANSWER_CHARACTERS, random) });
    await sleep(THINKING_MS * 2 * random());
  }
}

function createText(characters: number, random: () => number): string {
  let text = "";
  while (text.length < characters) text += `${Math.floor(random() * 1_000_000)} `;
  return text.slice(0, characters);
}

/** Returns a generator of numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
