import { plural, t } from "@lingui/core/macro";
import { Plural } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "#/lib/use-action.ts";
import type { ChatSession } from "../answering/chat-session.ts";
import { moveBrowserChats } from "../conversation/move-chats.ts";
import { browserChatsQuery, historyQueryKey } from "./queries.ts";

/** Offers to move the chats that this browser keeps to the server; nothing where it keeps none. */
export function MoveChats({ session }: { session: ChatSession }) {
  const { data: count = 0 } = useQuery(browserChatsQuery(session.userId));
  const move = useAction(() => moveBrowserChats(session.userId, session.store), {
    success: (moved) => plural(moved, { one: "# chat moved", other: "# chats moved" }),
    invalidates: [browserChatsQuery(session.userId).queryKey, historyQueryKey(session.owner)],
  });
  if (count === 0) return null;
  return (
    <div className="mt-4">
      <p className="small faint">
        <Plural value={count} one="# chat is in this browser only." other="# chats are in this browser only." />
      </p>
      <button type="button" className="btn small mt-2" disabled={move.busy} onClick={() => void move.run(undefined)}>
        {move.busy ? t`Moving…` : t`Move to your account`}
      </button>
    </div>
  );
}
