import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { sharedChatQuery } from "#/features/chat/sharing/shared-chat.ts";
import { SharedMessages } from "#/features/chat/sharing/shared-messages.tsx";
import styles from "#/features/chat/sharing/sharing.module.css";
import { formatMoment } from "#/lib/format.ts";

/** A copy of a chat that somebody shared by a link, for everybody who has the link. */
export default function SharedChatPage() {
  const { token = "" } = useParams();
  const { data, error, refetch } = useQuery(sharedChatQuery(token));
  if (error && data === undefined)
    return (
      <div className={`page-width ${styles.page}`}>
        <h1 className="h2">{t`Shared chat`}</h1>
        <LoadError subject={t`The chat`} error={error} retry={() => void refetch()} />
      </div>
    );
  return (
    <div className={`page-width ${styles.page}`}>
      {data === undefined ? (
        <>
          <h1 className="h2">{t`Shared chat`}</h1>
          <Skeleton height={240} />
        </>
      ) : data === null ? (
        <>
          <h1 className="h2">{t`This link has ended`}</h1>
          <p className="muted mt-3">{t`Its time is over, it was revoked, or it was never a link. Ask whoever sent it for a new one.`}</p>
          <Link className="btn mt-4" to={paths.home}>
            {t`To the home page`}
          </Link>
        </>
      ) : (
        <>
          <h1 className="h2 user-text" dir="auto">
            {data.title || t`Shared chat`}
          </h1>
          <p className="muted mt-2">
            {t`A copy of a chat with AI models, shared ${formatMoment(data.created_at)}. The link ends ${formatMoment(data.expires_at)}.`}
          </p>
          <SharedMessages messages={data.messages} />
        </>
      )}
    </div>
  );
}

/** Loads the copy. */
export async function prefetch(client: QueryClient, { params }: PageLocation): Promise<void> {
  await client.prefetchQuery(sharedChatQuery(params.token ?? ""));
}
