import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { useSalesEnabled } from "#/lib/site-config.ts";

/** Shows what to know before choosing a plan. `endingPlan` is the name of the user's plan if it was canceled. */
export function PlanNotices({ endingPlan }: { endingPlan: string | null }) {
  const salesEnabled = useSalesEnabled();
  return (
    <>
      {endingPlan !== null ? (
        <p className="notice mt-5">
          <Trans>
            Your plan {endingPlan} ends with its period.{" "}
            <Link className="link" to="/account">
              Take the cancellation back
            </Link>{" "}
            before you change it.
          </Trans>
        </p>
      ) : null}
      {salesEnabled ? null : (
        <p className="notice mt-5" role="note">
          {t`Nothing is sold on this server: an admin puts organizations on plans. The prices are what the plans are meant to cost.`}
        </p>
      )}
    </>
  );
}
