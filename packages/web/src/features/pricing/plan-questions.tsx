import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";

/** Returns what people ask before they choose a plan, with the answers. */
export const listPlanQuestions = (): { question: string; answer: ReactNode }[] => [
  {
    question: t`What happens when all units are busy?`,
    answer: t`The next request is refused at once, or waits its turn for as long as you say. Nothing is charged for it.`,
  },
  {
    question: t`When does a change hold?`,
    answer: t`To a more expensive plan at once, for the rest of the period, less what you have paid. To a cheaper one when the period ends.`,
  },
  {
    question: t`Can I cancel at any time?`,
    answer: t`Yes. The plan goes on until its period ends, and can be taken back until then.`,
  },
  {
    question: t`Who shares the units?`,
    answer: (
      <>
        <Trans>
          Everybody in your organization, and all its keys. A key can be held to a share.{" "}
          <Link className="link" to="/docs/plans">
            Plans and billing
          </Link>
        </Trans>
      </>
    ),
  },
];
