import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import type { Found } from "./history/chat-store.ts";
import { groupByDay } from "./history-groups.ts";
import type { ChatHost } from "./host.ts";
import { historyQuery, searchQuery } from "./queries.ts";
import type { Conversation } from "./types.ts";
import type { HistoryActions } from "./use-history-actions.ts";

const MOST_SHOWN = 200;
const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘J" : "Ctrl J";

type Props = { host: ChatHost | null; current: string | null; actions: HistoryActions };

/** The history: search, open, rename, save and delete the conversations stored in this browser. */
export function HistoryPane({ host, current, actions }: Props) {
  const [typed, setTyped] = useState("");
  const words = useDeferredValue(typed.trim());
  const { data: all, isPending } = useQuery(historyQuery(host));
  const { data: said } = useQuery(searchQuery(host, words));
  const shown = matching(all ?? [], said ?? [], words);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="history">
      <button type="button" className="btn new-chat" onClick={actions.begin}>
        <Trans>
          New chat <kbd>{SHORTCUT}</kbd>
        </Trans>
      </button>
      <input
        className="input mt-3"
        type="search"
        aria-label={t`Search chats`}
        placeholder={t`Search chats`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <nav aria-label={t`Chats`}>
        {host !== null && isPending ? <Skeleton height={120} /> : null}
        {groupByDay(shown.slice(0, MOST_SHOWN), new Date()).map(({ name, conversations }) => (
          <section key={name}>
            <h2 className="label">{name}</h2>
            <ul>
              {conversations.map((one) => (
                <Item
                  key={one.id}
                  conversation={one}
                  open={one.id === current}
                  excerpt={words ? said?.find(({ conversation }) => conversation === one.id)?.excerpt : undefined}
                  actions={actions}
                />
              ))}
            </ul>
          </section>
        ))}
        {shown.length > MOST_SHOWN ? (
          <p className="small dim">
            <Trans>{shown.length - MOST_SHOWN} more: search for them.</Trans>
          </p>
        ) : null}
        {all && shown.length === 0 ? (
          <p className="small dim mt-4">
            {words ? t`Nothing here says that.` : t`Your chats are kept in this browser and nowhere else.`}
          </p>
        ) : null}
      </nav>
      <div className="row wraps below">
        <button type="button" className="plain" disabled={host === null} onClick={() => input.current?.click()}>
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

function matching(all: readonly Conversation[], said: readonly Found[], words: string): readonly Conversation[] {
  if (words === "") return all;
  const found = new Set(words.length > 1 ? said.map(({ conversation }) => conversation) : []);
  return all.filter(({ id, title }) => found.has(id) || title.toLowerCase().includes(words.toLowerCase()));
}

type ItemProps = { conversation: Conversation; open: boolean; excerpt: string | undefined; actions: HistoryActions };

function Item({ conversation, open, excerpt, actions }: ItemProps) {
  const { id, title } = conversation;
  const item = (label: string, act: () => unknown, className = "item") => (
    <Menu.Item className={className} onClick={() => void act()}>
      {label}
    </Menu.Item>
  );
  return (
    <li className="kept-chat">
      <Link
        to={`/chat?c=${encodeURIComponent(id)}`}
        aria-current={open ? "page" : undefined}
        title={title}
        onClick={actions.opened}
      >
        <bdi>{title || t`New chat`}</bdi>
        {excerpt ? <span className="tiny dim">{excerpt}</span> : null}
      </Link>
      <Menu.Root>
        <Menu.Trigger className="plain" aria-label={t`Menu of ${title}`}>
          ···
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className="menu-pop">
              {item(t`Rename`, () => actions.rename(conversation))}
              {item(t`Share as a file`, () => actions.share(id))}
              {item(t`Save as JSON`, () => actions.saveJson(id))}
              {item(t`Save as Markdown`, () => actions.saveMarkdown(id))}
              <hr />
              {item(t`Delete`, () => actions.remove(conversation), "item danger")}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </li>
  );
}
