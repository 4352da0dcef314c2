import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "react-router-dom";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { isImpersonating, useStopImpersonation } from "#/features/auth/impersonation.ts";
import { useUser } from "#/features/auth/user.ts";

/** Says on every page that an admin acts as somebody else, and leads back. */
export function ImpersonationBanner() {
  const { user } = useUser();
  const navigate = useNavigate();
  const toast = useToast();
  const stop = useStopImpersonation(() => navigate(paths.admin));
  if (!user || !isImpersonating()) return null;
  const leave = () =>
    stop.mutate(undefined, {
      onError: () =>
        toast({ title: t`You still act as this user.`, description: t`Try again.`, variant: "destructive" }),
    });
  return (
    <section className="impersonation" aria-label={t`Acting as another user`}>
      <p>
        <Trans>
          You act as <strong>{user.name}</strong>
        </Trans>{" "}
        <span className="mono">{user.email}</span>
      </p>
      <button type="button" className="btn" onClick={leave} disabled={stop.isPending} aria-busy={stop.isPending}>
        {t`Back to your account`}
      </button>
    </section>
  );
}
