import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { pullsQuery } from "#/entities/store/queries.ts";
import { storage } from "#/lib/browser/storage.ts";
import { queries } from "#/lib/queries.ts";
import { backendsQuery } from "../backends/queries.ts";
import { settingsQuery } from "../system/queries.ts";
import styles from "./panel.module.css";
import { listSetupSteps } from "./setup-steps.ts";

const STORAGE_KEY = "setup-checklist";

/** The steps that are left after the first start. Nothing once all are done, or the admin has hidden them. */
export function SetupChecklist() {
  const [isHidden, setHidden] = useState(() => storage.get(STORAGE_KEY) === "hidden");
  return isHidden ? null : (
    <OpenChecklist
      hide={() => {
        storage.set(STORAGE_KEY, "hidden");
        setHidden(true);
      }}
    />
  );
}

/** Loads what the checklist reads first; nothing if it is hidden. */
export async function prefetchSetupChecklist(client: QueryClient): Promise<void> {
  if (storage.get(STORAGE_KEY) === "hidden") return;
  await Promise.all([
    client.prefetchQuery(settingsQuery),
    client.prefetchQuery(backendsQuery),
    client.prefetchQuery(pullsQuery),
    client.prefetchQuery(queries.auth.passkeys.list.queryOptions()),
  ]);
}

function OpenChecklist({ hide }: { hide(): void }) {
  const { user } = useUser();
  const { data: settings } = useQuery(settingsQuery);
  const { data: backends } = useQuery(backendsQuery);
  const { data: pulls } = useQuery(pullsQuery);
  const { data: passkeys } = useQuery(queries.auth.passkeys.list.queryOptions());
  // The other parts of the page say what cannot be loaded.
  if (!user || !settings || !backends || !pulls || !passkeys) return null;
  const passkeyCount = passkeys.items.length;
  const steps = listSetupSteps({ settings, backends: backends.items, pulls: pulls.items, user, passkeyCount });
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section className={`${styles.panel} mb-6`} aria-labelledby="setup">
      <div className="row between">
        <h2 className="h4" id="setup">
          {t`Set this server up`}
        </h2>
        <button type="button" className="link small" onClick={hide}>
          {t`Hide these steps`}
        </button>
      </div>
      <ul>
        {steps.map(({ title, isDone, state, link }) => (
          <li key={title}>
            <div>
              <span className="strong">{title}</span>
              <p className="small muted">
                {state}{" "}
                <Link className="link" to={link.to}>
                  {link.label}
                </Link>
              </p>
            </div>
            <span className="small">
              <StateBadge tier={isDone ? "good" : "offline"}>{isDone ? t`done` : t`to do`}</StateBadge>
            </span>
          </li>
        ))}
      </ul>
      <p className="small muted mt-3">
        <Trans>
          Whether there is a backup cannot be seen from here:{" "}
          <Link className="link" to={paths.docs("backups")}>
            what to save, and how
          </Link>
          .
        </Trans>
      </p>
    </section>
  );
}
