import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useRef, useState } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import type { ChatSession } from "../answering/chat-session.ts";
import type { ChatStorage } from "../conversation/chat-owner.ts";
import type { SearchMatch } from "../conversation/store/chat-store.ts";
import type { Conversation } from "../conversation/types.ts";
import { groupByDay, groupByPlace, limitGroups, listFolders } from "./history-groups.ts";
import { HistoryItem } from "./history-item.tsx";
import styles from "./history-pane.module.css";
import { HistorySection } from "./history-section.tsx";
import { MoveChats } from "./move-chats.tsx";
import { OfferServer } from "./offer-server.tsx";
import { historyQuery, searchQuery } from "./queries.ts";
import type { HistoryActions } from "./use-history-actions.ts";

const MAX_SHOWN = 200;
const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘J" : "Ctrl J";

type Props = { session: ChatSession | null; currentId: string | null; actions: HistoryActions };

/** The history: search, open, rename, save and delete the conversations that are kept. */
export function HistoryPane({ session, currentId, actions }: Props) {
  const [searchText, setTyped] = useState("");
  const searchTerm = useDeferredValue(searchText.trim());
  const { data: all, isPending } = useQuery(historyQuery(session));
  const { data: matches } = useQuery(searchQuery(session, searchTerm));
  const [showsArchive, setShowsArchive] = useState(false);
  const archivedCount = (all ?? []).filter(({ archived }) => archived).length;
  const isArchive = showsArchive && archivedCount > 0;
  const filtered = filterConversations(all ?? [], matches ?? [], { searchTerm, isArchive });
  const groups = searchTerm === "" ? groupByPlace(filtered, new Date()) : groupByDay(filtered, new Date());
  const { shown, left } = limitGroups(groups, MAX_SHOWN);
  const folders = listFolders(all ?? []);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.history}>
      <button type="button" className={`btn ${styles.newChat}`} onClick={actions.startChat}>
        <Trans>
          New chat <kbd>{SHORTCUT}</kbd>
        </Trans>
      </button>
      <input
        className="input mt-3"
        type="search"
        aria-label={t`Search chats`}
        placeholder={t`Search chats`}
        value={searchText}
        onChange={(event) => setTyped(event.target.value)}
      />
      <nav aria-label={t`Chats`}>
        {session !== null && isPending ? <Skeleton height={120} /> : null}
        {isArchive ? <h2 className="h4 mt-3">{t`Archive`}</h2> : null}
        {shown.map((group) => (
          <HistorySection
            key={`${group.kind} ${group.name}`}
            group={group}
            isCurrent={group.conversations.some(({ id }) => id === currentId)}
            actions={actions}
          >
            {group.conversations.map((one) => (
              <HistoryItem
                key={one.id}
                conversation={one}
                open={one.id === currentId}
                excerpt={searchTerm ? matches?.find(({ conversation }) => conversation === one.id)?.excerpt : undefined}
                folders={folders}
                actions={actions}
              />
            ))}
          </HistorySection>
        ))}
        {left > 0 ? (
          <p className="small faint">
            <Trans>{left} more: search for them.</Trans>
          </p>
        ) : null}
        {all && filtered.length === 0 ? (
          <p className="small faint mt-4">
            {searchTerm ? t`Nothing here says that.` : describeStorage(session?.storage ?? "browser")}
          </p>
        ) : null}
      </nav>
      {session?.storage === "server" ? <MoveChats session={session} /> : null}
      {session?.storage === "browser" ? <OfferServer /> : null}
      <div className="row wrapping below">
        <button type="button" className="plain" disabled={session === null} onClick={() => input.current?.click()}>
          {t`Open a file`}
        </button>
        {archivedCount > 0 ? (
          <button type="button" className="plain" onClick={() => setShowsArchive(!isArchive)}>
            {isArchive ? t`Back to the chats` : t`Archive (${archivedCount})`}
          </button>
        ) : null}
        {all && all.length > 0 ? (
          <>
            <button type="button" className="plain" onClick={() => void actions.saveAll()}>
              {t`Save all`}
            </button>
            <button type="button" className="plain" onClick={actions.removeAll}>
              {t`Delete all`}
            </button>
          </>
        ) : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.jsonl,.zip,application/json,application/jsonl,application/zip"
        aria-label={t`Chat file`}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void actions.open(file);
          event.target.value = "";
        }}
      />
    </div>
  );
}

function describeStorage(storage: ChatStorage): string {
  if (storage === "server") return t`Your chats are kept on this server, encrypted, for you alone.`;
  return storage === "browser"
    ? t`Your chats are kept in this browser and nowhere else.`
    : t`Your organization keeps no chats: they end with this tab.`;
}

/** Returns the conversations of the list, or of the archive; a search covers both, and the names of folders. */
function filterConversations(
  all: readonly Conversation[],
  matches: readonly SearchMatch[],
  { searchTerm, isArchive }: { searchTerm: string; isArchive: boolean },
): readonly Conversation[] {
  if (searchTerm === "") return all.filter(({ archived }) => archived === isArchive);
  const matchingIds = new Set(searchTerm.length > 1 ? matches.map(({ conversation }) => conversation) : []);
  const lowerCaseTerm = searchTerm.toLowerCase();
  return all.filter(
    ({ id, title, folder }) => matchingIds.has(id) || `${title}\n${folder ?? ""}`.toLowerCase().includes(lowerCaseTerm),
  );
}
