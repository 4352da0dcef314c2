import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { paths } from "#/config/paths.ts";
import { isBeingDownloaded } from "#/entities/models/availability.ts";
import { formatList } from "#/lib/format.ts";

const REASONS: Record<string, string> = {
  gated: t`its publisher asks for an accepted form`,
  plan_model_size: t`it is larger than your plan allows`,
  not_on_plan: t`it is not in your plan`,
  cold: t`nothing that runs it is reachable here just now`,
  private: t`it is private`,
  disabled: t`it is switched off`,
  only_elsewhere: t`it only answers elsewhere, and calls of your organization may not leave this server`,
};
/** Reasons that do not apply on a larger plan. */
const SOLVED_BY_PLAN = new Set(["plan_model_size", "not_on_plan"]);

type Props = { model: Model; access: NonNullable<Model["access"]> };

/** Says whether someone who is signed in can call a model now, and if not, why. */
export function OwnAccess({ model, access }: Props) {
  const cost = model.concurrency_cost;
  if (access.callable)
    return (
      <p>
        {isBeingDownloaded(model.availability) ? (
          <StateBadge tier="loading">{t`As soon as it is downloaded.`}</StateBadge>
        ) : (
          <StateBadge tier="good">{t`Yes.`}</StateBadge>
        )}{" "}
        <span className="muted">{t`It takes ${cost} of your units while it answers.`}</span>
      </p>
    );
  const { reasons } = access;
  const why = reasons.flatMap((reason) => REASONS[reason] ?? []);
  return (
    <p>
      <StateBadge tier="bad">{t`Not now:`}</StateBadge>{" "}
      <span className="muted">{formatList(why) || t`the server does not say why`}.</span>{" "}
      {reasons.some((reason) => SOLVED_BY_PLAN.has(reason)) ? (
        <Link className="link" to={paths.pricing}>
          {t`See the plans`}
        </Link>
      ) : null}
    </p>
  );
}
