import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { State } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { useSession } from "#/features/auth/user.ts";
import { faultOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { organizationsQuery } from "./queries.ts";
import { roleName } from "./roles.ts";

/** The user's organizations, to switch between them. Renders nothing for users who have only one. */
export function SwitchSection({ present }: { present: string }) {
  const { data, error, refetch } = useQuery(organizationsQuery);
  const { signedIn } = useSession();
  const toast = useToast();
  if (error && !data) return <ReadFault what={t`Your organizations`} error={error} again={() => void refetch()} />;
  if (!data || data.items.length < 2) return null;

  async function act(organization_id: string, name: string): Promise<void> {
    try {
      signedIn(await feather.organization.switch({ organization_id }));
      toast({ title: t`You act for ${name} now` });
    } catch (error) {
      toast({ title: faultOf(error).message, variant: "destructive" });
    }
  }

  return (
    <section className="mt-8" aria-labelledby="organizations">
      <h2 className="h4" id="organizations">
        {t`Your organizations`}
      </h2>
      <ul className="rows mt-2">
        {data.items.map(({ id, name, role }) => (
          <li key={id} className="row between">
            <span className="stranger" dir="auto">
              <strong>{name}</strong> <span className="dim small">{roleName(role)}</span>
            </span>
            {id === present ? (
              <State tier="good">{t`in use`}</State>
            ) : (
              <button type="button" className="btn" aria-label={t`Act for ${name}`} onClick={() => void act(id, name)}>
                {t`Act for it`}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
