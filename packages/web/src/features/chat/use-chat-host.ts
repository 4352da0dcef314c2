import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Snapshot } from "./conversations.ts";
import type { NotKept } from "./history/lasting-store.ts";
import { type ChatHost, openChatHost } from "./host.ts";
import type { LiveAnswer, LiveAnswers } from "./live-answers.ts";

/**
 * The chat of a user. It stays open when their session expires, so that nothing is lost; another user gets a new one.
 */
export function useChatHost(userId: string | null): { host: ChatHost | null; notKept: NotKept | null } {
  const owner = useLast(userId);
  const [host, setHost] = useState<ChatHost | null>(null);
  const [notKept, setNotKept] = useState<NotKept | null>(null);
  useEffect(() => {
    if (owner === null) return;
    let current = true;
    let opened: ChatHost | null = null;
    void openChatHost(owner, (why) => current && setNotKept(why)).then((next) => {
      opened = next;
      if (current) setHost(next);
      else next.close();
    });
    return () => {
      current = false;
      setHost(null);
      setNotKept(null);
      opened?.close();
    };
  }, [owner]);
  return { host: host?.owner === owner ? host : null, notKept };
}

function useLast(value: string | null): string | null {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
}

/** Whether the requested conversation is new, loading, missing or open. */
export type Opened = { state: "new" | "loading" | "missing" } | { state: "open"; snapshot: Snapshot };

const NEW: Opened = { state: "new" };
const nothing = (): (() => void) => () => {};

/** Returns a conversation and follows its changes; loads it from the store if it is not open yet. */
export function useConversation(host: ChatHost | null, id: string | null): Opened {
  const [missing, setMissing] = useState<string | null>(null);
  const snapshot = useSyncExternalStore(host?.conversations.subscribe ?? nothing, () =>
    host && id !== null ? host.conversations.get(id) : null,
  );
  useEffect(() => {
    if (!host || id === null || host.conversations.get(id)) return;
    let current = true;
    host.conversations.load(id).then(
      (found) => current && !found && setMissing(id),
      () => current && setMissing(id),
    );
    return () => {
      current = false;
    };
  }, [host, id]);
  if (id === null) return NEW;
  if (snapshot && snapshot.conversation.deletedAt === null) return { state: "open", snapshot };
  return { state: missing === id || snapshot ? "missing" : "loading" };
}

/** Returns an answer in progress; null if the answer is not streaming. */
export function useLiveAnswer(live: LiveAnswers, id: string): LiveAnswer | null {
  return useSyncExternalStore(
    (listener) => live.subscribe(id, listener),
    () => live.get(id),
  );
}
