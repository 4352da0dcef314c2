import type { Plan } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Plural } from "@lingui/react/macro";
import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { paths } from "#/config/paths.ts";
import {
  clampQuantity,
  formatPeriod,
  formatPrice,
  getChangePath,
  getPlanAction,
} from "#/entities/plans/plan-labels.ts";
import { useContact } from "#/lib/site-config.ts";
import styles from "./plan-columns.module.css";

const MAX_BARBS = 8;

/** The plans as columns with price, units and action. */
export function PlanColumns({
  plans,
  currentId,
  recommended,
  isSold,
  mayTry,
  currency,
}: {
  plans: readonly Plan[];
  currentId: string | undefined;
  recommended: string | undefined;
  /** Whether plans can be bought; otherwise only admins can assign them. */
  isSold: boolean;
  /** Whether a plan's trial is open to the viewer. */
  mayTry: boolean;
  currency: string;
}) {
  return (
    <ul className={styles.planColumns}>
      {plans.map((plan) => (
        <li key={plan.id} aria-current={plan.id === currentId ? "true" : undefined}>
          <PlanColumn
            plan={plan}
            currentId={currentId}
            primary={plan.id === recommended}
            isSold={isSold}
            mayTry={mayTry}
            currency={currency}
          />
        </li>
      ))}
    </ul>
  );
}

type ColumnProps = {
  plan: Plan;
  currentId: string | undefined;
  primary: boolean;
  isSold: boolean;
  mayTry: boolean;
  currency: string;
};

function PlanColumn({ plan, currentId, primary, isSold, mayTry, currency }: ColumnProps) {
  const [quantity, setQuantity] = useState(plan.min_quantity);
  const action = getPlanAction(plan, currentId);
  const units = plan.concurrency === null ? null : plan.concurrency * (plan.unit_based ? quantity : 1);
  const showsTrial = mayTry && isSold && action.kind === "choose" && plan.trial_days > 0;
  return (
    <>
      <div className="row between">
        <h2 className="h4 user-text">{plan.name}</h2>
        {action.kind === "current" ? <span className="tag">{t`Your plan`}</span> : null}
      </div>
      <p className="v">{formatPrice(plan, currency, quantity)}</p>
      <p className="small faint">{formatPeriod(plan, quantity)}</p>
      <p className={`row mt-4 ${styles.planUnits}`}>
        {units === null ? (
          t`units by agreement`
        ) : (
          <>
            <Barbs active={Math.min(units, MAX_BARBS)} total={Math.min(units, MAX_BARBS)} label="" />
            <span className="num">{plural(units, { one: "# unit", other: "# units" })}</span>
          </>
        )}
      </p>
      <p className="small muted mt-2">{plan.description}</p>
      <div className={styles.planAction}>
        {plan.unit_based ? <Quantity plan={plan} quantity={quantity} setQuantity={setQuantity} /> : null}
        {showsTrial ? (
          <p className="small muted">
            <Plural value={plan.trial_days} one="Free for the first day" other="Free for the first # days" />
          </p>
        ) : null}
        {action.kind === "current" ? (
          plan.unit_based && isSold ? (
            <Link className="btn" to={getChangePath(plan, quantity)}>
              {t`Change the quantity`}
            </Link>
          ) : (
            <Link className="btn" to={paths.account}>
              {t`See your subscription`}
            </Link>
          )
        ) : action.kind === "contact" || !isSold ? (
          <Contact />
        ) : (
          <Link className={`btn${primary ? " primary" : ""}`} to={getChangePath(plan, quantity)}>
            {action.label}
          </Link>
        )}
      </div>
    </>
  );
}

/**
 * A quantity field. It keeps the typed text until it loses focus, but always reports a quantity that the plan allows.
 */
function Quantity({ plan, quantity, setQuantity }: { plan: Plan; quantity: number; setQuantity(value: number): void }) {
  const id = useId();
  const [text, setText] = useState(String(quantity));
  return (
    <div className={`row ${styles.quantity}`}>
      <label className="small" htmlFor={id}>
        {t`How many`}
      </label>
      <input
        id={id}
        className="input num"
        type="number"
        min={plan.min_quantity}
        max={plan.max_quantity}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setQuantity(clampQuantity(plan, event.target.valueAsNumber));
        }}
        onBlur={() => setText(String(quantity))}
      />
    </div>
  );
}

/** A link to the operator's mail address; nothing where none is set. */
function Contact() {
  const { email } = useContact();
  if (email === null) return null;
  return (
    <a className="btn" href={`mailto:${email}`}>
      {t`Write to ${email}`}
    </a>
  );
}
