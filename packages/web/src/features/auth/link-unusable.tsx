import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";

/** Shown for a link that cannot confirm an address, with the way to a new one. */
export function LinkUnusable({ reason, returnTo }: { reason: string; returnTo: string | null }) {
  const { user } = useUser();
  return (
    <>
      <h1 className="h2">{t`This link does not work`}</h1>
      <p className="muted">{reason}</p>
      {user ? (
        <Link className="btn full mt-6" to={paths.verifyEmail}>
          {t`Ask for a new one`}
        </Link>
      ) : (
        <Link className="btn full mt-6" to={paths.register(returnTo ?? undefined)}>
          {t`Sign up again for a new one`}
        </Link>
      )}
    </>
  );
}
