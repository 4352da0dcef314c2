import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { type ChatStorage, nameOwner } from "../conversation/chat-owner.ts";
import { historyQueryKey } from "./queries.ts";
import { listRecentChats } from "./recent-chats.ts";

const MAX_CHATS = 5;

/** The latest conversations of a user. */
const recentChatsQuery = ({ id, organization }: User, storage: ChatStorage) => ({
  queryKey: [...historyQueryKey(nameOwner({ userId: id, organizationId: organization.id, storage })), "recent"],
  queryFn: () => listRecentChats(id, storage, MAX_CHATS),
  networkMode: "always" as const,
  staleTime: 0,
});

/** The latest conversations of a user. */
export function RecentChatsPanel({ user }: { user: User }) {
  const { data, isPending } = useQuery(organizationsQuery);
  const storage = data?.items.find(({ id }) => id === user.organization.id)?.chat_storage ?? "browser";
  const query = useQuery({ ...recentChatsQuery(user, storage), enabled: !isPending });
  return (
    <Panel title={t`Latest chats`} more={{ label: t`All chats`, to: paths.chat() }}>
      <Loaded subject={t`Your chats`} query={query}>
        {(chats) =>
          chats.length === 0 ? (
            <p className="muted">{storage === "server" ? t`None yet.` : t`None in this browser yet.`}</p>
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
