import { useState } from "react";
import type { ChatSession } from "../answering/chat-session.ts";
import type { Snapshot } from "../conversation/conversations.ts";
import { visibleTurns } from "../conversation/tree.ts";
import type { Conversation } from "../conversation/types.ts";
import type { Sharing } from "../sharing/share-dialog.tsx";

/** Actions that open and close the dialog with links to a conversation. */
export function useShareActions(session: ChatSession | null, loadSnapshot: (id: string) => Promise<Snapshot | null>) {
  const [sharing, setSharing] = useState<Sharing | null>(null);
  const share = ({ id, title }: Conversation) =>
    setSharing({ id, title, loadEntryIds: async () => listShownIds(await loadSnapshot(id)) });
  return {
    sharing,
    /** Null where the server does not have the chats. */
    shareByLink: session?.storage === "server" ? share : null,
    stopSharing: () => setSharing(null),
  };
}

/** Returns the ids of the messages on the visible branch, in their order. */
function listShownIds(snapshot: Snapshot | null): string[] {
  const turns = snapshot ? visibleTurns(snapshot.tree, snapshot.conversation.chosen) : [];
  return turns.flatMap(({ question, lanes }) => [
    question.id,
    ...lanes.flatMap(({ answer }) => (answer ? [answer.id] : [])),
  ]);
}
