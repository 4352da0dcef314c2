import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { paths } from "#/config/paths.ts";
import { userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./connected-accounts.module.css";
import { storeReturnTo } from "./provider-return.ts";
import { type Reauthentication, ReauthenticationDialog } from "./reauthentication-dialog.tsx";

type SelectedProvider = { id: string; name: string; connected: boolean };

type Proven = { id: string; proof: Reauthentication };

/** Settings of linked sign-in providers. Renders nothing where the server has none. */
export function ConnectedAccounts({ user }: { user: User }) {
  const sendsMail = useMailDelivery();
  const [selected, setSelected] = useState<SelectedProvider | null>(null);
  const { data, error, refetch } = useQuery({
    ...queries.auth.providers.queryOptions(),
  });
  const disconnection = useAction(({ id, proof }: Proven) => feather.auth.disconnect(id, proof), {
    invalidates: [userQuery.queryKey],
  });
  const connection = useAction(
    ({ id, proof }: Proven) => feather.auth.link(id, { ...proof, returnTo: paths.profile }),
    {
      onSuccess({ redirect_to }) {
        storeReturnTo(paths.profile);
        globalThis.location.assign(redirect_to);
      },
    },
  );
  if (error && !data)
    return <LoadError subject={t`The list of connected accounts`} error={error} retry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;

  return (
    <SettingsSection
      title={t`Connected accounts`}
      description={
        sendsMail
          ? t`Accounts elsewhere that log you in here. Disconnecting one ends no session. Your address is told of both.`
          : t`Accounts elsewhere that log you in here. Disconnecting one ends no session.`
      }
    >
      <table>
        <tbody>
          {data.items.map(({ id, name }) => {
            const connected = user.providers.includes(id);
            return (
              <tr key={id}>
                <td>{name}</td>
                <td className={styles.action}>
                  <button
                    type="button"
                    className="btn"
                    aria-label={connected ? t`Disconnect ${name}` : t`Connect ${name}`}
                    onClick={() => setSelected({ id, name, connected })}
                  >
                    {connected ? t`Disconnect` : t`Connect`}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <ReauthenticationDialog
        user={user}
        open={selected !== null}
        close={() => setSelected(null)}
        title={selected?.connected ? t`Disconnect ${selected.name}` : t`Connect ${selected?.name ?? ""}`}
        description={
          selected?.connected
            ? t`It no longer logs you in here.`
            : t`You go to ${selected?.name ?? ""} and come back. Whoever is signed in there can log in to this account from then on.`
        }
        submitLabel={selected?.connected ? t`Disconnect` : t`Go on`}
        submit={async (proof) => {
          if (!selected) return;
          const action = selected.connected ? disconnection : connection;
          await action.submit({ id: selected.id, proof });
        }}
      />
    </SettingsSection>
  );
}
