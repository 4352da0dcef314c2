import type { ApiKey, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Column } from "#/components/list/list-table.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { KeyBudget } from "#/entities/api-keys/key-budget.tsx";
import type { KeyUsage } from "#/entities/api-keys/use-key-usage.ts";
import { formatNanoUsd, isZero } from "#/entities/money/money.ts";
import { formatCount, formatIsoDay, formatRelativeTime } from "#/lib/format.ts";
import { countPlanUnits } from "./count-plan-units.ts";
import { describeLimits } from "./describe-limits.ts";
import styles from "./key-columns.module.css";
import { KEY_SORTS } from "./key-filters.ts";
import { type KeyActions, KeyMenu } from "./key-menu.tsx";
import { getKeyState } from "./key-state.ts";
import { getKeyScopeLabel } from "./scopes.ts";

type Options = {
  user: User;
  usage: KeyUsage;
  actions: KeyActions;
  /** The id of the text that says why keys cannot be changed; null when they can. */
  readOnlyReasonId: string | null;
};

/** Returns the columns of the organization's API keys, the last one with a menu for each. */
export function createKeyColumns({ user, usage, actions, readOnlyReasonId }: Options): Column<ApiKey>[] {
  const units = countPlanUnits(user);
  return [
    {
      header: t`Name`,
      cell: ({ name }) => <bdi className={styles.name}>{name}</bdi>,
      sorts: KEY_SORTS.name,
      className: "title",
    },
    { ...named("key", t`Key`), cell: (key) => <Secret apiKey={key} /> },
    { ...named("owner", t`Whose`), cell: (key) => <Owner apiKey={key} /> },
    {
      ...named("limits", t`May do`),
      cell: (key) => (
        <div className={styles.limits}>
          {key.scopes.map(getKeyScopeLabel).join(", ")}
          <Limits apiKey={key} units={units} />
          <KeyBudget apiKey={key} />
        </div>
      ),
      className: "roomy",
    },
    { ...named("requests", t`Requests, 30 d`), cell: ({ id }) => <Usage usage={usage} id={id} />, isNumeric: true },
    {
      ...named("used", t`Last used`),
      cell: ({ last_used_at }) => (last_used_at ? formatRelativeTime(last_used_at) : t`never`),
      sorts: KEY_SORTS.used,
    },
    {
      ...named("created", t`Created`),
      cell: ({ created_at }) => formatIsoDay(created_at),
      sorts: KEY_SORTS.created,
      isHiddenAtFirst: true,
    },
    {
      ...named("expires", t`Expires`),
      cell: ({ expires_at }) => (expires_at ? formatIsoDay(expires_at) : t`never`),
    },
    { header: t`State`, name: t`State`, cell: (key) => <State apiKey={key} /> },
    {
      header: <span className="visually-hidden">{t`Actions`}</span>,
      cell: (key) => <KeyMenu apiKey={key} user={user} actions={actions} readOnlyReasonId={readOnlyReasonId} />,
      className: "menu",
    },
  ];
}

const named = (id: string, name: string) => ({ id, name, header: name });

function Secret({ apiKey }: { apiKey: ApiKey }) {
  const { prefix, last4, previous_secret_expires_at: previousEnd } = apiKey;
  return (
    <>
      <code className={`mono ${styles.secret}`}>
        {prefix}…{last4}
      </code>
      {previousEnd ? <Line>{t`the secret before it ends ${formatRelativeTime(previousEnd)}`}</Line> : null}
    </>
  );
}

function Owner({ apiKey: { created_by_name: name, created_by_application: application } }: { apiKey: ApiKey }) {
  return (
    <>
      <bdi className={styles.owner} title={name ?? undefined}>
        {name ?? t`somebody who has left`}
      </bdi>
      {application ? (
        <Line>
          <Trans>
            by <bdi>{application}</bdi>
          </Trans>
        </Line>
      ) : null}
    </>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <div className="tiny faint">{children}</div>;
}

function State({ apiKey }: { apiKey: ApiKey }) {
  const { tier, label } = getKeyState(apiKey, new Date());
  return <StateBadge tier={tier}>{label}</StateBadge>;
}

function Limits({ apiKey, units }: { apiKey: ApiKey; units: number | null }) {
  const limits = describeLimits(apiKey, units);
  const share = apiKey.max_concurrency;
  if (limits.length === 0 && apiKey.spend_limit_nano_usd !== null) return null;
  return (
    <div className={`small faint ${styles.words}`}>
      {share === null || units === null ? null : (
        <>
          <Barbs active={Math.min(share, units)} total={units} label="" />{" "}
        </>
      )}
      {limits.length === 0 ? t`no limits` : limits.join(", ")}
    </div>
  );
}

function Usage({ usage, id }: { usage: KeyUsage; id: string }) {
  if (usage === "loading") return <Skeleton width={40} />;
  if (usage === "unknown") return "–";
  const { requests, cost } = usage.get(id) ?? { requests: 0, cost: "0" };
  return (
    <>
      {formatCount(requests)}
      {isZero(cost) ? null : <Line>{formatNanoUsd(cost)}</Line>}
    </>
  );
}
