import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { queries } from "#/lib/queries.ts";
import { ShareList } from "./share-list.tsx";

/** All links to chats of the person in this organization. */
export function SharesSection() {
  const { data, error, refetch } = useQuery(queries.chatShares.list.queryOptions());
  return (
    <SettingsSection
      title={t`Links to your chats`}
      description={t`Everybody who has a link can read the copy of the chat until it ends. Revoke what should not be read any more.`}
    >
      {error && data === undefined ? (
        <LoadError subject={t`The list of links`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : data.items.length === 0 ? (
        <p className="muted">{t`None. A chat is shared from its menu in the list of chats.`}</p>
      ) : (
        <ShareList shares={data.items} />
      )}
    </SettingsSection>
  );
}
