import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { PurchaseActions } from "./purchase-actions.tsx";

/** Shown where the page's address names no purchase. */
export function NoPurchase() {
  return (
    <>
      <h1 className="h2">{t`There is nothing to finish here`}</h1>
      <p className="muted mt-3">{t`This page says what became of a change of plan. Your plan and its invoices are on the subscription page.`}</p>
      <PurchaseActions>
        <Link className="btn primary" to={paths.account}>
          {t`See the plan`}
        </Link>
      </PurchaseActions>
    </>
  );
}
