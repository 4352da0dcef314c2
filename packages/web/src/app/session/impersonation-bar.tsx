import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "react-router-dom";
import styles from "#/app/app.module.css";
import { paths } from "#/config/paths.ts";
import { useStopImpersonation } from "#/features/auth/use-stop-impersonation.ts";

/** Tells an admin that they are impersonating a user, with a button to stop. */
export function ImpersonationBar({ user }: { user: Pick<User, "name" | "email"> }) {
  const navigate = useNavigate();
  const stop = useStopImpersonation(() => navigate(paths.admin));
  return (
    <section className={styles.impersonation} aria-label={t`Acting as another user`}>
      <p>
        <Trans>
          You act as{" "}
          <strong>
            <bdi>{user.name}</bdi>
          </strong>
        </Trans>{" "}
        <span className="mono">{user.email}</span>
      </p>
      <button type="button" className="btn" onClick={() => void stop.run()} disabled={stop.busy} aria-busy={stop.busy}>
        {t`Back to your account`}
      </button>
    </section>
  );
}
