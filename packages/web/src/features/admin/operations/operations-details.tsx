import type { Operations } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatCount } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";
import { BackendTable } from "./backend-table.tsx";
import { ErrorTable } from "./error-table.tsx";
import { JobTable } from "./job-table.tsx";
import { stateLabel } from "./labels.ts";
import styles from "./operations-details.module.css";
import { ReplicaTable } from "./replica-table.tsx";
import { RuntimeTable } from "./runtime-table.tsx";

/** What the server consists of and depends on: backends, models here, downloads, database, errors and jobs. */
export function OperationsDetails({ operations }: { operations: Operations }) {
  const { replicas, backends, runtimes, pulls, database, errors, jobs } = operations;
  const openPulls = pulls.filter(({ count }) => count > 0);
  return (
    <div className={styles.details}>
      {replicas.length > 0 && (
        <Section title={t`Server processes`} isWide>
          <ReplicaTable replicas={replicas} />
          <p className="small muted mt-4">
            {t`The figures on this page are those of the process that answered. The leader runs background jobs, local models and deployments.`}
          </p>
        </Section>
      )}
      <Section title={t`Backends`} link={<SectionLink to={adminPaths.backends} label={t`All backends`} />}>
        {backends.length === 0 ? (
          <p className="muted mt-4">{t`None yet: no model can run.`}</p>
        ) : (
          <BackendTable backends={backends} />
        )}
      </Section>
      <Section
        title={t`Models on this machine`}
        link={<SectionLink to={adminPaths.downloads} label={t`All downloads`} />}
      >
        <RuntimeTable runtimes={runtimes} />
        <p className="small muted mt-4">
          {openPulls.length === 0
            ? t`No model is being downloaded.`
            : t`Downloads: ${openPulls.map(({ name, count }) => `${count} ${stateLabel(name)}`).join(", ")}`}
        </p>
      </Section>
      <Section title={t`Errors since the start`}>
        {errors.length === 0 ? <p className="muted mt-4">{t`None.`}</p> : <ErrorTable errors={errors} />}
      </Section>
      <Section title={t`Database`}>
        <p className="muted mt-4">
          {t`${formatCount(database.connections_in_use)} connections in use, ${formatCount(database.connections_idle)} idle; ${formatCount(database.queries_waiting)} queries wait for one.`}
        </p>
        <p className="muted mt-2">
          {t`${formatCount(database.queries)} queries since the start: ${formatCount(database.failed_queries)} failed, ${formatCount(database.slow_queries)} were slow.`}
        </p>
      </Section>
      <Section title={t`Background jobs`} isWide>
        <JobTable jobs={jobs} />
      </Section>
    </div>
  );
}

type SectionProps = { title: string; link?: ReactNode; isWide?: boolean; children: ReactNode };

function Section({ title, link, isWide = false, children }: SectionProps) {
  return (
    <section aria-label={title} className={isWide ? styles.wide : undefined}>
      <div className="row between">
        <h2 className="h4">{title}</h2>
        {link}
      </div>
      {children}
    </section>
  );
}

function SectionLink({ to, label }: { to: string; label: string }) {
  return (
    <Link className="link small" to={to}>
      {label}
    </Link>
  );
}
