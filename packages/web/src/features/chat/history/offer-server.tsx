import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { useUser } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./history-pane.module.css";

/** Offers those who decide for the organization to keep chats on the server; nothing to others. */
export function OfferServer() {
  const { user } = useUser();
  const confirm = useConfirm();
  const decide = useAction(() => feather.organization.update({ chat_storage: "server" }), {
    success: () => t`Chats are kept on this server from now on`,
    invalidates: [queries.organization.key()],
  });
  if (!user || user.impersonated_by || !can(user, "manage_organization")) return null;
  const ask = () =>
    confirm({
      title: t`Keep chats on this server?`,
      description: t`All devices of each member of the organization then have their chats. They are encrypted with a key of the organization; the server can read them while it works with them, other members and admins cannot. Chats of this browser stay here until you move them. You can change it on the organization's page.`,
      confirmButtonText: t`Keep them on this server`,
      action: async () => void (await decide.run(undefined)),
    });
  return (
    <div className="mt-4">
      <p className="small faint">{t`Other devices do not have these chats.`}</p>
      <button type="button" className={`btn small mt-2 ${styles.wrapping}`} disabled={decide.busy} onClick={ask}>
        {t`Keep chats on this server`}
      </button>
    </div>
  );
}
