import { can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { BillingPanel } from "./billing-panel.tsx";
import styles from "./dashboard.module.css";
import { KeysPanel } from "./keys-panel.tsx";
import { RunningPanel } from "./running-panel.tsx";
import { UnitsPanel } from "./units-panel.tsx";

type Props = {
  user: User;
  /** The panel of the latest chats. */
  chats: ReactNode;
};

/** The home page of signed-in users: units in use, warm models, recent chats, keys and billing. */
export function Dashboard({ user, chats }: Props) {
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
