import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Snapshot } from "../conversation/conversations.ts";
import type { StorageProblem } from "../conversation/store/fallback-store.ts";
import { type ChatSession, openChatSession } from "./chat-session.ts";
import type { LiveAnswer, LiveAnswers } from "./live-answers.ts";

/**
 * The chat of a user. It stays open when their session expires, so that nothing is lost; another user gets a new one.
 */
export function useChatSession(userId: string | null): {
  session: ChatSession | null;
  storageProblem: StorageProblem | null;
} {
  const ownerId = useLastNonNull(userId);
  const [session, setSession] = useState<ChatSession | null>(null);
  const [storageProblem, setStorageProblem] = useState<StorageProblem | null>(null);
  useEffect(() => {
    if (ownerId === null) return;
    let isCurrent = true;
    let openedSession: ChatSession | null = null;
    void openChatSession(ownerId, (problem) => isCurrent && setStorageProblem(problem)).then((next) => {
      openedSession = next;
      if (isCurrent) setSession(next);
      else next.close();
    });
    return () => {
      isCurrent = false;
      setSession(null);
      setStorageProblem(null);
      openedSession?.close();
    };
  }, [ownerId]);
  return { session: session?.owner === ownerId ? session : null, storageProblem };
}

function useLastNonNull(value: string | null): string | null {
  const last = useRef(value);
  if (value !== null) last.current = value;
  return last.current;
}

/** Whether the requested conversation is new, loading, missing or open. */
export type ConversationState = { state: "new" | "loading" | "missing" } | { state: "open"; snapshot: Snapshot };

const NEW_CONVERSATION: ConversationState = { state: "new" };
const subscribeToNothing = (): (() => void) => () => {};

/** Returns a conversation and follows its changes; loads it from the store if it is not open yet. */
export function useConversation(session: ChatSession | null, id: string | null): ConversationState {
  const [missingId, setMissingId] = useState<string | null>(null);
  const snapshot = useSyncExternalStore(
    session?.conversations.subscribe ?? subscribeToNothing,
    () => (session && id !== null ? session.conversations.get(id) : null),
    () => null,
  );
  useEffect(() => {
    if (!session || id === null || session.conversations.get(id)) return;
    let isCurrent = true;
    session.conversations.load(id).then(
      (found) => isCurrent && !found && setMissingId(id),
      () => isCurrent && setMissingId(id),
    );
    return () => {
      isCurrent = false;
    };
  }, [session, id]);
  if (id === null) return NEW_CONVERSATION;
  if (snapshot && snapshot.conversation.deletedAt === null) return { state: "open", snapshot };
  return { state: missingId === id || snapshot ? "missing" : "loading" };
}

/** Returns an answer in progress; null if the answer is not streaming. */
export function useLiveAnswer(live: LiveAnswers, id: string): LiveAnswer | null {
  return useSyncExternalStore(
    (listener) => live.subscribe(id, listener),
    () => live.get(id),
  );
}
