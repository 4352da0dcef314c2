import type { ChatShare } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { feather } from "#/lib/feather.ts";
import { formatMoment } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./sharing.module.css";

/** Links to chats, each with its end, to copy and to revoke. */
export function ShareList({ shares }: { shares: readonly ChatShare[] }) {
  const revocation = useAction(({ id }: ChatShare) => feather.chatShares.delete(id), {
    success: () => ({ title: t`The link has ended`, description: t`Nobody can read the copy any more.` }),
    invalidates: [queries.chatShares.key()],
  });
  return (
    <ul className={styles.links}>
      {shares.map((share) => {
        const title = share.title || t`New chat`;
        return (
          <li key={share.id}>
            <span className="user-text">
              <bdi>{title}</bdi>
              <br />
              <span className="small muted">
                {t`Made ${formatMoment(share.created_at)}, ends ${formatMoment(share.expires_at)}`}
              </span>
              {share.is_readable ? null : (
                <>
                  <br />
                  <span className="small">
                    {t`Nobody can read it at present: the organization forbids links, or the chat is in the trash.`}
                  </span>
                </>
              )}
            </span>
            <CopyButton text={share.url} label={t`Copy the link`} subject={t`to ${title}`} />
            <button
              type="button"
              className="plain"
              disabled={revocation.busy}
              aria-label={t`Revoke the link to ${title}`}
              onClick={() => void revocation.run(share)}
            >
              {t`Revoke`}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
