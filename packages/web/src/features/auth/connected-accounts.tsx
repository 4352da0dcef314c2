import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { SettingsSection } from "#/components/ui/settings-section.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { type GivenProof, ProofDialog } from "./proof-dialog.tsx";
import { keepReturnTo } from "./provider-return.ts";
import { type User, userQuery } from "./user.ts";

type Chosen = { id: string; name: string; connected: boolean };

/** Settings of linked sign-in providers. Renders nothing where the server has none. */
export function ConnectedAccounts({ user }: { user: User }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["auth", "providers"],
    queryFn: async () => feather.auth.providers(),
  });
  if (error && !data)
    return <ReadFault what={t`The list of connected accounts`} error={error} again={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;

  async function disconnect(id: string, proof: GivenProof): Promise<void> {
    await feather.auth.disconnect(id, proof);
    await client.invalidateQueries({ queryKey: userQuery.queryKey });
  }

  async function connect(id: string, proof: GivenProof): Promise<void> {
    const { redirect_to } = await feather.auth.link(id, { ...proof, returnTo: paths.profile });
    keepReturnTo(paths.profile);
    globalThis.location.assign(redirect_to);
  }

  return (
    <SettingsSection
      title={t`Connected accounts`}
      about={t`Accounts elsewhere that log you in here. Disconnecting one ends no session. Your address is told of both.`}
    >
      <table>
        <tbody>
          {data.items.map(({ id, name }) => {
            const connected = user.providers.includes(id);
            return (
              <tr key={id}>
                <td>{name}</td>
                <td style={{ textAlign: "end" }}>
                  <button
                    type="button"
                    className="btn"
                    aria-label={connected ? t`Disconnect ${name}` : t`Connect ${name}`}
                    onClick={() => setChosen({ id, name, connected })}
                  >
                    {connected ? t`Disconnect` : t`Connect`}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <ProofDialog
        user={user}
        open={chosen !== null}
        close={() => setChosen(null)}
        title={chosen?.connected ? t`Disconnect ${chosen.name}` : t`Connect ${chosen?.name ?? ""}`}
        description={
          chosen?.connected
            ? t`It no longer logs you in here.`
            : t`You go to ${chosen?.name ?? ""} and come back. Whoever is signed in there can log in to this account from then on.`
        }
        submitLabel={chosen?.connected ? t`Disconnect` : t`Go on`}
        submit={async (proof) => {
          if (chosen) await (chosen.connected ? disconnect : connect)(chosen.id, proof);
        }}
      />
    </SettingsSection>
  );
}
