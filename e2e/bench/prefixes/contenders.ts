import { hash } from "node:crypto";
import { sendChat } from "./send-chat.ts";
import type { Message, SendChat } from "./workload.ts";

/** Characters of the first messages that determine the engine. */
const OPENING_CHARACTERS = 4_096;
/** Calls that the engine of a conversation may have more than the least busy one. */
const MAX_EXTRA_CALLS = 4;

/** Sends each chat to the next engine. */
export function inTurns(engines: readonly string[]): SendChat {
  let next = 0;
  return (messages) => {
    const engine = engines[next % engines.length] ?? "";
    next += 1;
    return sendChat(engine, messages);
  };
}

/**
 * Sends the chats of a conversation to one engine, which the beginning of its messages up to the first one of the user
 * determines, unless that is busier than another one by some calls.
 */
export function byFirstMessages(engines: readonly string[]): SendChat {
  const loads = engines.map((url) => ({ url, inFlight: 0 }));
  return async (messages) => {
    const opening = JSON.stringify(messages.slice(0, messages.findIndex(({ role }) => role === "user") + 1)).slice(
      0,
      OPENING_CHARACTERS,
    );
    const least = Math.min(...loads.map(({ inFlight }) => inFlight));
    const usable = loads.filter(({ inFlight }) => inFlight <= least + MAX_EXTRA_CALLS);
    const scoreOf = ({ url }: { url: string }) => hash("sha1", url + opening);
    const chosen = usable.reduce((best, load) => (scoreOf(load) > scoreOf(best) ? load : best));
    chosen.inFlight += 1;
    try {
      return await sendChat(chosen.url, messages);
    } finally {
      chosen.inFlight -= 1;
    }
  };
}

/** Sends each chat to a Feather before the engines. */
export function through(gateway: { url: string; key: string }): SendChat {
  const headers = { authorization: `Bearer ${gateway.key}` };
  return (messages: readonly Message[]) => sendChat(gateway.url, messages, headers);
}
