import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { SettingsSection } from "#/components/ui/settings-section.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { keepReturnTo } from "./provider-return.ts";
import { type User, userQuery } from "./user.ts";

/** Accounts elsewhere to sign in with: which are connected, and which could be. Nothing where no provider is set up. */
export function ConnectedAccounts({ user }: { user: User }) {
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, refetch } = useQuery({
    queryKey: ["auth", "providers"],
    queryFn: async () => feather.auth.providers(),
  });
  if (error && !data)
    return <ReadFault what={t`The list of connected accounts`} error={error} again={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;

  async function toggle(id: string, connected: boolean): Promise<void> {
    try {
      if (connected) {
        await feather.auth.disconnect(id);
        await client.invalidateQueries({ queryKey: userQuery.queryKey });
        return;
      }
      const { redirect_to } = await feather.auth.connect(id, { returnTo: paths.profile });
      keepReturnTo(paths.profile);
      globalThis.location.assign(redirect_to);
    } catch (error) {
      toast({ title: isApiError(error) ? error.message : t`The server cannot be reached.`, variant: "destructive" });
    }
  }

  return (
    <SettingsSection
      title={t`Connected accounts`}
      about={t`Accounts elsewhere that log you in here. Disconnecting one ends no session.`}
    >
      <table>
        <tbody>
          {data.items.map(({ id, name }) => {
            const connected = user.providers.includes(id);
            return (
              <tr key={id}>
                <td>{name}</td>
                <td style={{ textAlign: "end" }}>
                  <button type="button" className="btn" onClick={() => void toggle(id, connected)}>
                    {connected ? t`Disconnect` : t`Connect`}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </SettingsSection>
  );
}
