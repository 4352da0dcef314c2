import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { paths } from "#/config/paths.ts";

/** Shown to visitors in place of a list that depends on the signed-in user. */
export function LoginRequired({ returnTo }: { returnTo: string }) {
  return (
    <EmptyState
      title={t`Log in to see your models`}
      action={
        <>
          <Link className="btn primary" to={paths.login(returnTo)}>
            {t`Log in`}
          </Link>
          <Link className="btn" to={paths.models()}>
            {t`Show all models`}
          </Link>
        </>
      }
    >
      {t`What you saved, and what your plan lets you call, is known to the server once you are signed in.`}
    </EmptyState>
  );
}
