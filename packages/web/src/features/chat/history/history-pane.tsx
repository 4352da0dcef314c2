import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import type { ChatSession } from "../answering/chat-session.ts";
import type { ChatStorage } from "../conversation/chat-owner.ts";
import type { SearchMatch } from "../conversation/store/chat-store.ts";
import type { Conversation } from "../conversation/types.ts";
import { groupByDay } from "./history-groups.ts";
import styles from "./history-pane.module.css";
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
  const filtered = filterConversations(all ?? [], matches ?? [], searchTerm);
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
        {groupByDay(filtered.slice(0, MAX_SHOWN), new Date()).map(({ name, conversations }) => (
          <section key={name}>
            <h2 className="label">{name}</h2>
            <ul>
              {conversations.map((one) => (
                <Item
                  key={one.id}
                  conversation={one}
                  open={one.id === currentId}
                  excerpt={
                    searchTerm ? matches?.find(({ conversation }) => conversation === one.id)?.excerpt : undefined
                  }
                  actions={actions}
                />
              ))}
            </ul>
          </section>
        ))}
        {filtered.length > MAX_SHOWN ? (
          <p className="small faint">
            <Trans>{filtered.length - MAX_SHOWN} more: search for them.</Trans>
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
        {all && all.length > 0 ? (
          <button type="button" className="plain" onClick={actions.removeAll}>
            {t`Delete all`}
          </button>
        ) : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
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

function filterConversations(
  all: readonly Conversation[],
  matches: readonly SearchMatch[],
  searchTerm: string,
): readonly Conversation[] {
  if (searchTerm === "") return all;
  const matchingIds = new Set(searchTerm.length > 1 ? matches.map(({ conversation }) => conversation) : []);
  return all.filter(({ id, title }) => matchingIds.has(id) || title.toLowerCase().includes(searchTerm.toLowerCase()));
}

type ItemProps = { conversation: Conversation; open: boolean; excerpt: string | undefined; actions: HistoryActions };

function Item({ conversation, open, excerpt, actions }: ItemProps) {
  const { id, title } = conversation;
  const renderItem = (label: string, run: () => unknown, className = "item") => (
    <Menu.Item className={className} onClick={() => void run()}>
      {label}
    </Menu.Item>
  );
  return (
    <li className={styles.keptChat}>
      <Link
        to={`/chat?c=${encodeURIComponent(id)}`}
        aria-current={open ? "page" : undefined}
        title={title}
        onClick={actions.onOpened}
      >
        <bdi>{title || t`New chat`}</bdi>
        {excerpt ? <span className="tiny faint">{excerpt}</span> : null}
      </Link>
      <Menu.Root>
        <Menu.Trigger className="plain" aria-label={t`Menu of ${title}`}>
          ···
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className="menu-pop">
              {renderItem(t`Rename`, () => actions.rename(conversation))}
              {renderItem(t`Share as a file`, () => actions.share(id))}
              {renderItem(t`Save as JSON`, () => actions.saveJson(id))}
              {renderItem(t`Save as Markdown`, () => actions.saveMarkdown(id))}
              <hr />
              {renderItem(t`Delete`, () => actions.remove(conversation), "item danger")}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </li>
  );
}
