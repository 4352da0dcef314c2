import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { useSession, useUser } from "#/features/auth/user.ts";
import { faultOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";

/** Where the link of an invitation leads. */
export default function InvitationPage() {
  const { token = "" } = useParams();
  const { user } = useUser();
  const { signedIn } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  if (!user) return null;
  const ended = isApiError(error) && error.status === 404;

  async function accept(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const joined = await feather.organization.invitations.accept(token);
      signedIn(joined);
      toast({ title: t`You joined ${joined.organization.name}`, variant: "success" });
      await navigate(paths.organization, { replace: true });
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="narrow">
      <h1 className="h2">{ended ? t`This invitation cannot be used` : t`Join an organization`}</h1>
      <p className="mid mt-3">
        {ended
          ? t`It was used, withdrawn, or has ended. Ask whoever sent it for a new one.`
          : t`You share its plan, keys, usage and deployments from then on, and act for it until you switch back.`}
      </p>
      {error !== null && !ended ? (
        <p className="notice mt-4" role="alert">
          {faultOf(error).message}
        </p>
      ) : null}
      {ended ? null : (
        <>
          <p className="small dim mt-4">{t`Signed in as ${user.email}. The invitation must be for this address.`}</p>
          <button
            type="button"
            className="btn primary full mt-4"
            disabled={busy}
            aria-busy={busy}
            onClick={() => void accept()}
          >
            {busy ? t`One moment …` : t`Join`}
          </button>
        </>
      )}
      <Link className="btn full mt-3" to={paths.account}>
        {ended ? t`To your account` : t`Not now`}
      </Link>
    </div>
  );
}
