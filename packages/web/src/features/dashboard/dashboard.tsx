import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { LoadingPlaceholder } from "#/components/ui/loading/loading-placeholder.tsx";
import { paths } from "#/config/paths.ts";
import { queries } from "#/lib/queries.ts";
import { AttentionPanel } from "./attention-panel.tsx";
import { BillingPanel } from "./billing-panel.tsx";
import styles from "./dashboard.module.css";
import { KeysPanel } from "./keys-panel.tsx";
import { RunningPanel } from "./running-panel.tsx";
import { UnitsPanel } from "./units-panel.tsx";
import { WeekSection } from "./week-section.tsx";

type Props = {
  user: User;
  /** The panel of the latest chats. */
  chats: ReactNode;
};

/** How often what needs attention is read anew, in milliseconds. */
const REFRESH_MS = 60_000;

/** The home page of signed-in users: what needs attention, the week, units, warm models, chats, keys and billing. */
export function Dashboard({ user, chats }: Props) {
  const attention = useQuery({ ...queries.attention.list.queryOptions(), refetchInterval: REFRESH_MS });
  // What needs attention comes first, and must not push down what is being read.
  if (attention.isLoading) return <LoadingPlaceholder />;
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Home`}</h1>
        <div className="row wrapping">
          {can(user, "manage_keys") && !user.impersonated_by ? (
            <Link className="btn" to={paths.apiKeys}>
              {t`Make a key`}
            </Link>
          ) : null}
          <Link className="btn primary" to={paths.chat()}>
            {t`New chat`}
          </Link>
        </div>
      </div>
      <div className={styles.first}>
        <AttentionPanel query={attention} />
        <WeekSection />
      </div>
      <div className={styles.panels}>
        <UnitsPanel />
        <RunningPanel />
        {chats}
        {can(user, "manage_keys") ? <KeysPanel /> : null}
        {can(user, "manage_billing") ? <BillingPanel /> : null}
      </div>
    </>
  );
}
