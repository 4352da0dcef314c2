import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { paths } from "#/config/paths.ts";
import { subscriptionQuery } from "#/entities/billing/queries.ts";
import { countUnits, formatUnits } from "#/entities/plans/subscription-labels.ts";
import { useUser } from "#/entities/session/user.ts";

/** The last step: links to the chat, and the user's plan. */
export function ChatStep({ model, finish }: { model: string; finish(): void }) {
  const { user } = useUser();
  const { data } = useQuery(subscriptionQuery);
  const units = data ? countUnits(data.plan, data.quantity) : null;
  return (
    <>
      <h2 className="h3">{t`Your first chat`}</h2>
      <p className="muted mt-2">
        <Trans>
          With <ModelId id={model} />, or another: the chat shows what each answer took.
        </Trans>
      </p>
      {data ? (
        <p className="row wrapping muted mt-4">
          <Barbs active={units ?? 8} total={units ?? 8} label={formatUnits(units)} />
          <span>
            <Trans>
              You are on {data.plan.name}, with {formatUnits(units)}: as many as can be held at one time.
            </Trans>{" "}
            {user && can(user, "manage_billing") ? (
              <Link className="link" to={paths.pricing} onClick={finish}>
                {t`See the plans`}
              </Link>
            ) : null}
          </span>
        </p>
      ) : null}
      <div className="row wrapping mt-6">
        <Link className="btn primary" to={paths.chat(model)} onClick={finish}>
          {t`Open the chat`}
        </Link>
        <Link className="btn" to={paths.models()} onClick={finish}>
          {t`Browse the models`}
        </Link>
        <Link className="btn" to={paths.docs()} onClick={finish}>
          {t`Read the docs`}
        </Link>
      </div>
    </>
  );
}
