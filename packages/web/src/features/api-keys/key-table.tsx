import type { ApiKey, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { KeyBudget } from "#/entities/api-keys/key-budget.tsx";
import type { KeyUsage } from "#/entities/api-keys/use-key-usage.ts";
import { formatNanoUsd, isZero } from "#/entities/money/money.ts";
import { formatCount, formatIsoDay, formatRelativeTime } from "#/lib/format.ts";
import { countPlanUnits } from "./count-plan-units.ts";
import { describeLimits } from "./describe-limits.ts";
import { type KeyActions, KeyMenu } from "./key-menu.tsx";
import { getKeyState } from "./key-state.ts";
import styles from "./key-table.module.css";
import { getKeyScopeLabel } from "./scopes.ts";

type Props = {
  keys: readonly ApiKey[];
  user: User;
  usage: KeyUsage;
  actions: KeyActions;
  /** The id of the text that says why keys cannot be changed; null when they can. */
  readOnlyReasonId: string | null;
};

/** The organization's API keys with a menu each: a table, on narrow screens a list of cards. */
export function KeyTable({ keys, user, usage, actions, readOnlyReasonId }: Props) {
  const units = countPlanUnits(user);
  return (
    <table className={styles.keys}>
      <thead>
        <tr>
          <th>{t`Name`}</th>
          <th>{t`Key`}</th>
          <th>{t`Whose`}</th>
          <th>{t`May do`}</th>
          <th className="numeric">{t`Requests, 30 d`}</th>
          <th>{t`Last used`}</th>
          <th>{t`Expires`}</th>
          <th>{t`State`}</th>
          <th>
            <span className="visually-hidden">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td className={styles.name}>
              <bdi>{key.name}</bdi>
            </td>
            <Cell label={t`Key`}>
              <code className="mono">
                {key.prefix}…{key.last4}
              </code>
              {key.previous_secret_expires_at ? (
                <Line>{t`the secret before it ends ${formatRelativeTime(key.previous_secret_expires_at)}`}</Line>
              ) : null}
            </Cell>
            <Cell label={t`Whose`} className={styles.whose}>
              <bdi title={key.created_by_name ?? undefined}>{key.created_by_name ?? t`somebody who has left`}</bdi>
              {key.created_by_application ? (
                <Line>
                  <Trans>
                    by <bdi>{key.created_by_application}</bdi>
                  </Trans>
                </Line>
              ) : null}
            </Cell>
            <Cell label={t`May do`} className={styles.limits}>
              {key.scopes.map(getKeyScopeLabel).join(", ")}
              <Limits apiKey={key} units={units} />
              <KeyBudget apiKey={key} />
            </Cell>
            <Cell label={t`Requests, 30 d`} className="numeric">
              <Usage usage={usage} id={key.id} />
            </Cell>
            <Cell label={t`Last used`}>{key.last_used_at ? formatRelativeTime(key.last_used_at) : t`never`}</Cell>
            <Cell label={t`Expires`}>{key.expires_at ? formatIsoDay(key.expires_at) : t`never`}</Cell>
            <Cell label={t`State`}>
              <State apiKey={key} />
            </Cell>
            <td className={styles.menu}>
              <KeyMenu apiKey={key} user={user} actions={actions} readOnlyReasonId={readOnlyReasonId} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A cell that shows the name of its column where the table is a list of cards. */
function Cell({ label, className, children }: { label: string; className?: string | undefined; children: ReactNode }) {
  return (
    <td className={className} data-label={label}>
      {children}
    </td>
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
