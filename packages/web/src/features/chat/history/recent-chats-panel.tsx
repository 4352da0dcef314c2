import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { openBrowserStore } from "../conversation/store/browser-store.ts";
import { historyQueryKey } from "./queries.ts";

const MAX_CHATS = 5;

/** The latest conversations of a user that are stored in this browser; none if the browser stores nothing. */
const recentChatsQuery = (userId: string) => ({
  queryKey: [...historyQueryKey(userId), "recent"],
  queryFn: async () => {
    const store = await openBrowserStore(userId).catch(() => null);
    const all = (await store?.list()) ?? [];
    store?.close();
    return all
      .filter(({ deletedAt }) => deletedAt === null)
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .slice(0, MAX_CHATS);
  },
  networkMode: "always" as const,
  staleTime: 0,
});

/** The latest conversations in this browser. */
export function RecentChatsPanel({ userId }: { userId: string }) {
  const query = useQuery(recentChatsQuery(userId));
  return (
    <Panel title={t`Latest chats`} more={{ label: t`All chats`, to: paths.chat() }}>
      <Loaded subject={t`Your chats`} query={query}>
        {(chats) =>
          chats.length === 0 ? (
            <p className="muted">{t`None in this browser yet.`}</p>
          ) : (
            <PanelList>
              {chats.map(({ id, title, updatedAt }) => (
                <li key={id}>
                  <Link to={`/chat?c=${encodeURIComponent(id)}`}>
                    <bdi>{title || t`New chat`}</bdi>
                  </Link>
                  <span className="faint small">{formatRelativeTime(new Date(updatedAt))}</span>
                </li>
              ))}
            </PanelList>
          )
        }
      </Loaded>
    </Panel>
  );
}
