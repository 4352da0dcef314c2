import type { Incident } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { LastDay } from "#/features/status/last-day.tsx";
import { formatCount, formatIsoDay, formatPercent, formatRelativeTime } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import styles from "./status.module.css";

const STATE_LABELS: Readonly<Record<Incident["state"], string>> = {
  investigating: t`investigating`,
  identified: t`identified`,
  monitoring: t`monitoring`,
  resolved: t`resolved`,
};
const STATE_TIERS = { operational: "good", degraded: "loading", down: "bad" } as const;
const CLASS_STATE_LABELS = { operational: t`operational`, degraded: t`degraded`, down: t`down` } as const;

/** The status page: incidents, and error rates of model classes from real requests. */
export default function StatusPage() {
  const rates = useQuery({
    ...queries.status.errorRates.queryOptions(),
    refetchInterval: 30_000,
  });
  const incidents = useQuery({ ...queries.status.incidents.queryOptions() });
  const open = incidents.data?.items.filter((incident) => incident.state !== "resolved") ?? [];
  const past = incidents.data?.items.filter((incident) => incident.state === "resolved") ?? [];
  const degradedCount = rates.data?.items.filter((item) => item.state !== "operational").length ?? 0;
  return (
    <div className={`page-width ${styles.statusPage}`}>
      <h1 className="h2">{t`Status`}</h1>
      {rates.data && incidents.data ? (
        <p className="lede mt-3">
          <StateBadge tier={open.length > 0 ? "bad" : degradedCount > 0 ? "loading" : "good"}>
            {open.length > 0
              ? t`Something is wrong, and we are at it.`
              : degradedCount > 0
                ? t`${degradedCount} of ${rates.data.items.length} model classes have trouble.`
                : t`Everything works.`}
          </StateBadge>
        </p>
      ) : rates.isPending || incidents.isPending ? (
        <p className="lede mt-3">
          <Skeleton height={24} width={240} />
        </p>
      ) : null}
      {open.map((incident) => (
        <IncidentNote key={incident.id} incident={incident} />
      ))}
      <LastDay />
      <h2 className="h3 mt-12">{t`Models in the last hour`}</h2>
      {rates.data ? (
        <p className="small faint mt-1">
          {t`From real requests. Callers who went away, and calls that a plan refused, are no errors.`}{" "}
          {t`Read ${formatRelativeTime(rates.data.updated_at)}.`}
        </p>
      ) : null}
      {rates.error && !rates.data ? (
        <LoadError subject={t`The figures`} error={rates.error} retry={() => void rates.refetch()} />
      ) : rates.data === undefined ? (
        <Skeleton height={160} />
      ) : rates.data.items.length === 0 ? (
        <EmptyState title={t`No requests in the last hour`}>
          {t`As soon as somebody calls a model, its error rate and speed stand here.`}
        </EmptyState>
      ) : (
        <table className="mt-4">
          <thead>
            <tr>
              <th scope="col">{t`Model class`}</th>
              <th scope="col">{t`State`}</th>
              <th scope="col" className="numeric">{t`Requests`}</th>
              <th scope="col" className="numeric">{t`Failed`}</th>
              <th scope="col" className="numeric wide-only">{t`First token, median`}</th>
              <th scope="col" className="numeric wide-only">{t`Tokens/s`}</th>
            </tr>
          </thead>
          <tbody>
            {rates.data.items.map((item) => (
              <tr key={item.model_class}>
                <td className="mono user-text">{item.model_class}</td>
                <td className="small">
                  <StateBadge tier={STATE_TIERS[item.state]}>{CLASS_STATE_LABELS[item.state]}</StateBadge>
                </td>
                <td className="numeric">{formatCount(item.requests)}</td>
                <td className="numeric">{formatPercent(item.error_rate)}</td>
                <td className="numeric wide-only">
                  {item.p50_ttft_ms === null ? "–" : t`${formatCount(item.p50_ttft_ms)} ms`}
                </td>
                <td className="numeric wide-only">{item.tokens_per_s ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2 className="h3 mt-12">{t`Past incidents`}</h2>
      {incidents.error && !incidents.data ? (
        <LoadError subject={t`Incidents`} error={incidents.error} retry={() => void incidents.refetch()} />
      ) : incidents.data === undefined ? (
        <Skeleton height={24} width={240} />
      ) : past.length === 0 ? (
        <p className="muted mt-2">{t`None in the last 90 days.`}</p>
      ) : (
        past.map((incident) => <IncidentNote key={incident.id} incident={incident} />)
      )}
      <TerminalCommand command="feather api GET /feather/status/error-rates" />
    </div>
  );
}

function IncidentNote({ incident }: { incident: Incident }) {
  const isResolved = incident.state === "resolved";
  // Past incidents are below a heading of level 2.
  const Heading = isResolved ? "h3" : "h2";
  return (
    <article className={isResolved ? "mt-4" : "notice mt-4"}>
      <Heading className="h4 user-text" dir="auto">
        {incident.title}
      </Heading>
      <p className={`mt-2 user-text ${styles.text}`} dir="auto">
        {incident.body}
      </p>
      <p className="small muted mt-2">
        {STATE_LABELS[incident.state]} · {t`since ${formatIsoDay(incident.started_at)}`} ·{" "}
        {incident.resolved_at
          ? t`resolved ${formatRelativeTime(incident.resolved_at)}`
          : t`updated ${formatRelativeTime(incident.updated_at)}`}
      </p>
    </article>
  );
}
