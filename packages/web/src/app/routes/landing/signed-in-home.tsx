import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { RecentChatsPanel } from "#/features/chat/history/recent-chats-panel.tsx";
import { Dashboard } from "#/features/dashboard/dashboard.tsx";
import { formatDocumentTitle } from "#/lib/page-title.ts";

/** The home page of a signed-in user. */
export function SignedInHome({ user }: { user: User }) {
  useEffect(() => {
    document.title = formatDocumentTitle(t`Home`);
  }, []);
  return <Dashboard user={user} chats={<RecentChatsPanel user={user} />} />;
}
