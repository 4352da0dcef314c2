import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "react-router-dom";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import type { User } from "#/entities/session/user.ts";
import { useStopImpersonation } from "#/features/auth/use-stop-impersonation.ts";

/** Tells an admin that they are impersonating a user, with a button to stop. */
export function ImpersonationBar({ user }: { user: Pick<User, "name" | "email"> }) {
  const navigate = useNavigate();
  const toast = useToast();
  const stop = useStopImpersonation(() => navigate(paths.admin));
  const stopImpersonating = () =>
    stop.mutate(undefined, {
      onError: () =>
        toast({ title: t`You still act as this user.`, description: t`Try again.`, variant: "destructive" }),
    });
  return (
    <section className="impersonation" aria-label={t`Acting as another user`}>
      <p>
        <Trans>
          You act as{" "}
          <strong>
            <bdi>{user.name}</bdi>
          </strong>
        </Trans>{" "}
        <span className="mono">{user.email}</span>
      </p>
      <button
        type="button"
        className="btn"
        onClick={stopImpersonating}
        disabled={stop.isPending}
        aria-busy={stop.isPending}
      >
        {t`Back to your account`}
      </button>
    </section>
  );
}
