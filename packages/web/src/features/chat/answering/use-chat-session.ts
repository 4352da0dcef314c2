import type { User } from "@feather/sdk";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { type ChatOwner, nameOwner } from "../conversation/chat-owner.ts";
import type { Snapshot } from "../conversation/conversations.ts";
import type { StorageProblem } from "../conversation/store/fallback-store.ts";
import { type ChatSession, openChatSession } from "./chat-session.ts";
import type { LiveAnswer, LiveAnswers } from "./live-answers.ts";

/**
 * The chat of a user. It stays open when their session expires, so that nothing is lost; another user gets a new one, and in
 * another organization its own.
 */
export function useChatSession(user: User | null): {
  session: ChatSession | null;
  storageProblem: StorageProblem | null;
} {
  const owner = useLastNonNull(useChatOwner(user));
  const ownerId = owner && nameOwner(owner);
  const ownerRef = useRef(owner);
  ownerRef.current = owner;
  const [session, setSession] = useState<ChatSession | null>(null);
  const [storageProblem, setStorageProblem] = useState<StorageProblem | null>(null);
  useEffect(() => {
    const current = ownerRef.current;
    if (ownerId === null || current === null) return;
    let isCurrent = true;
    let openedSession: ChatSession | null = null;
    void openChatSession(current, (problem) => isCurrent && setStorageProblem(problem)).then((next) => {
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

/** Returns whose chats to open; null for visitors, and until it is known where the organization keeps chats. */
function useChatOwner(user: User | null): ChatOwner | null {
  const { data, isError } = useQuery({ ...organizationsQuery, enabled: user !== null });
  return useMemo(() => {
    if (!user || (!data && !isError)) return null;
    const organization = data?.items.find(({ id }) => id === user.organization.id);
    return { userId: user.id, organizationId: user.organization.id, storage: organization?.chat_storage ?? "browser" };
  }, [user, data, isError]);
}

function useLastNonNull<T>(value: T | null): T | null {
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
