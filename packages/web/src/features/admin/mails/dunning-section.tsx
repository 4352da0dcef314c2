import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { adminPaths } from "#/features/admin/paths.ts";
import { settingsQuery } from "#/features/admin/system/queries.ts";
import { type DunningStep, toDunningSteps } from "./dunning-steps.ts";

const SETTING = "FEATHER_DUNNING_DAYS";

/** What happens with invoices that cannot be collected: on which day, and which mail is sent, with links to edit them. */
export function DunningSection() {
  const { data } = useQuery(settingsQuery);
  const setting = data?.items.find(({ name }) => name === SETTING)?.value;
  if (setting === undefined || setting === null) return null;
  return (
    <details className="mt-4 mb-4">
      <summary className="small muted">{t`When a card is declined`}</summary>
      <ol className="mt-3 small">
        {toDunningSteps(setting).map((step) => (
          <li key={step.day} className="mt-2">
            <DunningStepText step={step} />
          </li>
        ))}
      </ol>
      <p className="small faint mt-3 measure">
        <Trans>
          The days are the setting{" "}
          <Link className="link mono" to={adminPaths.setting(SETTING)}>
            FEATHER_DUNNING_DAYS
          </Link>
          . Before, in the 30 days before a card expires:{" "}
          <Link className="link" to={adminPaths.mail("card_expiring")}>
            Card expires soon
          </Link>
          . Once an invoice is paid, the plan goes on, and its receipt is sent:{" "}
          <Link className="link" to={adminPaths.mail("receipt")}>
            Receipt
          </Link>
          .
        </Trans>
      </p>
    </details>
  );
}

function DunningStepText({ step: { day, isLast } }: { step: DunningStep }) {
  return (
    <>
      <strong>
        {day === 0 ? t`Day of the invoice` : <Plural value={day} one="# day after it" other="# days after it" />}
      </strong>
      {": "}
      {isLast ? (
        <Trans>
          the card is charged for the last time. If that fails, the plan ends, the invoice is written off, and this mail
          is sent:{" "}
          <Link className="link" to={adminPaths.mail("plan_ended")}>
            Plan ended
          </Link>
        </Trans>
      ) : (
        <Trans>
          the card is charged. If that fails, the plan goes on, and this mail is sent:{" "}
          <Link className="link" to={adminPaths.mail("payment_failed")}>
            Payment failed
          </Link>
        </Trans>
      )}
    </>
  );
}
